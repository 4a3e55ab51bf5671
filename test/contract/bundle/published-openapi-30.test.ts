import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { editions } from "../../../scripts/base/index.ts";
import { isRef, type OpenApiDocument, valueAt } from "../../../scripts/contract/model/index.ts";
import { bundles } from "../../support/contract.ts";

type Node = Record<string, unknown>;

function nodesOf(node: unknown, path: string[] = []): [path: string[], object: Node][] {
  if (typeof node !== "object" || node === null) return [];
  const innerNodes = Object.entries(node).flatMap(([key, value]) => {
    return ["example", "value", "x-open-enum", "x-questions"].includes(key) ? [] : nodesOf(value, [...path, key]);
  });
  return Array.isArray(node) ? innerNodes : [[path, node as Node], ...innerNodes];
}

const pointerOf = (path: readonly string[]) =>
  path.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");

describe.each(editions)("the OpenAPI 3.0 form of %s", async (edition) => {
  const { json, json30 } = (await bundles())[edition];
  const document = JSON.parse(json) as OpenApiDocument;
  const olderDocument = JSON.parse(json30) as OpenApiDocument;
  const nodes = nodesOf(olderDocument);
  const schemas = nodes.filter(([path]) => !["properties", "examples"].includes(path.at(-1) ?? ""));

  it("is valid", async () => {
    const config = await createConfig({ rules: { struct: "error", "no-unresolved-refs": "error" } });
    expect(await lintFromString({ source: json30, config })).toEqual([]);
    expect(olderDocument).toMatchObject({ openapi: "3.0.3" });
  });

  it("has every operation, every webhook and the schemas that they use", () => {
    expect(Object.keys(olderDocument.paths)).toEqual(Object.keys(document.paths));
    const { "x-webhooks": webhooks = {} } = olderDocument as { "x-webhooks"?: object };
    expect(Object.keys(webhooks)).toEqual(Object.keys(document.webhooks ?? {}));
    const brokenReferences = nodes.filter(([, node]) => isRef(node) && valueAt(olderDocument, node.$ref) === undefined);
    expect(brokenReferences).toEqual([]);
    expect(olderDocument.info.description).toContain("OpenAPI 3.0 form");
  });

  it("has only keywords and combinations of them that OpenAPI 3.0 has and most generators can read", () => {
    const newerKeywords = ["const", "if", "then", "else", "webhooks", "anyOf", "allOf"];
    const wrongSchemas = schemas.filter(([path, node]) => {
      const isUntyped = node.nullable === true && typeof node.type !== "string";
      const isUnion = node.oneOf !== undefined && node.discriminator === undefined;
      const hasSiblings = isRef(node) && Object.keys(node).length > 1;
      const isList = Array.isArray(node.type) || (path.at(-1) === "schema" && Array.isArray(node.examples));
      return newerKeywords.some((key) => Object.hasOwn(node, key)) || isUntyped || isUnion || hasSiblings || isList;
    });
    expect(wrongSchemas.map(([path]) => path.join("/"))).toEqual([]);
  });

  it("has valid examples, each at its place", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    // Converts `exclusiveMaximum`, the only keyword of this document with the form of JSON Schema draft 4, for Ajv.
    const text = json30.replaceAll(/"exclusiveMaximum": true,\s+"maximum": /g, '"exclusiveMaximum": ');
    ajv.addSchema({ ...JSON.parse(text), $id: "contract" });
    const invalidExamples: unknown[] = [];
    let count = 0;
    for (const [path, { schema, examples = {} }] of nodes.filter(([path]) => /json$/.test(path.at(-1) ?? ""))) {
      const validate = ajv.getSchema(`contract#/${pointerOf([...path, "schema"])}`);
      expect(schema).toBeDefined();
      for (const [name, example] of Object.entries(examples as Record<string, Node>)) {
        count += 1;
        if (validate?.(example.value) !== true) invalidExamples.push([...path, name, ajv.errorsText(validate?.errors)]);
      }
    }
    expect(invalidExamples).toEqual([]);
    expect(count).toBeGreaterThan(280);
    expect(olderDocument.components).not.toHaveProperty("examples");
  });

  it("has examples of the type of their schema", () => {
    const typeOf = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);
    const examples = schemas.filter(([, { type, example }]) => typeof type === "string" && example !== undefined);
    expect(examples.length).toBeGreaterThan(20);
    const wrongExamples = examples.filter(
      ([, { type, example }]) => typeOf(example) !== String(type).replace("integer", "number"),
    );
    expect(wrongExamples.map(([path]) => path.join("/"))).toEqual([]);
  });

  it("has no component that can be null, because then every use of it could be null", () => {
    const nullableComponents = Object.entries(olderDocument.components?.schemas ?? {}).filter(
      ([, schema]) => (schema as Node).nullable,
    );
    expect(nullableComponents.map(([name]) => name)).toEqual([]);
  });

  it("gives each component a name of its own", () => {
    const names = Object.values(olderDocument.components ?? {}).flatMap((section) => Object.keys(section));
    expect(names.map((name) => name.toLowerCase())).toHaveLength(new Set(names.map((name) => name.toLowerCase())).size);
  });
});
