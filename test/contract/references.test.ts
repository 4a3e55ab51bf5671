import { expect, it } from "vitest";
import { UsageError } from "../../scripts/base/index.ts";
import { toOpenApi30 } from "../../scripts/contract/bundle/index.ts";
import {
  codeOf,
  type OpenApiDocument,
  readContract,
  SourceLocation,
  valueAt,
} from "../../scripts/contract/model/index.ts";

const documentOf = (parts: object) =>
  ({
    openapi: "3.1.1",
    info: { title: "A contract", version: "1.0.0" },
    servers: [],
    paths: {},
    ...parts,
  }) as OpenApiDocument;

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const locationOf = (parts: object) => SourceLocation.ofDocument(documentOf(parts));

const operation = (schema: object, marks: object = {}) => ({
  get: { responses: { 200: { description: "Done.", content: { "application/json": { schema } } } }, ...marks },
});

it("a reference leads to the end of a chain", () => {
  const schemas = { P102: { type: "object" }, Alias: refTo("P102"), Again: refTo("Alias"), Use: refTo("Again") };
  const use = locationOf({ components: { schemas } }).child("components", "schemas", "Use");
  expect([use.target.pointer, codeOf(use)]).toEqual(["#/components/schemas/P102", "P102"]);
});

it("each mark on a chain of references weakens the provenance", () => {
  const responses = {
    Alias: { ...{ $ref: "#/components/responses/Done" }, "x-provenance": "observed" },
    Done: { description: "Done." },
  };
  const get = { "x-provenance": "specification", responses: { 200: { $ref: "#/components/responses/Alias" } } };
  const { operations } = readContract(documentOf({ paths: { "/a": { get } }, components: { responses } }));
  expect(operations[0]?.responses).toMatchObject([{ effectiveProvenance: "observed", description: "Done." }]);
});

it("a circle of references is reported with its place", () => {
  const { paths, components } = documentOf({
    paths: { "/a": operation({ type: "string" }) },
    components: { schemas: { One: refTo("Two"), Two: refTo("One") } },
  });
  const location = locationOf({ paths, components }).child("components", "schemas", "One");
  expect(() => location.target).toThrow(
    new UsageError("#/components/schemas/One is a reference that leads back to itself."),
  );
});

it("a circle of responses is reported with its place", () => {
  const refToResponse = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const responses = { One: refToResponse("Two"), Two: refToResponse("One") };
  const get = { responses: { 200: refToResponse("One") } };
  expect(() => readContract(documentOf({ paths: { "/a": { get } }, components: { responses } }))).toThrow(UsageError);
});

it("a parameter of an operation replaces the one of its path with the same name and place", () => {
  const parameter = (location: string, description: string) => ({ name: "id", in: location, description });
  const item = {
    parameters: [parameter("query", "Of the path."), parameter("header", "Of the path.")],
    get: { parameters: [{ $ref: "#/components/parameters/Id" }], responses: {} },
  };
  const components = { parameters: { Id: parameter("query", "Of the operation.") } };
  const [get] = readContract(documentOf({ paths: { "/a": item }, components })).operations;
  expect(get?.parameters.map(({ node }) => node)).toEqual([
    parameter("query", "Of the operation."),
    parameter("header", "Of the path."),
  ]);
});

it.each(["/a%20b", "/a b", "/100%", "/~{id}", "/%7E1", "/a/b"])("the pointer of the path %s leads to it", (path) => {
  const root = locationOf({ paths: { [path]: { summary: path } } });
  const item = root.child("paths", path);
  expect([valueAt(root.value, item.pointer), item.key]).toEqual([{ summary: path }, path]);
  const alias = SourceLocation.ofDocument({
    ...(root.value as OpenApiDocument),
    tags: [{ $ref: item.pointer } as never],
  });
  expect(alias.child("tags", 0).target.id).toBe(item.id);
});

it("the pointer of a document leads to it", () => {
  const root = locationOf({});
  expect(["#/", "#", root.pointer].map((pointer) => valueAt(root.value, pointer))).toEqual(Array(3).fill(root.value));
});

it("a component is kept if a reference leads into it, with what it refers to", () => {
  const schemas = {
    User: { type: "object", properties: { name: { type: "string" }, friend: refTo("Friend") } },
    Friend: { type: "object" },
    Unused: { type: "object" },
  };
  const document = documentOf({
    paths: { "/a": operation({ $ref: "#/components/schemas/User/properties/name" }) },
    components: { schemas },
  });
  expect(Object.keys(toOpenApi30(document).components?.schemas ?? {})).toEqual(["User", "Friend"]);
});

const oneComponent = (name: string, schema: object) =>
  documentOf({ paths: { "/a": operation(refTo(name)) }, components: { schemas: { [name]: schema } } });

it("a schema that contains itself with keywords beside the reference is refused where it refers to itself", () => {
  const document = oneComponent("Tree", { type: "array", items: { ...refTo("Tree"), description: "A branch." } });
  expect(() => toOpenApi30(document)).toThrow(
    "#/components/schemas/Tree/items needs a copy of a schema that contains it, which the OpenAPI 3.0 form cannot express. Refer to it without other keywords, and not in a choice.",
  );
});

it.each([{}, { allOf: [{ type: "object" }] }])(
  "a property can refer to the object that contains it: %j",
  (keywords) => {
    const parent = { ...refTo("Tree"), description: "The parent." };
    const document = oneComponent("Tree", { type: "object", ...keywords, properties: { parent } });
    expect(toOpenApi30(document).components?.schemas?.Tree).toEqual({ type: "object", properties: { parent } });
  },
);
