import { describe, expect, test } from "vitest";
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  PathItemObject,
} from "../../scripts/contract/model/index.ts";
import { operationPages } from "../../scripts/site/pages/operation.tsx";
import { createSite } from "../../scripts/site/site/site.ts";
import { type Element, type ParsedPage, parsePages, textOf, withClass } from "./parsed-page.ts";
import { conditions, questions, smallDocument, smallResources } from "./small-document.ts";
import { siteSources } from "./whole-site.ts";

describe("a document with forms that the contract does not use", () => {
  const document = oddDocument();
  const registersOfPots = { ...siteSources.registers, conditions, questions, resources: smallResources(document) };
  const site = createSite(document, { ...siteSources, registers: registersOfPots });
  const [page] = parsePages(operationPages(site), site) as [ParsedPage];
  const text = (id: string) => textOf(page.byId.get(id));

  test("has alternatives, conditions and constraints of every kind in words", () => {
    const body = textOf(page.byId.get("request")?.parentNode as Element);
    expect(text("request-size")).toContain("as integer: at least 1");
    expect(text("request-size")).toContain("integer or string (date)");
    expect(text("request-colour")).toMatch(/required.*one of red, 5/);
    expect(text("request-tags")).toContain("array of strings");
    expect(text("request-tags")).toContain("1 to 3 items");
    expect(text("request-tags")).toContain("each not empty");
    expect(text("request-lids")).toContain("object of integers by key");
    expect(text("request-odd")).toContain("contentEncoding base64");
    expect(body).toContain("When colour is red: size is required. Otherwise: colour and tags are required.");
    expect(body).toContain("Exactly one of size or colour is required.");
    expect(body).toContain("no other fields");
    expect(text("request-form")).toMatch(/One of: Round .*radius .*One of: Form 2 .*edge/);
  });

  test("stops at a recursive schema, and folds deeply nested fields", () => {
    expect(text("request-inner")).toContain("object");
    expect(page.byId.has("request-inner-inner-inner")).toBe(false);
    const deep = page.byId.get("request-a-b-c") as Element;
    expect(isFolded(deep, page.main)).toBe(true);
    expect(isFolded(page.byId.get("request-a-b") as Element, page.main)).toBe(false);
  });

  test("marks a deprecated operation, a GET with side effects, another host, and codes that are not stated", () => {
    const [head] = withClass(page.main, "subject");
    for (const words of ["Deprecated", "Each call has a side effect", "a different host"]) {
      expect(textOf(head)).toContain(words);
    }
    expect(textOf(page.main).split("Other codes may occur.")).toHaveLength(2);
  });
});

function oddDocument(): OpenApiDocument {
  const document = smallDocument();
  const item = document.paths["/pots/{potId}"] as PathItemObject;
  const operation = item.get as OperationObject;
  Object.assign(operation, { deprecated: true, "x-effects": [{ creates: "pot", id: "$request.path.potId" }] });
  item.servers = [{ url: "{deposit_base_url}" }];
  operation.requestBody = {
    content: {
      "application/json": {
        schema: {
          type: "object",
          additionalProperties: false,
          required: ["colour"],
          properties: {
            size: {
              anyOf: [
                { type: "integer", minimum: 1 },
                { type: "string", format: "date" },
              ],
            },
            colour: { enum: ["red", 5] },
            tags: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", minLength: 1 } },
            lids: { type: "object", additionalProperties: { type: "integer" } },
            odd: { type: "string", contentEncoding: "base64" },
            form: {
              oneOf: [
                { title: "Round", type: "object", properties: { radius: { type: "number" } } },
                { type: "object", properties: { edge: { type: "number" } } },
              ],
            },
            inner: { $ref: "#/components/schemas/Nest" },
            a: object({ b: object({ c: object({ d: { type: "string" } }) }) }),
          },
          oneOf: [{ required: ["size"] }, { required: ["colour"] }],
          if: { properties: { colour: { const: "red" } } },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { required: ["size"] },
          else: { required: ["colour", "tags"] },
        },
      },
    },
  };
  const schemas = document.components?.schemas as Record<string, JsonSchema>;
  schemas.Nest = object({ inner: { $ref: "#/components/schemas/Nest" } as JsonSchema });
  schemas.GeneralError = object({ errorCode: { type: "string" } });
  const anyCode: JsonSchema = { anyOf: [{ $ref: "#/components/schemas/GeneralError" }] };
  for (const status of ["500", "503"]) {
    operation.responses[status] = { description: "Broken.", content: { "application/json": { schema: anyCode } } };
  }
  return document;
}

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties };
}

function isFolded(element: Element, main: Element): boolean {
  for (let at = element; at !== main; at = at.parentNode as Element) {
    if (at.tagName === "details" && !at.attrs.some(({ name }) => name === "open")) return true;
  }
  return false;
}
