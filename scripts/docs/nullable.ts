/** "This or null", which JSON Schema writes as two variants. */
import { isRef, type JsonSchema, type OpenApiDocument, type Ref, resolve } from "../contract/document.ts";

/** What a schema allows besides null, when it is a choice between exactly one reference and null. */
export function orNull(schema: JsonSchema): Ref | undefined {
  const variants = (schema.oneOf ?? schema.anyOf ?? []) as JsonSchema[];
  const [only, ...others] = variants.filter(({ type }) => type !== "null");
  return variants.length === 2 && others.length === 0 && isRef(only) ? only : undefined;
}

/**
 * Writes "this or null" as one schema with two types, in place, where that says the same. Redoc shows the variants of a
 * choice instead of the description of the property, which would lose what the description says.
 */
export function mergeNull(document: OpenApiDocument, schema: JsonSchema): void {
  const reference = orNull(schema);
  if (reference === undefined) return;
  const { type, ...target } = structuredClone(resolve<JsonSchema>(document, reference));
  if (typeof type !== "string" || "enum" in target || "const" in target) return;
  const own = { ...schema };
  delete own.oneOf;
  delete own.anyOf;
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  Object.assign(schema, target, own, { type: [type, "null"] });
}
