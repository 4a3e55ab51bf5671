import { expect, it } from "vitest";
import { editClean } from "./clean-contract.ts";
import { blankKeyErrors } from "./half-saved.ts";

it.each([...editClean({}).keys()])(
  "lint and bundling report no JavaScript error for any key of %s without value",
  async (file) => {
    expect(await blankKeyErrors(file)).toEqual([]);
  },
  180_000,
);
