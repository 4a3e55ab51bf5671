import { expect, it } from "vitest";
import { findSensitiveNames, type OpenApiDocument, SourceLocation } from "../../scripts/contract/model/index.ts";

function namesOf(schemas: Record<string, unknown>): unknown {
  const document = { components: { schemas } } as unknown as OpenApiDocument;
  return findSensitiveNames(SourceLocation.ofDocument(document));
}

const markedSchema = { type: "string", "x-sensitive": true };
const reference = { $ref: "#/components/schemas/Marked" };

it.each([
  ["the property", markedSchema],
  ["the schema that it refers to", reference],
  ["a part of it", { allOf: [{ type: "string" }, markedSchema] }],
  ["an alternative", { oneOf: [{ type: "null" }, reference] }],
  ["another alternative", { anyOf: [{ type: "null" }, { allOf: [reference] }] }],
  ["its items", { type: "array", items: { type: "array", items: reference } }],
  ["its first items", { type: "array", prefixItems: [markedSchema] }],
  ["a conditional part", { if: { type: "string" }, else: markedSchema }],
  ["its additional properties", { type: "object", additionalProperties: markedSchema }],
])("finds x-sensitive on %s", (_name, property) => {
  const schemas = { Marked: markedSchema, User: { properties: { email: property, status: { type: "string" } } } };
  expect(namesOf(schemas)).toEqual(["email"]);
});

it("terminates for a schema that refers to itself", () => {
  const tree = { type: "array", items: { $ref: "#/components/schemas/Tree" } };
  expect(namesOf({ Tree: tree, User: { properties: { tree: { $ref: "#/components/schemas/Tree" } } } })).toEqual([]);
});
