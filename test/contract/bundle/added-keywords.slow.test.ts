/** If the OpenAPI 3.0 form lost a keyword, its readers would accept other values. So each keyword is added to each kind of schema. */
import { parseYaml } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../scripts/base/index.ts";
import { bundleContract, publish } from "../../../scripts/contract/bundle/index.ts";
import {
  isAnnotation,
  keysOf,
  type OpenApiDocument,
  pointerOf,
  SourceLocation,
  valueAt,
  walkSchema,
} from "../../../scripts/contract/model/index.ts";
import { readPublication } from "../../../scripts/contract/sources/index.ts";
import { type Edits, editClean, sourcesOf } from "../../lint/clean-contract.ts";
import { withValue } from "../../lint/half-saved.ts";
import {
  convertDocument,
  type Node,
  nothing,
  number,
  openSet,
  referenceTo,
  text,
  typed,
} from "./openapi-30-converted.ts";

const error = (errorCode: Node) => ({
  type: "object",
  required: ["errorCode", "errorMessage"],
  properties: { errorCode, errorMessage: referenceTo("Text") },
});
const kind = (name: string) => ({ type: "object", properties: { kind: { ...text, const: name } }, required: ["kind"] });
const object = (name: string, required?: string[]) => ({ type: "object", ...typed(name, required) });

const schemas: Record<string, Node> = {
  Text: { ...text, description: "A text." },
  OpenSet: openSet,
  Closed: { ...text, enum: ["A", "B"] },
  Constant: { ...text, const: "c" },
  Nullable: { oneOf: [referenceTo("Closed"), nothing] },
  NullableNumber: { anyOf: [{ ...number, minimum: 1 }, nothing] },
  Union: { type: ["string", "number", "null"], pattern: "^a" },
  Choice: { anyOf: [{ ...text, pattern: "^a" }, number] },
  Cat: kind("cat"),
  Dog: kind("dog"),
  Pet: { oneOf: [referenceTo("Cat"), referenceTo("Dog")], discriminator: { propertyName: "kind" } },
  Single: { oneOf: [referenceTo("Cat")] },
  Combined: { allOf: [referenceTo("Cat"), object("name")], description: "Both." },
  Described: { type: "object", properties: { cat: { ...referenceTo("Cat"), description: "It." } } },
  Longer: { type: "object", properties: { text: { ...referenceTo("Text"), minLength: 2 } } },
  OneOfTwo: { type: "object", properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
  EitherField: { type: "object", oneOf: [object("a", ["a"]), object("b", ["b"])] },
  List: { type: "array", items: { ...object("x"), additionalProperties: number } },
  Excluded: { ...text, not: { ...text, enum: ["x"] } },
  GeneralError: error(text),
  P101: error({ ...text, const: "P101" }),
  P102: error({ ...text, const: "P102" }),
};

const contentOf = (schema: Node) => ({ content: { "application/json": { schema } } });
const errors = { P101: referenceTo("P101"), P102: referenceTo("P102"), any: referenceTo("GeneralError") };
const used = Object.keys(schemas).filter((name) => !/Error|P\d/.test(name));
const document = {
  openapi: "3.1.1",
  info: { title: "T", version: "1" },
  paths: {
    "/it": {
      post: {
        parameters: [{ name: "q", in: "query", schema: { ...text, maxLength: 3 } }],
        requestBody: contentOf({ oneOf: [referenceTo("Cat"), nothing] }),
        responses: {
          200: contentOf({
            type: "object",
            properties: Object.fromEntries(used.map((name) => [name, referenceTo(name)])),
          }),
          400: contentOf({ anyOf: [errors.P101, errors.any] }),
          401: contentOf({ oneOf: [errors.P101, errors.P102], discriminator: { propertyName: "errorCode" } }),
        },
      },
    },
  },
  components: { schemas },
} as unknown as OpenApiDocument;

const added: Node = {
  ...{ enum: ["zz"], const: "zz", format: "zz", title: "Zz", description: "Zz.", default: "zz", deprecated: true },
  ...{
    readOnly: true,
    externalDocs: { url: "https://zz.example" },
    required: ["zz"],
    minProperties: 77,
    maxProperties: 78,
  },
  ...{ minItems: 77, uniqueItems: true, pattern: "zz", minLength: 77, maxLength: 1, minimum: 77, multipleOf: 77 },
  ...{ exclusiveMinimum: 77, exclusiveMaximum: 78, properties: { zz: text }, additionalProperties: false },
  ...{
    items: { ...text, pattern: "zz" },
    not: { enum: ["zz"] },
    allOf: [{ pattern: "zz" }],
    $ref: "#/components/schemas/Constant",
  },
  ...{ oneOf: [{ ...text, pattern: "zz" }, number], anyOf: [{ ...text, pattern: "zz" }, number], prefixItems: [{}] },
  ...{
    patternProperties: { zz: {} },
    propertyNames: { pattern: "zz" },
    contains: { const: "zz" },
    dependentSchemas: { zz: {} },
  },
  ...{ unevaluatedProperties: false, contentEncoding: "base64", "x-provenance": "proposed", "x-sensitive": true },
  ...{ "x-open-questions": ["Q-zz"], "x-max-bytes": 7, "x-open-enum": { Zz: { meaning: "z" } } },
};

/** Whether the notice of the form states the loss, or the keyword is a text of a part that the form replaces. */
const isStatedLoss = (pointer: string, keyword: string): boolean => {
  if (pointer.endsWith("/Choice/anyOf/1")) return true;
  if (pointer.endsWith("/Single")) return keyword === "discriminator";
  const parts = [
    "Combined/allOf",
    "OneOfTwo/anyOf",
    "EitherField/oneOf",
    "Nullable/oneOf",
    "NullableNumber/anyOf",
    "schema/oneOf",
  ];
  const part = parts.find((path) => new RegExp(`/${path}/\\d$`).test(pointer));
  if (part === "OneOfTwo/anyOf" && isAnnotation(keyword)) return true;
  return part !== undefined && ["title", "description"].includes(keyword);
};

const pointers = (() => {
  const found: string[] = [];
  const root = SourceLocation.ofDocument(document);
  const { post } = document.paths["/it"] as { post: { responses: object } };
  const schemaIn = (...keys: (string | number)[]) =>
    root.child("paths", "/it", "post", ...keys, "content", "application/json", "schema");
  const roots = [
    ...root
      .child("components", "schemas")
      .children()
      .map(([, schema]) => schema),
    root.child("paths", "/it", "post", "parameters", 0, "schema"),
    schemaIn("requestBody"),
    ...Object.keys(post.responses).map((status) => schemaIn("responses", status)),
  ];
  for (const schema of roots)
    walkSchema(schema, ({ pointer }) => void found.push(pointer), { followsReferences: false });
  return found;
})();

/** @returns undefined if the schema has the keyword already, or would have an anyOf beside x-open-enum, which bundling refuses. */
function withKeyword(pointer: string, keyword: string): OpenApiDocument | undefined {
  const copy = structuredClone(document);
  const schema = valueAt(copy, pointer) as Node;
  if (Object.hasOwn(schema, keyword)) return undefined;
  schema[keyword] = structuredClone(added[keyword]);
  return Object.hasOwn(schema, "anyOf") && Object.hasOwn(schema, "x-open-enum") ? undefined : copy;
}

/** @returns undefined if the contract is refused. */
function convertOrRefuse(source: OpenApiDocument): OpenApiDocument | undefined {
  try {
    return convertDocument(source);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

it("each keyword that is added to a schema changes the OpenAPI 3.0 form or is refused", () => {
  const unchanged = JSON.stringify(convertDocument(document));
  const counts = { changed: 0, refused: 0 };
  const lost: string[] = [];
  for (const pointer of pointers) {
    for (const keyword of Object.keys(added)) {
      const source = isStatedLoss(pointer, keyword) ? undefined : withKeyword(pointer, keyword);
      if (source === undefined) continue;
      const form = convertOrRefuse(source);
      if (form === undefined) counts.refused += 1;
      else if (JSON.stringify(form) === unchanged) lost.push(`${pointer} ${keyword}`);
      else counts.changed += 1;
    }
  }
  expect(lost).toEqual([]);
  expect(Math.min(counts.changed, counts.refused)).toBeGreaterThan(900);
});

const values = [
  ...["A", "a", "zz", "azz", "c", "P101", 0, 1, 1.5, 77, 154, true, null, [], ["zz"], [{ x: "a" }], [{ y: 2 }], {}],
  ...[
    { a: "x" },
    { a: "x", b: "y" },
    { kind: "cat" },
    { kind: "dog" },
    { kind: "cat", name: "n" },
    { zz: "q" },
    { zz: 1 },
  ],
  ...[{ cat: { kind: "cat" } }, { cat: { kind: "dog" } }, { text: "a" }, { text: "aa" }, { errorMessage: "m" }],
  ...[
    { errorCode: "P101", errorMessage: "m" },
    { errorCode: "P999", errorMessage: "m", zz: "z" },
  ],
];

/** Converts flags of OpenAPI 3.0 to JSON Schema draft 7. */
function withoutFlags(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map(withoutFlags);
  const { nullable, exclusiveMinimum, exclusiveMaximum, discriminator, ...schema } = node as Node;
  if (nullable === true) schema.type = [schema.type, "null"];
  if (exclusiveMinimum === true) [schema.exclusiveMinimum, schema.minimum] = [schema.minimum, undefined];
  if (exclusiveMaximum === true) [schema.exclusiveMaximum, schema.maximum] = [schema.maximum, undefined];
  const kept = Object.entries(schema).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept.map(([key, value]) => [key, key === "enum" ? value : withoutFlags(value)]));
}

/** The form of these schemas accepts other values, as its notice says. */
const simplifiedNames = ["Union", "Choice", "OneOfTwo", "EitherField"];

describe("whatever keyword is added to a schema", () => {
  it("the OpenAPI 3.0 form accepts the same values", () => {
    const options = { strict: false, validateFormats: false, logger: false } as const;
    const edits = fc.record({ pointer: fc.constantFrom(...pointers), keyword: fc.constantFrom(...Object.keys(added)) });
    fc.assert(
      fc.property(edits, ({ pointer, keyword }) => {
        const source = isStatedLoss(pointer, keyword) ? undefined : withKeyword(pointer, keyword);
        const form = source && convertOrRefuse(source);
        if (source === undefined || form === undefined) return;
        const [ownAjv, formAjv] = [new Ajv2020(options), new Ajv(options)];
        ownAjv.addSchema({ $id: "contract", components: source.components });
        formAjv.addSchema({ $id: "contract", components: withoutFlags(form.components) });
        for (const name of Object.keys(schemas).filter((name) => !simplifiedNames.includes(name))) {
          if (form.components?.schemas?.[name] === undefined) continue;
          const acceptedBy = (ajv: Ajv) =>
            values.filter((value) => ajv.validate(`contract#/components/schemas/${name}`, value));
          expect([name, acceptedBy(formAjv)]).toEqual([name, acceptedBy(ownAjv)]);
        }
      }),
      { numRuns: 150 },
    );
  });
});

/** Schemas of the small contract, with their files. */
const sourceSchemas = [...editClean({})].flatMap(([file, text]) => {
  const root = new SourceLocation(parseYaml(text), { pointer: "#/", resolve: () => undefined });
  const schemas = file === "errors.yaml" ? root.children().map(([, schema]) => schema) : [root];
  if (file !== "errors.yaml" && !file.startsWith("schemas/")) return [];
  const places: { file: string; text: string; keys: string[] }[] = [];
  for (const schema of schemas)
    walkSchema(schema, ({ pointer }) => void places.push({ file, text, keys: keysOf(pointer) }), {
      followsReferences: false,
    });
  return places;
});

it("whatever standard keyword is added to a schema, the published document has it, or it is refused with its line", async () => {
  const publishedText = async (edits: Edits): Promise<string> => {
    const contract = sourcesOf(editClean(edits));
    return JSON.stringify(publish((await bundleContract("test", contract)).document, readPublication(contract)));
  };
  const unchanged = await publishedText({});
  const keywords = Object.keys(added).filter((keyword) => !keyword.startsWith("x-"));
  const edits = fc.record({ place: fc.constantFrom(...sourceSchemas), keyword: fc.constantFrom(...keywords) });
  await fc.assert(
    fc.asyncProperty(edits, async ({ place: { file, text, keys }, keyword }) => {
      if (valueAt(parseYaml(text), pointerOf([...keys, keyword])) !== undefined) return;
      const changed = publishedText({ [file]: withValue(text, [...keys, keyword], added[keyword]) });
      const outcome = await changed.catch((error) => error);
      if (outcome instanceof UsageError) expect(outcome.message).toMatch(/\.yaml:\d+:\d+/);
      else expect([file, keys, keyword, outcome]).not.toEqual([file, keys, keyword, unchanged]);
    }),
    { numRuns: 150 },
  );
});
