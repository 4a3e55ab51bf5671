import { describe, expect, it } from "vitest";
import {
  comparedKindsOf,
  type OpenApiDocument,
  SourceLocation,
  visitObjects,
  walkSchema,
} from "../../../scripts/contract/model/index.ts";

const visitedIn = (document: unknown) => {
  const paths: string[] = [];
  visitObjects(document, (_object, path) => void paths.push(path.join("/")));
  return paths;
};

describe("visitObjects", () => {
  it.each<[string, unknown, string[]]>([
    ["inner objects first", { info: { contact: {} } }, ["info/contact", "info", ""]],
    ["items of lists", { tags: [{}, {}] }, ["tags/0", "tags/1", ""]],
    ["no values of extensions", { "x-a": { b: {} } }, [""]],
    ["no data", { example: { a: {} }, default: {}, const: {}, enum: [{}], value: {} }, [""]],
    ["examples that are a list of values", { examples: [{}] }, [""]],
    ["examples by name", { examples: { one: { value: {} } } }, ["examples/one", ""]],
    [
      "properties with the names of keywords",
      { properties: { example: {}, "x-a": {} } },
      ["properties/example", "properties/x-a", ""],
    ],
    ["a header with the name of an extension", { headers: { "x-id": {} } }, ["headers/x-id", ""]],
    ["paths, which can have extensions", { paths: { "/a": {}, "x-a": {} } }, ["paths//a", "paths", ""]],
    [
      "components, whose sections are maps",
      { components: { schemas: { value: {} } } },
      ["components/schemas/value", "components", ""],
    ],
    ["parameters as a list", { parameters: [{ schema: {} }] }, ["parameters/0/schema", "parameters/0", ""]],
    ["parameters by name", { parameters: { value: {} } }, ["parameters/value", ""]],
  ])("visits %s", (_title, document, paths) => {
    expect(visitedIn(document)).toEqual(paths);
  });
});

const locationOf = (schemas: object, name = "It") =>
  SourceLocation.ofDocument({ components: { schemas } } as unknown as OpenApiDocument).child(
    "components",
    "schemas",
    name,
  );
const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("walkSchema", () => {
  const visit = (schemas: object, options = {}) => {
    const visits: string[] = [];
    walkSchema(
      locationOf(schemas),
      ({ pointer }, { path, provenance }) =>
        void visits.push(`${pointer.slice("#/components/schemas/".length)} .${path.join(".")} ${provenance}`),
      options,
    );
    return visits;
  };

  it.each<[string, object, object, string[]]>([
    [
      "properties and items, with their path",
      { It: { properties: { a: { items: {} } } } },
      {},
      ["It . specification", "It/properties/a .a specification", "It/properties/a/items .a specification"],
    ],
    [
      "the weakest mark of the enclosing schemas",
      { It: { "x-provenance": "observed", allOf: [{ "x-provenance": "reference" }] } },
      {},
      ["It . observed", "It/allOf/0 . observed"],
    ],
    [
      "the targets of references",
      { It: referenceTo("Other"), Other: {} },
      {},
      ["It . specification", "Other . specification"],
    ],
    [
      "no targets if it must not",
      { It: referenceTo("Other"), Other: {} },
      { followsReferences: false },
      ["It . specification"],
    ],
    [
      "no conditions if it must not",
      { It: { if: {}, not: {}, else: {} } },
      { includesConditions: false },
      ["It . specification", "It/else . specification"],
    ],
    [
      "a recursive schema once",
      { It: { properties: { a: referenceTo("It") } } },
      {},
      ["It . specification", "It/properties/a .a specification"],
    ],
    ["no boolean schemas", { It: { additionalProperties: false, items: true } }, {}, ["It . specification"]],
  ])("visits %s", (_title, schemas, options, visits) => {
    expect(visit(schemas, options)).toEqual(visits);
  });

  it("skips what is in a schema for which the visitor returns false", () => {
    const pointers: string[] = [];
    walkSchema(locationOf({ It: { properties: { a: { items: {} } } } }), ({ key }) => {
      pointers.push(key);
      return key === "a" ? false : undefined;
    });
    expect(pointers).toEqual(["It", "a"]);
  });
});

describe("comparedKindsOf", () => {
  it.each<[string, object, string[]]>([
    ["the mark of a component", { It: referenceTo("Iban"), Iban: { "x-compared-as": "iban" } }, ["iban"]],
    ["a number", { It: { type: ["number", "null"] } }, ["amount"]],
    [
      "a branch",
      { It: { oneOf: [referenceTo("Code"), { type: "null" }] }, Code: { "x-compared-as": "currency" } },
      ["currency"],
    ],
    ["two kinds", { It: { anyOf: [{ "x-compared-as": "iban" }, { type: "number" }] } }, ["iban", "amount"]],
    ["a text", { It: { type: "string" } }, []],
    ["the fields of an object, which are other values", { It: { properties: { a: { type: "number" } } } }, []],
    ["a condition, which says nothing about the value", { It: { not: { type: "number" } } }, []],
  ])("recognises %s", (_title, schemas, kinds) => {
    expect(comparedKindsOf([locationOf(schemas)])).toEqual(kinds);
  });
});
