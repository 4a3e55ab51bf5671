/** What each edition holds, and what is left out together with a proposed operation. */
import { beforeAll, describe, expect, it } from "vitest";
import { bundleContract } from "../../scripts/bundle/index.ts";
import { type OpenApiDocument, type Provenance, readContract } from "../../scripts/contract/index.ts";
import { countLevels } from "../../scripts/reports/index.ts";
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
  tags: [{ name: "Stated" }, { name: "Proposed" }, { name: "Hooks" }],
  security: [{ apiKey: [] }],
  paths: {
    "/stated": {
      get: {
        ...stated,
        "x-triggers": ["stated", "unshown"],
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
    unshown: { post: { ...operation("", "proposed", "Proposed"), tags: ["Hooks"] } },
  },
  components: {
    schemas: {
      Stated: { $ref: "#/components/schemas/Shared" },
      Shared: { type: "object" },
      Proposed: { type: "object" },
      Unused: {},
      P102: {
        type: "object",
        "x-provenance": "specification",
        properties: { inner: { $ref: "#/components/schemas/Shared" } },
      },
      P103: { type: "object", "x-provenance": "proposed" },
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

  it("leaves out operations that are proposed or say nothing, and paths without operations", () => {
    expect(readContract(latest).operations.map(({ operationId }) => operationId)).toEqual(["getStated"]);
    expect(Object.keys(latest.paths)).toEqual(["/stated"]);
    expect(latest["x-absent-operations"]).toEqual({ deleteProposed: "", getProposed: "", putUnmarked: "" });
  });

  it("leaves out components and tags that only they use", () => {
    expect(Object.keys(latest.components?.schemas ?? {})).toEqual(["P102", "Shared", "Stated"]);
    expect(Object.keys(latest.components?.securitySchemes ?? {})).toEqual(["apiKey"]);
    expect(latest.tags).toEqual([{ name: "Stated" }, { name: "Hooks" }]);
  });

  it("keeps a P-code that no operation of it answers with, unless the code itself is proposed", () => {
    expect(latest.components?.schemas).toHaveProperty("P102");
    expect(latest.components?.schemas).not.toHaveProperty("P103");
  });

  it("leaves out links that point to them, and keeps the triggers of webhooks", () => {
    const get = latest.paths["/stated"]?.get;
    expect(get?.["x-triggers"]).toEqual(["stated", "unshown"]);
    expect(get?.responses?.[200]).toHaveProperty("links", { again: { operationId: "getStated" } });
  });

  it("is named in the title and in x-edition", () => {
    expect(latest.info).toMatchObject({ title: "A contract (latest)", "x-edition": "latest" });
  });
});

describe("test", () => {
  it("holds everything that is used", async () => {
    const test = await bundleOf("test");
    expect(readContract(test).operations).toHaveLength(4);
    expect(Object.keys(test.webhooks ?? {})).toEqual(["stated", "unshown"]);
    expect(Object.keys(test.components?.schemas ?? {})).toEqual(["P102", "P103", "Proposed", "Shared", "Stated"]);
    expect(test).not.toHaveProperty("x-absent-operations");
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

it("the latest of this repository holds every webhook, and nothing proposed at any level", async () => {
  const [latest, test] = [await documentOf("latest"), await documentOf("test")];
  expect(Object.keys(latest.webhooks ?? {})).toEqual(Object.keys(test.webhooks ?? {}));
  const counts = Object.entries(countLevels(readContract(latest))).filter(([, { proposed }]) => proposed > 0);
  expect(counts).toEqual([]);
});
