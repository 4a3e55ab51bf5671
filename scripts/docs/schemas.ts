/** Walks the schemas of a document. */
import type { JsonSchema } from "../contract/document.ts";

const oneSchema = [
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
];
const schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const schemaMaps = ["properties", "patternProperties", "dependentSchemas", "$defs"];

/**
 * The schemas directly within a schema; references are not followed.
 *
 * @returns each with the name of the property that it is the schema of, or undefined.
 */
export function childSchemas(schema: JsonSchema): { schema: JsonSchema; property: string | undefined }[] {
  const single = oneSchema.map((keyword) => ({ schema: schema[keyword], property: undefined }));
  const lists = schemaLists.flatMap((keyword) =>
    ((schema[keyword] ?? []) as unknown[]).map((child) => ({ schema: child, property: undefined })),
  );
  const maps = schemaMaps.flatMap((keyword) =>
    Object.entries(schema[keyword] ?? {}).map(([name, child]) => ({
      schema: child,
      property: keyword === "properties" ? name : undefined,
    })),
  );
  return [...single, ...lists, ...maps].filter((child): child is { schema: JsonSchema; property: string | undefined } =>
    isSchemaObject(child.schema),
  );
}

function isSchemaObject(node: unknown): boolean {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

/** Calls the visitor with the schema and with every schema below it; references are not followed. */
export function walkSchema(schema: JsonSchema, visitor: (schema: JsonSchema) => void): void {
  visitor(schema);
  for (const child of childSchemas(schema)) walkSchema(child.schema, visitor);
}
