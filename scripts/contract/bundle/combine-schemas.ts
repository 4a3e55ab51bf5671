import { isDeepStrictEqual } from "node:util";
import { isAnnotation, type JsonSchema } from "../model/index.ts";
import { RefusedSchema } from "./refused-schema.ts";

interface Means {
  /** Replaces a reference with its target. */
  withoutReference(schema: JsonSchema): JsonSchema;
  /** The JSON pointer of the schema. */
  place(): string;
}

/**
 * One schema for values that match both. An annotation of the second one replaces that of the first one.
 *
 * @throws {RefusedSchema} if a keyword has two values.
 */
export function combineSchemas(first: JsonSchema, second: JsonSchema, means: Means): JsonSchema {
  const conflict = Object.keys(second).find((keyword) => {
    const canDiffer = keyword === "properties" || isAnnotation(keyword) || isList(keyword);
    return !canDiffer && Object.hasOwn(first, keyword) && !isDeepStrictEqual(first[keyword], second[keyword]);
  });
  if (conflict !== undefined) {
    throw new RefusedSchema(means.place(), { problem: `has two values of ${conflict}`, remedy: "Keep one of them" });
  }
  const lists = Object.keys({ ...first, ...second })
    .filter(isList)
    .map((keyword) => [keyword, [...new Set([first, second].flatMap((schema) => schema[keyword] ?? []))]]);
  return {
    ...first,
    ...second,
    ...combineProperties(first, second, means),
    ...Object.fromEntries(lists),
  } as JsonSchema;
}

function combineProperties(first: JsonSchema, second: JsonSchema, means: Means): Pick<JsonSchema, "properties"> {
  if (first.properties === undefined || second.properties === undefined) return {};
  const shared = Object.entries(second.properties as Record<string, JsonSchema>).flatMap(([name, schema]) => {
    const earlier = first.properties?.[name] as JsonSchema | undefined;
    if (earlier === undefined || isDeepStrictEqual(earlier, schema)) return [];
    const place = () => `${means.place()}/properties/${name}`;
    const [own, other] = [means.withoutReference(earlier), means.withoutReference(schema)];
    return [[name, combineSchemas(own, other, { ...means, place })]];
  });
  return { properties: { ...first.properties, ...second.properties, ...Object.fromEntries(shared) } };
}

function isList(keyword: string): boolean {
  return keyword === "required" || keyword === "x-open-questions";
}
