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
 * @throws {RefusedSchema} if a keyword other than a limit has two values.
 */
export function combineSchemas(first: JsonSchema, second: JsonSchema, means: Means): JsonSchema {
  const limits = narrowerLimits(first, second);
  const conflict = Object.keys(second).find((keyword) => {
    const canDiffer =
      keyword === "properties" || isAnnotation(keyword) || isList(keyword) || Object.hasOwn(limits, keyword);
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
    ...limits,
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

/** Leaves out `minimum` and `maximum` beside an exclusive limit, which is a mark here that belongs to one of them. */
function narrowerLimits(first: JsonSchema, second: JsonSchema): Record<string, number> {
  const marks = [first, second].map(({ exclusiveMinimum, exclusiveMaximum }) => exclusiveMinimum ?? exclusiveMaximum);
  const limit = marks.every((mark) => mark === undefined) ? /^(min|max)/ : /^(min|max)(?!imum)/;
  const shared = Object.keys(second).filter((keyword) => limit.test(keyword) && Object.hasOwn(first, keyword));
  const narrower = (keyword: string) => (keyword.startsWith("min") ? Math.max : Math.min);
  const numbersOf = (keyword: string) => [first, second].map((schema) => schema[keyword] as number);
  return Object.fromEntries(shared.map((keyword) => [keyword, narrower(keyword)(...numbersOf(keyword))]));
}

function isList(keyword: string): boolean {
  return keyword === "required" || keyword === "x-open-questions";
}
