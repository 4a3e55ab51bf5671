import { expect, it } from "vitest";
import { editClean } from "./clean-contract.ts";
import { blankKeyErrors } from "./half-saved.ts";

/** blank-keys.nightly.test.ts tests every key. */
it.each([...editClean({}).keys()])(
  "lint and bundling report no JavaScript error for a third of the keys of %s without value",
  async (file) => {
    expect(await blankKeyErrors(file, 3)).toEqual([]);
  },
  120_000,
);
