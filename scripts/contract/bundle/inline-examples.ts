import {
  type ExampleObject,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  type Ref,
  valueAt,
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
    for (const [key, value] of Object.entries(part)) {
      if (typeof value !== "object" || value === null) continue;
      if (key !== "examples") inlineIn(value);
      else {
        const { schema } = part as MediaTypeObject;
        const examples = Object.entries(value as Record<string, ExampleObject | Ref>).map(([name, example]) => {
          return [name, isRef(example) ? (valueAt(document, example.$ref) as ExampleObject) : example] as const;
        });
        for (const [, example] of examples) recordTypes(schema, example.value);
        Object.assign(part, { examples: Object.fromEntries(examples) });
      }
    }
  };
  /** Follows `$ref`, `allOf`, `oneOf`, `items` and `properties`. */
  const recordTypes = (schema: JsonSchema | undefined, value: unknown): void => {
    if (schema === undefined) return;
    if (isRef(schema)) recordTypes(valueAt(document, schema.$ref) as JsonSchema, value);
    types.set(schema, (types.get(schema) ?? new Set()).add(Array.isArray(value) ? "array" : typeof value));
    const { allOf = [], oneOf = [], items, properties = {} } = schema as JsonSchema;
    for (const part of [...allOf, ...oneOf]) recordTypes(part as JsonSchema, value);
    if (Array.isArray(value)) for (const item of value) recordTypes(items as JsonSchema, item);
    for (const [name, property] of Object.entries(properties)) {
      const member = (value as Record<string, unknown> | null)?.[name];
      if (member !== undefined) recordTypes(property as JsonSchema, member);
    }
  };
  const { components: { schemas: _, ...otherComponents } = {}, ...rest } = document;
  inlineIn(rest);
  inlineIn(otherComponents);
  return types;
}
