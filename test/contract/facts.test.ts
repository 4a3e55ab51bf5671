import { expect, it } from "vitest";
import { sources } from "../support/contract.ts";
import { factsOf } from "./facts.ts";

it("the contract has the facts of facts.txt; after reviewing a difference, update it with `npx vitest run test/contract/facts.test.ts -u`", async () => {
  await expect(factsOf(sources)).toMatchFileSnapshot("facts.txt");
});
