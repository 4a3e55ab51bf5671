/** What each edition holds, and what is left out together with a proposed operation. */
import { beforeAll, describe, expect, it } from "vitest";
import { bundleContract } from "../../scripts/bundle/index.ts";
import { type OpenApiDocument, type Provenance, readContract } from "../../scripts/contract/index.ts";
import { documentOf } from "../support/contract.ts";
import { memorySources } from "../support/memory-sources.ts";

function operation(operationId: string, provenance: Provenance | undefined, schema: string) {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    operationId,
    tags: [schema],
    ...(provenance === undefined ? {} : { "x-provenance": provenance }),
    requestBody: { content },
    responses: { 200: { description: "The answer.", content } },
  };
}

const stated = operation("getStated", "specification", "Stated");

const contract = {
  openapi: "3.1.1",
  info: { title: "A contract", version: "1.0.0" },
  servers: [],
  tags: [{ name: "Stated" }, { name: "Proposed" }],
  security: [{ apiKey: [] }],
  paths: {
    "/stated": {
      get: {
        ...stated,
        "x-triggers": ["stated", "proposed"],
        "x-lint-exceptions": { "contract/links": "Because." },
        responses: {
          200: {
            ...stated.responses[200],
            links: { next: { operationId: "getProposed" }, again: { operationId: "getStated" } },
          },
        },
      },
      delete: operation("deleteProposed", "proposed", "Proposed"),
    },
    "/proposed": {
      get: operation("getProposed", "proposed", "Proposed"),
      put: operation("putUnmarked", undefined, "Proposed"),
    },
  },
  webhooks: {
    stated: { post: operation("", "reference", "Shared") },
    proposed: { post: operation("", "proposed", "Proposed") },
  },
  components: {
    schemas: {
      Stated: { $ref: "#/components/schemas/Shared" },
      Shared: { type: "object" },
      Proposed: { type: "object" },
      Unused: {},
    },
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
  },
};

const bundleOf = (edition: "latest" | "test") => bundleContract(edition, memorySources({ "openapi.yaml": contract }));

describe("latest", () => {
  let latest: OpenApiDocument;
  beforeAll(async () => {
    latest = await bundleOf("latest");
  });

  it("leaves out operations and webhooks that are proposed or say nothing, and paths without operations", () => {
    expect(readContract(latest).operations.map(({ operationId }) => operationId)).toEqual(["getStated"]);
    expect(Object.keys(latest.paths)).toEqual(["/stated"]);
    expect(Object.keys(latest.webhooks ?? {})).toEqual(["stated"]);
  });

  it("leaves out components and tags that only they use", () => {
    expect(Object.keys(latest.components?.schemas ?? {})).toEqual(["Shared", "Stated"]);
    expect(Object.keys(latest.components?.securitySchemes ?? {})).toEqual(["apiKey"]);
    expect(latest.tags).toEqual([{ name: "Stated" }]);
  });

  it("leaves out links and triggers that point to them", () => {
    const get = latest.paths["/stated"]?.get;
    expect(get?.["x-triggers"]).toEqual(["stated"]);
    expect(get?.responses?.[200]).toMatchObject({ links: { again: { operationId: "getStated" } } });
    expect(JSON.stringify(latest)).not.toContain("roposed");
  });

  it("is named in the title and in x-edition", () => {
    expect(latest.info).toMatchObject({ title: "A contract (latest)", "x-edition": "latest" });
  });
});

describe("test", () => {
  it("holds everything that is used", async () => {
    const test = await bundleOf("test");
    expect(readContract(test).operations).toHaveLength(4);
    expect(Object.keys(test.webhooks ?? {})).toEqual(["stated", "proposed"]);
    expect(Object.keys(test.components?.schemas ?? {})).toEqual(["Proposed", "Shared", "Stated"]);
    expect(test.paths["/stated"]?.get?.["x-triggers"]).toEqual(["stated", "proposed"]);
  });
});

describe("both", () => {
  it("leave out the keys that only lint reads", async () => {
    expect(JSON.stringify([await bundleOf("latest"), await bundleOf("test")])).not.toContain("x-lint-exceptions");
  });

  it("leave the sources as they were", async () => {
    const sources = memorySources({ "openapi.yaml": contract });
    const before = structuredClone(sources.document(sources.rootFile).parsed);
    await bundleContract("latest", sources);
    expect(sources.document(sources.rootFile).parsed).toEqual(before);
  });
});

it("the latest of this repository holds no proposed operation or webhook", async () => {
  const { operations, webhooks } = readContract(await documentOf("latest"));
  expect([...operations, ...webhooks].filter(({ provenance }) => provenance === "proposed")).toEqual([]);
});
