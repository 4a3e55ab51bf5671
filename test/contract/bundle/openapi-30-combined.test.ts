/** What the OpenAPI 3.0 form keeps of schemas that it combines, and what it refuses. */
import { expect, it } from "vitest";
import { UsageError } from "../../../scripts/base/index.ts";
import {
  convertDocument,
  convertProperty,
  type Node,
  nothing,
  number,
  numberOrText,
  openSet,
  referenceTo,
  requiresOne,
  text,
  typed,
} from "./openapi-30-converted.ts";

const weakMarks = { "x-provenance": "proposed", "x-sensitive": true, "x-open-questions": ["Q-a"] };
const strongMarks = { "x-provenance": "reference", "x-open-questions": ["Q-b"] };
const [weak, strong] = [
  { ...weakMarks, "x-max-bytes": 5 },
  { ...strongMarks, "x-max-bytes": 9 },
];
const marks = {
  "x-provenance": "proposed",
  "x-sensitive": true,
  "x-open-questions": expect.arrayContaining(["Q-a", "Q-b"]),
};
const both = { ...text, ...marks, "x-max-bytes": 5 };

it.each<[string, Node, Node]>([
  ["beside a reference", { ...referenceTo("Weak"), ...strong }, both],
  ["beside allOf", { allOf: [referenceTo("Weak")], ...strong }, both],
  ["beside a choice", { oneOf: [referenceTo("Weak"), nothing], ...strong }, { ...both, nullable: true }],
  ["in parts", { allOf: [{ ...text, ...strong }, weak] }, both],
  ["in parts, the other way round", { allOf: [weak, { ...text, ...strong }] }, both],
  [
    "in fields of parts",
    { allOf: [{ properties: { a: referenceTo("Weak") } }, { properties: { a: { ...text, ...strong } } }] },
    { properties: { a: both } },
  ],
  [
    "beside the references of a choice",
    {
      oneOf: [
        { ...referenceTo("Weak"), ...weakMarks },
        { ...referenceTo("Weak"), ...strongMarks },
      ],
    },
    { oneOf: [referenceTo("Weak"), referenceTo("Weak")], ...marks },
  ],
  [
    "in an alternative that is not shown",
    {
      oneOf: [
        { ...text, ...strong },
        { ...number, ...weak },
      ],
    },
    { ...text, ...marks, description: `${numberOrText} number.` },
  ],
  [
    "in an alternative with fields",
    {
      anyOf: [
        { ...typed("a", ["a"]), ...weakMarks },
        { properties: { a: text }, required: ["a"], ...strongMarks },
      ],
    },
    { properties: { a: { ...text, ...marks } } },
  ],
])("keeps the weaker provenance and all other marks: %s", (_title, schema, expected) => {
  expect(convertProperty(schema, "a", { Weak: { ...text, ...weak } })).toMatchObject(expected);
});

const fields = (kind: string) => ({ type: "object", properties: { kind: { const: kind } }, required: ["kind"] });
const choices: [problem: string, choice: Node[]][] = [
  ["is a choice between an object and another schema", [referenceTo("One"), referenceTo("Two"), nothing]],
  ["is a choice between an object and another schema", [{ properties: {} }, { properties: typed("a").properties }]],
  ["is a choice between an object and another schema", [text, { type: "object" }]],
  ["has alternatives that no type distinguishes", [text, { type: "string", pattern: "^a" }]],
  ["has alternatives that no type distinguishes", [{ type: "integer" }, number]],
  ["has alternatives that no type distinguishes", [{ pattern: "^a" }, number]],
  ["has alternatives with different fields kind", [fields("a"), fields("b")]],
  ["has minProperties in an alternative", [{ ...fields("a"), minProperties: 2 }, fields("a")]],
];

it.each<[string, Node, string?]>([
  ...["anyOf", "oneOf"].flatMap((keyword) =>
    choices.map(([problem, choice]): [string, Node] => [problem, { [keyword]: choice }]),
  ),
  ["is a choice between an object and another schema", { anyOf: [referenceTo("One"), referenceTo("Two")] }],
  ["is a choice between an object and another schema", { type: ["string", "object", "null"] }],
  [
    "has minProperties beside a reference in a choice",
    { oneOf: [{ ...referenceTo("One"), minProperties: 1 }, referenceTo("Two")] },
  ],
  [
    "has description beside a reference in a choice",
    { oneOf: [{ ...referenceTo("One"), description: "It." }, referenceTo("Two")] },
  ],
  ["has deprecated beside null", { oneOf: [text, { ...nothing, deprecated: true }] }],
  ["has deprecated in an alternative", { anyOf: [{ ...typed("a", ["a"]), deprecated: true }, typed("b", ["b"])] }],
  ["has other types than its alternatives", { type: "string", anyOf: [text, number] }],
  ["has an enum without null beside a choice with null", { enum: ["a"], anyOf: [text, nothing] }],
  ["has const and enum", { ...text, const: "a", enum: ["b"] }],
  ["has x-open-enum and is no string", { ...openSet, type: ["string", "null"] }],
  ["combines two of", { anyOf: [text], allOf: [{ minLength: 1 }] }],
  ["combines two of", { ...openSet, allOf: [{ minLength: 1 }] }],
  ["has two values of pattern", { allOf: [{ pattern: "a" }, { pattern: "b" }] }],
  ["has two values of pattern", { allOf: [{ pattern: "a" }], pattern: "b" }],
  ["has two values of x-extensible-enum", { allOf: [openSet, { ...openSet, "x-open-enum": { C: { meaning: "c" } } }] }],
  ["has additionalProperties beside", { allOf: [{ ...typed("a"), additionalProperties: false }, referenceTo("Two")] }],
  ["has additionalProperties beside", { allOf: [referenceTo("Two")], ...typed("a"), additionalProperties: number }],
  ["has additionalProperties beside", { ...typed("a"), additionalProperties: false, anyOf: [typed("b", ["b"])] }],
  [
    "has alternatives with different fields a",
    { ...typed("a"), oneOf: [{ properties: { a: { const: "x" } }, required: ["a"] }, typed("b", ["b"])] },
  ],
  ["has two values of type", { allOf: [typed("a"), { properties: { a: number } }] }, "/properties/a"],
  ["can be null only", nothing],
  ["can be null only", { type: ["null"] }],
  ["can be null only", { const: null }],
  ["has false under properties", { properties: { a: false } }],
  ["has anyOf under not", { not: { anyOf: requiresOne } }],
  ["has dependentRequired under not", { not: { dependentRequired: { a: ["b"] } } }],
  ["has if under not", { not: { properties: { a: { allOf: [referenceTo("Conditional")] } } } }],
  ...["dependentSchemas", "patternProperties", "$defs"].map((keyword): [string, Node] => [
    `has the keyword ${keyword}`,
    { type: "object", [keyword]: { a: text } },
  ]),
  ...["propertyNames", "contains", "unevaluatedItems", "unevaluatedProperties", "contentSchema"].map(
    (keyword): [string, Node] => [`has the keyword ${keyword}`, { type: "object", [keyword]: text }],
  ),
  ["has the keyword prefixItems", { type: "array", prefixItems: [text] }],
  ["has the keyword minContains", { type: "array", minContains: 2 }],
  ["has the keyword $anchor", { type: "array", $anchor: "a" }],
  ["has the keyword contentEncoding", { ...text, contentEncoding: "base64" }],
  ["has the keyword contentEncoding", { ...referenceTo("One"), contentEncoding: "base64" }],
  ["has the keyword nulable", { ...text, nulable: true }],
])("refuses a schema that %s…, with its place: %j", (problem, schema, path = "") => {
  const attempt = () =>
    convertProperty(schema, "a", { One: typed("a"), Two: typed("b"), Conditional: { if: typed("a") } });
  expect(attempt).toThrow(UsageError);
  expect(attempt).toThrow(`#/components/schemas/It/properties/field${path} ${problem}`);
});

it("keeps the marks of the errors of an open response", () => {
  const anyOf = [
    { ...referenceTo("GeneralError"), ...strongMarks },
    { ...referenceTo("P101"), ...weakMarks },
  ];
  const post = { responses: { 400: { description: "No.", content: { "application/json": { schema: { anyOf } } } } } };
  const error = typed("errorCode", ["errorCode"]);
  const schemas = { GeneralError: error, P101: error };
  const { paths } = convertDocument({ paths: { "/it": { post } }, components: { schemas } });
  expect(paths["/it"]?.post?.responses[400]).toMatchObject({
    content: { "application/json": { ...marks, schema: referenceTo("GeneralError") } },
  });
});

const other = { ...typed("transferId", ["transferId"]) };
const described = { properties: { errorCode: { type: "string" }, reason: { type: "string", maxLength: 9 } } };

it.each<[string, Node, Node]>([
  ["an inline alternative", typed("errorCode"), {}],
  ["another field", referenceTo("Other"), other],
  ["another schema of a field", referenceTo("Other"), described],
  ["another constraint", referenceTo("Other"), { ...typed("errorCode"), minProperties: 2 }],
])("does not write a choice between an error and %s as the general error", (_title, alternative, Other) => {
  const anyOf = [alternative, referenceTo("P101"), referenceTo("GeneralError")];
  const content = { "application/json": { schema: { anyOf } } };
  const error = { properties: { ...typed("errorCode").properties, reason: text } };
  const attempt = () =>
    convertDocument({
      paths: { "/it": { post: { responses: { 201: { description: "Created.", content } } } } },
      components: { schemas: { P101: error, GeneralError: error, Other } },
    });
  expect(attempt).toThrow(
    "#/paths/~1it/post/responses/201/content/application~1json/schema is a choice between an object",
  );
});
