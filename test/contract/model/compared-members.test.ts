import { expect, it } from "vitest";
import { kindsBySchema } from "../../../scripts/contract/model/index.ts";
import { documentOf } from "../../support/contract.ts";

it("the schemas by whose names currencies, amounts, accounts and users of payments are known are in the contract", async () => {
  const { components } = await documentOf("test");
  expect(Object.keys(components?.schemas ?? {})).toEqual(expect.arrayContaining(Object.keys(kindsBySchema)));
});
