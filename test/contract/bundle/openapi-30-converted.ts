import { toOpenApi30 } from "../../../scripts/contract/bundle/index.ts";
import type { OpenApiDocument } from "../../../scripts/contract/model/index.ts";

export type Node = Record<string, unknown>;

// The result is copied as JSON, because the converter leaves symbols in its objects.
export const convertDocument = (parts: object): OpenApiDocument => {
  const info = { title: "T", version: "1", description: "About it." };
  const document = { openapi: "3.1.1", info, servers: [], paths: {}, ...parts } as unknown as OpenApiDocument;
  return JSON.parse(JSON.stringify(toOpenApi30(document)));
};

/** Converts a document with `components` and a response with the schema `It` and the example `value`. @returns the converted `It`. */
export const convert = (components: Node, value: unknown = {}): Node => {
  const content = {
    "application/json": { schema: { $ref: "#/components/schemas/It" }, examples: { one: { value } } },
  };
  const operation = { responses: { 200: { description: "Done.", content } } };
  const paths = { "/it": { get: operation } };
  return convertDocument({ paths, components: { schemas: components } }).components?.schemas?.It as Node;
};
export const convertProperty = (schema: Node, value: unknown, components: Node = {}) => {
  const convertedSchema = convert(
    { It: { type: "object", properties: { field: schema } }, ...components },
    { field: value },
  );
  return (convertedSchema.properties as Record<string, Node>).field;
};
export const openSet = { title: "Set", type: "string", "x-open-enum": { A: { meaning: "a" }, B: { meaning: "b" } } };
export const knownValues = { type: "string", "x-extensible-enum": ["A", "B"] };
export const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export const numberOrText = "It can also be of the type";
export const [text, number, nothing] = [{ type: "string" }, { type: "number" }, { type: "null" }];
export const typed = (name: string, required: string[] = []) => ({
  properties: { [name]: { type: "string" } },
  required,
});
export const requiresOne = [{ required: ["a"] }, { required: ["b"], "x-provenance": "proposed" }];
