import { expect, it } from "vitest";
import { sources } from "../support/contract.ts";
import { factsOf } from "./facts.ts";

it("has the facts of facts.txt; after a review of the difference, `npx vitest run test/contract/facts.test.ts -u` writes it anew", async () => {
  await expect(factsOf(sources)).toMatchFileSnapshot("facts.txt");
});
