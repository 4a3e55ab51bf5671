import { expect, it } from "vitest";
import { found } from "../../scripts/base/index.ts";
import type { OpenApiDocument } from "../../scripts/contract/model/index.ts";
import { clientOf, schemasIn } from "../support/client-of.ts";

const orderMembersIn = (document: OpenApiDocument) =>
  (schemasIn(document).OrderRequest as { properties: object }).properties;

it.each(["RequestAmount", "RequestDecimalString", "Message"])("finds out what %s is by no name", async (name) => {
  const rename = (text: string, from: string, to: string) =>
    text.replaceAll(new RegExp(`(?<!Q-)\\b${from}\\b(?!Data)`, "g"), to);
  const renamed = await clientOf((document) =>
    Object.assign(document, JSON.parse(rename(JSON.stringify(document), name, "Renamed"))),
  );
  const { "operation-table.ts": table, "types.ts": types } = await clientOf();
  expect(rename(found(renamed["operation-table.ts"], "table"), "Renamed", name)).toBe(table);
  expect(rename(found(renamed["types.ts"], "types"), "Renamed", name)).toBe(types);
});

it("types and checks a member as an amount if its schema is compared as one", async () => {
  const { "operation-table.ts": table, "types.ts": types } = await clientOf((document) => {
    const Fee = { type: ["string", "number"], "x-compared-as": "amount" };
    Object.assign(schemasIn(document), { Fee, Tip: { $ref: "#/components/schemas/Fee" } });
    Object.assign(orderMembersIn(document), {
      fee: { $ref: "#/components/schemas/Fee" },
      tip: { $ref: "#/components/schemas/Tip" },
    });
  });
  expect(table).toMatch(/const createOrder: .* amounts: \["fee", "tip"\]/);
  expect(types).toMatch(/fee\?: \(?DecimalInput \| number\)? \| undefined;\s+tip\?: Tip \| undefined;/);
  expect(types).toMatch(/type Tip = \(?DecimalInput \| number\)?;/);
});

it.each([
  [
    { anyOf: [{ $ref: "#/components/schemas/RequestAmount" }, { type: "null" }] },
    "OrderRequest/properties/fee: An amount in a request cannot be null. Leave null out.",
  ],
  [
    { type: ["string", "boolean"], "x-compared-as": "amount" },
    "OrderRequest/properties/fee: The client writes an amount as a string or a number.",
  ],
  [
    { type: "string", "x-compared-as": "amount" },
    "OrderRequest/properties/fee: The client needs a name for the schema of an amount in a request.",
  ],
  [
    { $ref: "#/components/schemas/DecimalString" },
    "schemas/DecimalString: The client has one type for DecimalString in requests and in what it receives.",
  ],
])("refuses the amount %j in a request", async (fee, message) => {
  await expect(clientOf((document) => Object.assign(orderMembersIn(document), { fee }))).rejects.toThrow(message);
});

it("refuses an error with any P-code that has another name than GeneralError", async () => {
  const change = (document: OpenApiDocument) => {
    Object.assign(schemasIn(document), { AnyError: schemasIn(document).GeneralError });
    const schema = {
      anyOf: ["ErrorWithoutCode", "AnyError"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    };
    const response = { content: { "application/json": { schema } } };
    Object.assign(document.paths["/v1/order"]?.post?.responses ?? {}, { 418: response });
  };
  await expect(clientOf(change)).rejects.toThrow(
    "/responses/418/content/application~1json/schema/anyOf/1: The client knows the schema of errors with any P-code by the name GeneralError.",
  );
});
