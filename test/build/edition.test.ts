/** What each edition holds. */
import { describe, expect, it } from "vitest";
import { bundleContract } from "../../scripts/build/bundle.ts";
import { filterEdition } from "../../scripts/build/edition.ts";
import { readContract } from "../../scripts/contract/contract.ts";
import type { OpenApiDocument, Provenance } from "../../scripts/contract/document.ts";

function operation(operationId: string, provenance: Provenance, schema: string) {
  const content = { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    operationId,
    tags: [schema],
    "x-provenance": provenance,
    requestBody: { content },
    responses: { 200: { description: "The answer.", content } },
  };
}

function document(): OpenApiDocument {
  const stated = operation("getStated", "specification", "Stated");
  return {
    openapi: "3.1.1",
    info: { title: "A contract", version: "1.0.0" },
    servers: [],
    tags: [{ name: "Stated" }, { name: "Proposed" }],
    paths: {
      "/stated": {
        get: {
          ...stated,
          "x-triggers": ["stated", "proposed"],
          responses: {
            200: {
              ...stated.responses[200],
              links: { next: { operationId: "getProposed" }, again: { operationId: "getStated" } },
            },
          },
        },
        delete: operation("deleteProposed", "proposed", "Proposed"),
      },
      "/proposed": { get: operation("getProposed", "proposed", "Proposed") },
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
      securitySchemes: { apiKey: { type: "apiKey" } },
    },
  } as unknown as OpenApiDocument;
}

describe("latest", () => {
  const latest = filterEdition(document(), "latest");

  it("leaves out proposed operations and webhooks, and paths that are empty then", () => {
    expect(readContract(latest).operations.map(({ operationId }) => operationId)).toEqual(["getStated"]);
    expect(Object.keys(latest.paths)).toEqual(["/stated"]);
    expect(Object.keys(latest.webhooks ?? {})).toEqual(["stated"]);
  });

  it("leaves out what only they use", () => {
    expect(Object.keys(latest.components?.schemas ?? {})).toEqual(["Shared", "Stated"]);
    expect(Object.keys(latest.components?.securitySchemes ?? {})).toEqual(["apiKey"]);
    expect(latest.tags).toEqual([{ name: "Stated" }]);
  });

  it("leaves out what points to them", () => {
    const get = latest.paths["/stated"]?.get;
    expect(get?.["x-triggers"]).toEqual(["stated"]);
    expect(get?.responses[200]).toMatchObject({ links: { again: { operationId: "getStated" } } });
    expect(JSON.stringify(latest)).not.toContain("roposed");
  });

  it("says so in its title", () => {
    expect(latest.info).toMatchObject({ title: "A contract (latest)", "x-edition": "latest" });
  });
});

describe("test", () => {
  const test = filterEdition(document(), "test");

  it("holds everything that is used", () => {
    expect(readContract(test).operations).toHaveLength(3);
    expect(Object.keys(test.webhooks ?? {})).toEqual(["stated", "proposed"]);
    expect(Object.keys(test.components?.schemas ?? {})).toEqual(["Proposed", "Shared", "Stated"]);
  });

  it("leaves the document it was made from as it was", () => {
    const whole = document();
    filterEdition(whole, "latest");
    expect(whole).toEqual(document());
  });
});

it("the real latest holds no proposed operation or webhook, and nothing that points to one", async () => {
  const { operations, webhooks } = readContract(await bundleContract("latest"));
  expect([...operations, ...webhooks].filter(({ provenance }) => provenance === "proposed")).toEqual([]);
});
