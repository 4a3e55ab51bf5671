// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { describe, expect, test } from "vitest";
import { SourceLocation } from "../../scripts/contract/model/index.ts";
import { type Shape, shapeOf } from "../../scripts/site/components/field-data.ts";
import { smallDocument } from "./small-document.ts";

function shapeOfSchema(schema: object): Shape {
  const document = smallDocument();
  Object.assign(document.components?.schemas as object, { It: schema });
  const location = SourceLocation.ofDocument(document).child("components", "schemas", "It");
  return shapeOf(location, "request", "reference");
}

const textSchema = { type: "string" };
const nullSchema = { type: "null" };

test.each<[object, type: string]>([
  [textSchema, "string"],
  [{}, "any value"],
  [{ type: "integer", format: "int32" }, "integer"],
  [{ ...textSchema, format: "uuid" }, "string (UUID)"],
  [{ ...textSchema, format: "iban" }, "string (iban)"],
  [{ ...textSchema, format: "binary" }, "file"],
  [{ type: ["string", "null"] }, "string or null"],
  [{ anyOf: [textSchema, nullSchema] }, "string or null"],
  [{ oneOf: [textSchema, nullSchema] }, "string or null"],
  [{ oneOf: [textSchema, { type: "integer" }, nullSchema] }, "string, integer or null"],
  [{ allOf: [{ title: "A" }, textSchema] }, "string"],
  [{ type: "array", items: textSchema }, "array of strings"],
  [{ type: "array", items: { ...textSchema, format: "date" } }, "array of strings (date)"],
  [{ type: "array", items: { type: "array", items: textSchema } }, "array of arrays of strings"],
  [{ type: ["array", "string"], items: { type: "integer" } }, "array of integers or string"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "object of integers by key"],
  [{ type: ["object", "array"], items: textSchema }, "object or array of strings"],
  [{ type: "object", properties: { a: textSchema } }, "object"],
])("%j is said to be: %s", (schema, type) => {
  expect(shapeOfSchema(schema).type).toBe(type);
});

test.each<[object, facts: string[]]>([
  [{ title: "A", description: "B", "x-other": 1, ...textSchema }, []],
  [{ minLength: 1 }, ["not empty"]],
  [{ minLength: 2 }, ["at least 2 characters"]],
  [{ maxLength: 1 }, ["at most 1 character"]],
  [{ minLength: 2, maxLength: 3 }, ["2 to 3 characters"]],
  [{ minItems: 2, maxItems: 2 }, ["exactly 2 items"]],
  [{ uniqueItems: true }, ["no item twice"]],
  [{ uniqueItems: false }, []],
  [{ type: "object", additionalProperties: false }, ["no other fields"]],
  [{ type: "object", additionalProperties: true }, []],
  [{ minimum: 0, exclusiveMaximum: 5 }, ["at least `0`", "less than `5`"]],
  [{ pattern: "^`" }, ["matches `` ^` ``"]],
  [{ enum: ["a", 1] }, ["one of `a`, `1`"]],
  [{ const: "a" }, ["always `a`"]],
  [{ not: { const: "a" } }, ['not `{"const":"a"}`']],
  [{ contentEncoding: "base64" }, ["contentEncoding `base64`"]],
  [{ "x-max-bytes": 2 ** 20 }, ["at most 1 MiB (1048576 bytes)"]],
  [{ "x-max-bytes": 1000 }, ["at most 1000 bytes"]],
  [{ type: "array", items: { type: "array", items: { minLength: 1 } } }, ["each not empty"]],
  [{ oneOf: [textSchema, { type: "integer", minimum: 1 }] }, ["as integer: at least `1`"]],
  [{ allOf: [{ minLength: 1 }, { minLength: 1 }] }, ["not empty"]],
])("%j has the constraints %j", (schema, facts) => {
  expect(shapeOfSchema(schema).facts).toEqual(facts);
});

const conditionSchema = { properties: { colour: { const: "red" } } };

test.each<[object, rules: string[]]>([
  [{ oneOf: [{ required: ["a"] }, { required: ["b", "c"] }] }, ["Exactly one of `a` or `b` and `c` is required."]],
  [
    { anyOf: [{ required: ["a"], "x-other": 1, title: "A" }, { required: ["b"] }] },
    ["At least one of `a` or `b` is required."],
  ],
  [{ anyOf: [{ required: ["a"] }] }, []],
  [{ anyOf: [{ required: ["a"] }, { minProperties: 1, required: ["b"] }] }, []],
  [{ anyOf: [{ required: ["a"] }, { properties: { b: textSchema } }] }, []],
  [{ if: conditionSchema, then: { required: ["a"] } }, ["When `colour` is `red`: `a` is required."]],
  [{ if: conditionSchema, else: { required: ["a", "b"] } }, ["Otherwise: `a` and `b` are required."]],
  [{ then: { required: ["a"] }, else: { required: ["a"] } }, []],
  [
    { if: conditionSchema, then: { properties: { a: { minLength: 1 }, b: textSchema } } },
    ["When `colour` is `red`: `a`: not empty."],
  ],
  [
    {
      if: {
        required: ["a", "colour"],
        properties: { colour: { enum: ["red", 1] }, b: { minLength: 1 }, c: textSchema },
      },
      then: { required: ["d"] },
    },
    ["When `colour` is `red` or `1` and `b` is not empty and `c` is given and `a` is given: `d` is required."],
  ],
  [
    { if: conditionSchema, then: { if: { required: ["a"] }, then: { required: ["b"] } } },
    ["When `colour` is `red`: When `a` is given: `b` is required."],
  ],
])("%j has the rules %j", (schema, rules) => {
  expect(shapeOfSchema(schema).rules).toEqual(rules);
});

describe("a schema", () => {
  test("has the fields of all of its parts, each described by the nearest text", () => {
    const firstPart = {
      required: ["a"],
      properties: {
        a: { $ref: "#/components/schemas/PotId" },
        b: { description: "Own.", $ref: "#/components/schemas/PotId" },
      },
    };
    const { fields } = shapeOfSchema({
      allOf: [firstPart, { properties: { "a b": textSchema, a: { maxLength: 9 } }, required: ["a b"] }],
      "x-other": 1,
    });
    expect(
      fields.map(({ name, id, isRequired, description, isSensitive }) => [
        name,
        id,
        isRequired,
        description,
        isSensitive,
      ]),
    ).toEqual([
      ["a", "request-a", true, "Names a pot.", true],
      ["b", "request-b", false, "Own.", true],
      ["a b", "request-a-b", true, "", false],
    ]);
    expect(fields[0]?.facts).toEqual(["at most 9 characters"]);
    // A field that only a condition names is not a field of every body.
    expect(
      shapeOfSchema({ if: { properties: { a: textSchema } }, then: { properties: { b: textSchema } } }).fields,
    ).toEqual([]);
  });

  test("has the text and the fields of its items, and alternatives by name", () => {
    const item = { description: "One pot.", type: "object", properties: { id: textSchema } };
    expect(shapeOfSchema({ type: "array", items: item })).toMatchObject({
      innerDescription: "One pot.",
      fields: [{ id: "request-id" }],
    });
    expect(shapeOfSchema({ type: "array", items: { ...textSchema, description: "A word." } }).innerDescription).toBe(
      "",
    );
    const { choices } = shapeOfSchema({
      oneOf: [{ title: "Round", properties: { r: textSchema } }, { properties: { edge: textSchema } }, nullSchema],
    });
    expect(choices.map(({ title, shape: own }) => [title, own.fields[0]?.id])).toEqual([
      ["Round", "request-1-r"],
      ["Form 2", "request-2-edge"],
    ]);
  });

  test("has the known values of itself or its items, with the weaker of two marks", () => {
    const values = { A: { meaning: "First" }, B: { meaning: "Second", provenance: "proposed" } };
    const openSet = { ...textSchema, "x-open-enum": values, "x-provenance": "observed" };
    const expectedValues = [
      { value: "A", meaning: "First", provenance: "observed" },
      { value: "B", meaning: "Second", provenance: "proposed" },
    ];
    expect(shapeOfSchema(openSet)).toMatchObject({
      values: expectedValues,
      valuesSchemaName: "It",
      provenance: "observed",
    });
    expect(shapeOfSchema({ type: "array", items: openSet }).values).toEqual(expectedValues);
    expect(shapeOfSchema({ type: "array", items: { $ref: "#/components/schemas/PotStatus" } }).valuesSchemaName).toBe(
      "PotStatus",
    );
    expect(shapeOfSchema(textSchema)).toMatchObject({
      values: [],
      valuesSchemaName: undefined,
      provenance: "reference",
    });
  });
});
