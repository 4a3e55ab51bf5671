import type { Schema } from "../client/src/entries/internal/index.ts";

/** A schema and, recursively, its subschemas that apply to the same value. */
export function combinedSchemasOf(schema: Schema): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  const subschemas = [...allOf, ...anyOf, ...oneOf, schema.then, schema.else].filter((part) => part !== undefined);
  return [schema, ...subschemas.flatMap(combinedSchemasOf)];
}

export function schemasAt(schema: Schema, [key, ...rest]: readonly string[]): Schema[] {
  const [, ...subschemas] = combinedSchemasOf(schema);
  if (key === undefined) return [schema, ...subschemas];
  const { properties = {} } = schema;
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const child = property ?? (/^\d+$/.test(key) ? schema.items : undefined) ?? schema.additionalProperties;
  return [
    ...(child === undefined ? [] : schemasAt(child, rest)),
    ...subschemas.flatMap((part) => schemasAt(part, [key, ...rest])),
  ];
}

/** The values at a JSON pointer, in which `*` stands for every item or member. */
export function valuesAt(value: unknown, pointer: string): unknown[] {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown[]>(
    (values, name) =>
      values.flatMap((item) => {
        if (typeof item !== "object" || item === null) return [];
        if (name === "*") return Object.values(item);
        const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
        return Object.hasOwn(item, key) ? [(item as Record<string, unknown>)[key]] : [];
      }),
    [value],
  );
}
