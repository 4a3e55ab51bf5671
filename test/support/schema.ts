/** Dereferences documents and validates values, independently of the code in scripts/. */
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema, OpenApiDocument } from "../../scripts/contract/model/index.ts";

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);

const dereferencedDocuments = new WeakMap<OpenApiDocument, OpenApiDocument>();

export function dereference(document: OpenApiDocument): OpenApiDocument {
  const dereferencedDocument = dereferencedDocuments.get(document) ?? copyWithoutReferences(document);
  if (Object.isFrozen(document)) dereferencedDocuments.set(document, dereferencedDocument);
  return dereferencedDocument;
}

function copyWithoutReferences(document: OpenApiDocument): OpenApiDocument {
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    const { $ref, ...siblings } = node as { $ref?: string };
    if (typeof $ref !== "string")
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]));
    return { ...(visit(valueAtPointer(document, $ref)) as object), ...(visit(siblings) as object) };
  };
  return visit(document) as OpenApiDocument;
}

function valueAtPointer(document: OpenApiDocument, ref: string): unknown {
  const keys = ref.replace("#/", "").split("/");
  return keys.reduce((node: unknown, key) => (node as Record<string, unknown>)[key], document);
}

export function violations(schema: JsonSchema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath || "the value"} ${error.message}`);
}

export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const branches = (schema.allOf as JsonSchema[] | undefined) ?? [];
  return Object.assign({}, ...branches.map(propertiesOf), schema.properties);
}

export function requiredOf(schema: JsonSchema): string[] {
  const branches = (schema.allOf as JsonSchema[] | undefined) ?? [];
  return [...new Set([...branches.flatMap(requiredOf), ...((schema.required as string[] | undefined) ?? [])])].sort();
}
