import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { editions } from "../../../scripts/base/index.ts";
import { publish } from "../../../scripts/contract/bundle/index.ts";
import { type JsonSchema, methods, type OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import { readPublication } from "../../../scripts/contract/sources/index.ts";
import { bundles, documentOf, sources } from "../../support/contract.ts";

type Node = Record<string, unknown>;

function objectsOf(node: unknown, path: string[] = []): [path: string[], object: Node][] {
  if (typeof node !== "object" || node === null) return [];
  const innerObjects = Object.entries(node).flatMap(([key, value]) =>
    ["example", "examples", "value", "x-open-enum"].includes(key) ? [] : objectsOf(value, [...path, key]),
  );
  return Array.isArray(node) ? innerObjects : [[path, node as Node], ...innerObjects];
}

describe.each(editions)("in the published edition %s", async (edition) => {
  const { json } = (await bundles())[edition];
  const document = JSON.parse(json) as OpenApiDocument;
  const objects = objectsOf(document);

  it("the known values of each open set are in an enum, and any other string is valid", () => {
    const sets = objects.filter(([, object]) => object["x-open-enum"] !== undefined);
    const values = sets.map(([, object]) => Object.keys(object["x-open-enum"] as object));
    expect(sets.map(([, { anyOf }]) => (anyOf as Node[])[0]?.enum)).toEqual(values);
    const ajv = new Ajv2020({ strict: false });
    const validities = sets.map(([, { "x-open-enum": _, ...schema }]) => {
      const validate = ajv.compile(schema);
      return [validate("ANOTHER_VALUE"), validate(1)];
    });
    expect(validities).toEqual(sets.map(() => [true, false]));
    expect(values.flat().length).toBeGreaterThan(100);
  });

  it("a schema with properties, or with only alternatives that have properties, has the type object", () => {
    const untypedObjects = objects.filter(([path, object]) => {
      return path.at(-1) !== "properties" && object.properties !== undefined && object.type === undefined;
    });
    expect(untypedObjects.map(([path]) => path.join("/"))).toEqual([]);
    const [transfer, limits] = ["TransferRequest", "CardLimitsRequest"].map(
      (name) => document.components?.schemas?.[name],
    );
    expect(transfer).toMatchObject({ type: "object", allOf: [{ type: "object" }] });
    expect(limits).toMatchObject({ type: "object" });
  });

  it("the summary of exactly the operations on another server has its address", () => {
    const operations = Object.values(document.paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
    const namedOperations = operations.filter(({ summary }) => summary?.includes("_url"));
    expect(namedOperations.map(({ summary }) => summary)).toEqual([
      "Get Crypto Deposit Details (at {deposit_base_url})",
    ]);
    expect(operations.filter(({ servers }) => servers !== undefined)).toEqual(namedOperations);
  });

  it("every question id has its text", () => {
    const { "x-questions": texts = {}, ...rest } = document;
    const ids = new Set(JSON.stringify(rest).match(/\bQ-[a-z0-9-]+/g));
    expect(Object.keys(texts).sort()).toEqual([...ids].sort());
    for (const { question, assumption } of Object.values(texts)) expect(`${question}${assumption}`).toMatch(/\?.*\w/s);
  });

  it("each webhook has a unique operationId", () => {
    const items = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})] as Node[];
    const ids = items.flatMap((item) =>
      Object.values(item).flatMap((operation) => (operation as Node).operationId ?? []),
    );
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(document.webhooks ?? {})));
  });
});

it.each([
  ["of all alternatives", { oneOf: [{ properties: {} }, { required: ["a"] }] }, "object"],
  ["of no other alternatives", { anyOf: [{ type: "string" }, { type: "integer" }] }, undefined],
  ["of no list of types", { anyOf: [{ type: ["string", "null"] }, { type: ["string", "null"] }] }, undefined],
  ["of a component", { allOf: [{ $ref: "#/components/schemas/Name" }] }, "string"],
  ["of no component that contains itself", { allOf: [{ $ref: "#/components/schemas/Loop" }] }, undefined],
  ["of no reference", { $ref: "#/components/schemas/Name" }, undefined],
  ["of no constant", { const: "a" }, undefined],
])("a schema without a type gets the one %s", (_name, schema, type) => {
  const loop = { allOf: [{ $ref: "#/components/schemas/Loop" }] };
  const parameter = () => ({ name: "it", in: "query", schema: structuredClone(schema) });
  const document = {
    paths: { "/it": { get: { parameters: [parameter()], responses: {} } } },
    components: { parameters: { It: parameter() }, schemas: { Name: { type: "string" }, Loop: loop } },
  };
  const publication = { keys: [], questions: {}, support: null, samples: [], releases: [] };
  const { paths, components } = publish(document as unknown as OpenApiDocument, publication);
  const publishedParameters = [...(paths["/it"]?.get?.parameters ?? []), components?.parameters?.It] as {
    schema: JsonSchema;
  }[];
  expect(publishedParameters.map(({ schema }) => schema.type)).toEqual([type, type]);
});

it("a branch of a schema of several types gets none, because it would refuse null", () => {
  const It = {
    type: ["object", "null"],
    anyOf: [{ required: ["a"] }, { allOf: [{ required: ["b"] }] }],
    not: { required: ["c"] },
    properties: { a: { oneOf: [{ required: ["d"] }] } },
  };
  const document = { components: { schemas: { It: structuredClone(It) } } } as unknown as OpenApiDocument;
  const publication = { keys: [], questions: {}, support: null, samples: [], releases: [] };
  const typed = { a: { type: "object", oneOf: [{ type: "object", required: ["d"] }] } };
  expect(publish(document, publication).components?.schemas?.It).toEqual({ ...It, properties: typed });
});

it.each<[form: string, nullable: object]>([
  ["a list of types", { type: ["object", "null"] }],
  ["a choice with null", { oneOf: [{ properties: { a: {} } }, { type: "null" }] }],
])("a schema that is combined with %s gets no type, because it would refuse null", (_form, nullable) => {
  const It = {
    allOf: [{ $ref: "#/components/schemas/Nullable" }, { required: ["a"] }, { $ref: "#/components/schemas/Named" }],
  };
  const schemas = { Named: { required: ["b"] }, It, Beside: { properties: {}, allOf: It.allOf }, Nullable: nullable };
  const document = { components: { schemas: structuredClone(schemas) } } as unknown as OpenApiDocument;
  const publication = { keys: [], questions: {}, support: null, samples: [], releases: [] };
  const { Nullable: _, ...published } = publish(document, publication).components?.schemas ?? {};
  const { Nullable: __, ...unchanged } = schemas;
  expect(published).toEqual(unchanged);
});

it("the summary of an operation names the address of the operation or of its path", () => {
  const serverAt = (url: string) => ({ servers: [{ url }] });
  const item = {
    ...serverAt("https://a.example"),
    get: { summary: "Get" },
    put: { summary: "Put", ...serverAt("/b") },
  };
  const document = { paths: { "/it": item } } as unknown as OpenApiDocument;
  const publication = { keys: [], questions: {}, support: null, samples: [], releases: [] };
  const { get, put } = publish(document, publication).paths["/it"] ?? {};
  expect([get?.summary, put?.summary]).toEqual(["Get (at https://a.example)", "Put (at /b)"]);
});

it("the contact is the support of publishing.yaml, once it is set", async () => {
  const document = await documentOf("latest");
  const contactOf = (support: string | null) =>
    publish(document, { ...readPublication(sources), support }).info.contact;
  expect(contactOf(null)).toBeUndefined();
  expect(contactOf("mailto:api@wallet-service.example")).toEqual({
    name: "Support",
    email: "api@wallet-service.example",
  });
  expect(contactOf("https://help.wallet-service.example")).toEqual({
    name: "Support",
    url: "https://help.wallet-service.example",
  });
});
