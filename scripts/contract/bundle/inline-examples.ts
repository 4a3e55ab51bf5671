import {
  type ExampleObject,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  valueAt,
  visitObjects,
} from "../model/index.ts";

/** The types of the values that the examples contain for a schema. */
export type ExampleTypes = ReadonlyMap<object, ReadonlySet<string>>;

/**
 * Replaces references to shared examples with the examples, because some validators for OpenAPI 3.0 misread an `id` in a shared example as
 * the keyword `id` of JSON Schema draft 4. Changes `document`.
 */
export function inlineExamples(document: OpenApiDocument): ExampleTypes {
  const types = new Map<object, Set<string>>();
  const inlineIn = (part: object): void => {
    const { schema, example: onlyExample, examples } = part as Partial<MediaTypeObject>;
    if (onlyExample !== undefined) recordTypes(schema, onlyExample);
    // The examples of a schema are a list of values.
    if (examples === undefined || Array.isArray(examples)) return;
    const entries = Object.entries(examples).map(([name, example]) => {
      return [name, isRef(example) ? (valueAt(document, example.$ref) as ExampleObject) : example] as const;
    });
    for (const [, example] of entries) recordTypes(schema, example.value);
    Object.assign(part, { examples: Object.fromEntries(entries) });
  };
  /** Follows `$ref`, compositions, `items` and `properties`. */
  const recordTypes = (schema: JsonSchema | undefined, value: unknown): void => {
    if (schema === undefined) return;
    if (isRef(schema)) recordTypes(valueAt(document, schema.$ref) as JsonSchema, value);
    types.set(schema, (types.get(schema) ?? new Set()).add(typeOf(value)));
    const { allOf = [], anyOf = [], oneOf = [], items, properties = {} } = schema as JsonSchema;
    for (const part of [...allOf, ...anyOf, ...oneOf]) recordTypes(part as JsonSchema, value);
    if (Array.isArray(value)) for (const item of value) recordTypes(items as JsonSchema, item);
    for (const [name, property] of Object.entries(properties)) {
      const member = (value as Record<string, unknown> | null)?.[name];
      if (member !== undefined) recordTypes(property as JsonSchema, member);
    }
  };
  visitObjects(document, inlineIn);
  return types;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
