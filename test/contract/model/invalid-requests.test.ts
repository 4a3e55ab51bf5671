import { expect, it } from "vitest";
import {
  type DocumentedResponse,
  invalidBodyResponses,
  invalidParameterResponse,
  type OpenApiDocument,
  type OperationRules,
  readInvalidRequests,
  SourceLocation,
} from "../../../scripts/contract/model/index.ts";

const locationOf = (value: unknown) => SourceLocation.ofDocument(value as OpenApiDocument);

/** @param responses the P-codes by the key of the response. */
function rulesOf(responses: Record<string, string[]>, exceptions: OperationRules["exceptions"] = {}): OperationRules {
  return {
    responses: Object.entries(responses).map(([key, codes]) => ({ key, codes }) as DocumentedResponse),
    requirements: [{ condition: "exists", expressions: ["$request.path.id"], code: "P404", location: locationOf({}) }],
    defaults: { code: "P403", operations: {} },
    exceptions,
  };
}

const pattern = { type: "string", pattern: "^a" };
const allCodes = { 400: ["P403"], 404: ["P404"] };

it.each<
  [title: string, parameter: [string, string, boolean, object], rules: OperationRules, response: string | undefined]
>([
  ["a path value that is refused like an unknown id", ["id", "path", true, pattern], rulesOf(allCodes), "P404"],
  [
    "a path value without condition, by 404",
    ["name", "path", true, pattern],
    rulesOf({ 400: ["P403"], 404: [] }),
    "404",
  ],
  ["a path value without condition and 404", ["name", "path", true, pattern], rulesOf({ 400: ["P403"] }), "P403"],
  ["a query value, by the default code", ["id", "query", false, pattern], rulesOf(allCodes), "P403"],
  ["a query value, by 400 without codes", ["id", "query", false, pattern], rulesOf({ 400: [] }), "400"],
  ["a query value, by 404 if there is nothing else", ["id", "query", false, pattern], rulesOf({ 404: [] }), "404"],
  ["an exception", ["id", "path", true, pattern], rulesOf(allCodes, { parameters: { id: "P445" } }), "P445"],
  ["a 400 with other codes", ["id", "query", false, pattern], rulesOf({ 400: ["P101"] }), undefined],
  ["any text in a path", ["id", "path", true, { type: "string" }], rulesOf(allCodes), undefined],
  ["any optional text", ["id", "query", false, { type: "string", minLength: 1 }], rulesOf(allCodes), undefined],
  ["a required text", ["id", "query", true, { type: "string" }], rulesOf(allCodes), "P403"],
  ["a number", ["id", "query", false, { type: "integer" }], rulesOf(allCodes), "P403"],
  ["a text of two characters", ["id", "query", false, { minLength: 2 }], rulesOf(allCodes), "P403"],
])("the response to an invalid parameter: %s", (_title, [name, place, required, schema], rules, response) => {
  expect(invalidParameterResponse({ name, in: place, required, schema: locationOf(schema) }, rules)).toBe(response);
});

it.each<[string, OperationRules, unknown]>([
  ["the default code", rulesOf(allCodes), "P403"],
  ["400 without codes", rulesOf({ 400: [] }), "400"],
  ["nothing that is documented", rulesOf({ 409: [] }), undefined],
  [
    "exceptions and the default",
    rulesOf(allCodes, { body: { missing: "P473" } }),
    { otherwise: "P403", missing: "P473" },
  ],
  ["exceptions only", rulesOf({}, { body: { missing: "P473" } }), { missing: "P473" }],
])("the response to an invalid body: %s", (_title, rules, responses) => {
  expect(invalidBodyResponses(rules)).toEqual(responses);
});

it.each<[unknown, object]>([
  [undefined, { code: "", operations: {} }],
  [
    { code: null, operations: null },
    { code: "", operations: {} },
  ],
  [
    { code: "P403", operations: { a: null } },
    { code: "P403", operations: { a: {} } },
  ],
  [
    { operations: { a: { body: null, parameters: { b: "P1", c: 2 } } } },
    { code: "", operations: { a: { body: {}, parameters: { b: "P1" } } } },
  ],
])("reads the section %j", (section, requests) => {
  expect(readInvalidRequests(locationOf(section))).toEqual(requests);
});
