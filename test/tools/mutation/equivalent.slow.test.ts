import { expect, it } from "vitest";
import { runtimeMutants } from "./runtime-mutants.ts";

it("finds every entry of equivalent.txt among the mutants of the code", () => {
  // Throws for an entry whose line the code no longer has.
  expect(runtimeMutants().length).toBeGreaterThan(1_000);
});
