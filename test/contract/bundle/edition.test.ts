import { beforeAll, describe, expect, it } from "vitest";
import { bundleContract, publish } from "../../../scripts/contract/bundle/index.ts";
import {
  type JsonSchema,
  type OpenApiDocument,
  type Provenance,
  readContract,
} from "../../../scripts/contract/model/index.ts";
import { readPublication } from "../../../scripts/contract/sources/index.ts";
import { documentOf, sources } from "../../support/contract.ts";
import { memorySources } from "../../support/memory-sources.ts";

function makeOperation(operationId: string, provenance: Provenance, schema: string) {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    operationId,
    summary: operationId,
    tags: [schema],
    "x-provenance": provenance,
    requestBody: { content },
    responses: { 200: { description: "The response.", content } },
  };
}

const contract = {
  openapi: "3.1.1",
  // A text that looks like a reference is not a reference.
  info: { title: "A contract", version: "1.0.0", description: "#/components/schemas/Unused" },
  servers: [],
  tags: [{ name: "Stated" }, { name: "Proposed" }, { name: "Hooks" }],
  security: [{ apiKey: [] }],
  "x-named-operations": { getStated: { name: "Get Stated", method: "GET" }, getProposed: { name: "Get Proposed" } },
  paths: {
    "/stated": {
      get: { ...makeOperation("getStated", "specification", "Stated"), "x-effects": [{ creates: "stated", id: "1" }] },
      delete: makeOperation("deleteProposed", "proposed", "Proposed"),
    },
    "/proposed": { get: makeOperation("getProposed", "proposed", "Proposed") },
  },
  webhooks: {
    unshown: { post: { ...makeOperation("", "proposed", "Hook"), tags: ["Hooks"] } },
  },
  components: {
    schemas: {
      Stated: {
        type: "object",
        properties: {
          guess: { type: "string", "x-provenance": "proposed" },
          again: { $ref: "#/components/schemas/Stated" },
        },
      },
      Hook: { type: "object" },
      Proposed: { type: "object" },
      Unused: {},
      P102: { type: "object", "x-provenance": "proposed" },
    },
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
  },
};

const bundleOf = async (edition: "latest" | "test", content: object = contract) =>
  (await bundleContract(edition, memorySources({ "openapi.yaml": content }))).document;

describe("latest", () => {
  let latestDocument: OpenApiDocument;
  beforeAll(async () => {
    latestDocument = await bundleOf("latest");
  });

  it("leaves out the operations that are proposed, and paths without operations", () => {
    expect(readContract(latestDocument).operations.map(({ operationId }) => operationId)).toEqual(["getStated"]);
    expect(Object.keys(latestDocument.paths)).toEqual(["/stated"]);
  });

  it("keeps a path from which it leaves out nothing", async () => {
    const paths = { ...contract.paths, "/empty": { summary: "Empty" } };
    const document = await bundleOf("latest", { ...contract, paths });
    expect(Object.keys(document.paths)).toEqual(["/stated", "/empty"]);
  });

  it("names the operations that it leaves out", () => {
    expect(latestDocument["x-named-operations"]).toEqual({
      getStated: { name: "Get Stated", method: "GET" },
      getProposed: { name: "Get Proposed", omitted: true },
    });
  });

  it("leaves out components and tags that only proposed operations use", () => {
    expect(Object.keys(latestDocument.components?.schemas ?? {})).toEqual(["Hook", "Stated"]);
    expect(Object.keys(latestDocument.components?.securitySchemes ?? {})).toEqual(["apiKey"]);
    expect(latestDocument.tags).toEqual([{ name: "Stated" }, { name: "Hooks" }]);
  });

  it("keeps proposed parts of operations, webhooks and P-codes, with their marks", () => {
    expect(latestDocument.components?.schemas?.Stated).toMatchObject(contract.components.schemas.Stated);
    expect(Object.keys(latestDocument.webhooks ?? {})).toEqual(["unshown"]);
  });
});

it("test contains everything that is used", async () => {
  const test = await bundleOf("test");
  expect(readContract(test).operations).toHaveLength(3);
  expect(Object.keys(test.components?.schemas ?? {})).toEqual(["Hook", "Proposed", "Stated"]);
  expect(test["x-named-operations"]).toEqual(contract["x-named-operations"]);
});

it("every component schema says where it comes from and since which release, alike in both editions", async () => {
  const [latest, test] = [await documentOf("latest"), await documentOf("test")];
  const schemasIn = ({ components }: OpenApiDocument) => (components?.schemas ?? {}) as Record<string, JsonSchema>;
  const releases = [{ version: "0.1.0", document: latest }];
  const publishedSchemas = schemasIn(publish(test, { ...readPublication(sources), releases }));
  expect(Object.entries(publishedSchemas).filter(([, schema]) => schema["x-origin"] === undefined)).toEqual([]);
  for (const [name, schema] of Object.entries(publishedSchemas)) {
    const latestSchema = schemasIn(latest)[name];
    expect(schema["x-since"]).toBe(latestSchema === undefined ? undefined : "0.1.0");
    if (latestSchema !== undefined) expect(latestSchema["x-origin"], name).toEqual(schema["x-origin"]);
  }
  expect(publishedSchemas.CardStatus?.["x-origin"]).toEqual({
    provenance: "specification",
    in: ["listUserCards"],
    questions: ["Q-card-status", "Q-service-block", "Q-status-transitions"],
  });
  expect(publishedSchemas.ExternalUserId?.["x-origin"]).toMatchObject({
    weaker: ["reference", "observed", "proposed"],
  });
});

it("bundling does not modify the sources", async () => {
  const sources = memorySources({ "openapi.yaml": contract });
  const documentBefore = structuredClone(sources.document(sources.rootFile).parsed);
  await bundleContract("latest", sources);
  expect(sources.document(sources.rootFile).parsed).toEqual(documentBefore);
});

describe("the published document", () => {
  it("keeps names that begin with x-, and drops keys of properties that are named like a keyword", () => {
    const headers = { "x-request-id": { schema: { type: "string" } } };
    const content = { "application/json": { schema: { $ref: "#/components/schemas/It" } } };
    const properties = { "x-name": { type: "string" }, value: { type: "string", "x-dropped": 1 } };
    const document = {
      paths: { "/a": { get: { operationId: "a", responses: { 200: { headers, content } } } } },
      components: { schemas: { It: { properties, examples: [{ "x-name": "a" }] } } },
    } as unknown as OpenApiDocument;
    const { paths, components } = publish(document, { ...readPublication(sources), keys: [], releases: [] });
    expect(paths["/a"]?.get?.responses?.[200]).toMatchObject({ headers });
    expect(components?.schemas?.It).toMatchObject({
      properties: { "x-name": { type: "string" }, value: { type: "string" } },
      examples: [{ "x-name": "a" }],
    });
    expect(JSON.stringify(components)).not.toContain("x-dropped");
  });

  it("loses extensions, and nothing else that is called x-… or like a keyword", () => {
    const extensible = { "x-dropped": 1 };
    const kept = { name: { "x-name": { type: "string" } }, data: { "x-data": 1 } };
    const document = {
      security: [{ "x-api-key": [] }],
      paths: {
        "/a": {
          get: {
            operationId: "a",
            responses: {
              ...extensible,
              default: { ...extensible, content: { "x/example": { ...extensible, example: kept.data } } },
            },
          },
        },
        ...extensible,
      },
      components: {
        ...extensible,
        examples: { value: { ...extensible, value: kept.data }, "x-example": { value: 1 } },
        schemas: {
          default: { ...extensible, default: kept.data, dependentRequired: { "x-name": ["value"] } },
          "x-schema": { properties: { ...kept.name, examples: extensible }, enum: [kept.data], const: kept.data },
        },
      },
    } as unknown as OpenApiDocument;
    const published = publish(document, {
      ...readPublication(sources),
      keys: [],
      releases: [],
      support: null,
      samples: [],
    });
    expect(JSON.stringify(published)).not.toContain("x-dropped");
    expect(published).toMatchObject({
      security: [{ "x-api-key": [] }],
      paths: { "/a": { get: { responses: { default: { content: { "x/example": { example: kept.data } } } } } } },
      components: {
        examples: { value: { value: kept.data }, "x-example": { value: 1 } },
        schemas: {
          default: { default: kept.data, dependentRequired: { "x-name": ["value"] } },
          "x-schema": { properties: { ...kept.name, examples: {} }, enum: [kept.data], const: kept.data },
        },
      },
    });
  });

  it("has the listed keys, and unchanged data", () => {
    const schema = { "x-kept": 1, "x-dropped": 2, example: { "x-dropped": 3 } };
    const document = { "x-dropped": {}, components: { schemas: { It: schema } } } as unknown as OpenApiDocument;
    const published = publish(document, {
      keys: ["x-kept"],
      questions: {},
      support: null,
      samples: [],
      releases: [],
    });
    expect(published).toEqual({ components: { schemas: { It: { "x-kept": 1, example: { "x-dropped": 3 } } } } });
    expect(document).toHaveProperty("x-dropped");
  });

  it("says since which release it has each operation, webhook and schema", () => {
    const operation = (name: string) => ({ operationId: name, responses: {} });
    const documentWith = (...names: string[]) =>
      ({
        paths: Object.fromEntries(names.map((name) => [`/${name}`, { get: operation(name), put: operation(name) }])),
        webhooks: Object.fromEntries(names.map((name) => [name, { post: operation(name) }])),
        components: { schemas: Object.fromEntries(names.map((name) => [name, { type: "object" }])) },
      }) as unknown as OpenApiDocument;
    const releases = [
      { version: "1.0.0", document: documentWith("a", "gone") },
      { version: "1.1.0", document: documentWith("a", "b") },
    ];
    const { paths, webhooks, components } = publish(documentWith("a", "b", "c"), {
      keys: [],
      questions: {},
      support: null,
      samples: [],
      releases,
    });
    const sinceOf = (part: unknown) => (part as { "x-since"?: string } | undefined)?.["x-since"];
    const sinceOfAll = (name: string) =>
      [paths[`/${name}`]?.get, paths[`/${name}`]?.put, webhooks?.[name]?.post, components?.schemas?.[name]].map(
        sinceOf,
      );
    expect(["a", "b", "c"].map(sinceOfAll)).toEqual([
      Array(4).fill("1.0.0"),
      Array(4).fill("1.1.0"),
      Array(4).fill(undefined),
    ]);
    expect(Object.keys(paths["/c"] ?? {})).toEqual(["get", "put"]);
  });

  it("has the values of samples in the examples of paths and bodies", () => {
    const content = () => {
      const examples = { small: { value: { size: 1, name: "a" } }, large: { value: { size: 9, name: "a" } } };
      return { "application/json": { schema: { type: "object" }, examples } };
    };
    const id = { name: "id", in: "path", example: "old" };
    const parameters = [id, { name: "day", in: "query", example: "old" }];
    const responses = { 200: { description: "-" } };
    const paths = {
      "/pots/{id}": { put: { operationId: "setPot", parameters, requestBody: { content: content() }, responses } },
      "/pots": { post: { operationId: "addPot", requestBody: { content: content() }, responses } },
      "/lids/{id}": {
        parameters: [{ $ref: "#/components/parameters/id" }],
        put: { operationId: "setLid", requestBody: { $ref: "#/components/requestBodies/lid" }, responses },
        patch: { operationId: "fixLid", requestBody: { $ref: "#/components/requestBodies/lid" }, responses },
      },
    };
    const json = { examples: { small: { $ref: "#/components/examples/lid" } } };
    const components = {
      parameters: { id },
      requestBodies: { lid: { content: { "application/json": json } } },
      examples: { lid: { value: { size: 1, name: "a" } } },
    };
    const info = { title: "Pots", version: "1" };
    const document = { openapi: "3.1.1", info, paths, components } as unknown as OpenApiDocument;
    const publishedDocument = publish(document, {
      keys: [],
      questions: {},
      support: null,
      samples: [
        { operation: "setPot", request: "large", path: { id: "new", day: "new" }, body: { name: "b" } },
        { operation: "addPot", body: { name: "c" } },
        { operation: "setLid", path: { id: "first" } },
        { operation: "setLid", path: { id: "new" }, body: { name: "d" } },
        { operation: "removePot", body: { name: "d" } },
      ],
      releases: [],
    });
    const examplesIn = ({ parameters = [], requestBody }: { parameters?: object[]; requestBody?: object }) => [
      parameters.map((parameter) => (parameter as { example: string }).example),
      Object.values((requestBody as { content: ReturnType<typeof content> }).content["application/json"].examples).map(
        ({ value }) => `${value.size} ${value.name}`,
      ),
    ];
    expect(examplesIn(publishedDocument.paths?.["/pots/{id}"]?.put as object)).toEqual([
      ["new", "old"],
      ["1 a", "9 b"],
    ]);
    expect(examplesIn(publishedDocument.paths?.["/pots"]?.post as object)).toEqual([[], ["1 c", "9 c"]]);
    const { put, ...others } = publishedDocument.paths?.["/lids/{id}"] ?? {};
    expect(examplesIn(put as object)).toEqual([["new"], ["1 d"]]);
    const { put: _, ...othersBefore } = paths["/lids/{id}"];
    expect([others, publishedDocument.components]).toEqual([othersBefore, components]);
  });
});

function nodesOf(document: OpenApiDocument): Map<string, unknown> {
  const nodes = new Map<string, unknown>();
  const walk = (node: unknown, path: string) => {
    nodes.set(path, typeof node === "object" && node !== null ? (Array.isArray(node) ? "[]" : "{}") : node);
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      // The path of a tag contains its name instead of its index, because `latest` has fewer tags.
      walk(value, `${path}/${path === "/tags" ? (value as { name: string }).name : key}`);
    }
  };
  walk(document, "");
  return nodes;
}

it("latest equals test without the proposed operations, node by node", async () => {
  const [latest, test] = [nodesOf(await documentOf("latest")), nodesOf(await documentOf("test"))];
  const differingPaths = [...latest].filter(([path, value]) => test.get(path) !== value).map(([path]) => path);
  expect(differingPaths.filter((path) => !/^\/x-named-operations\/\w+\/omitted$/.test(path))).toEqual([]);
  expect(latest.size).toBeGreaterThan(9_000);
  expect(test.size).toBeGreaterThan(latest.size);
});
