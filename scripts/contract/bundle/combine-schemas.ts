import { isDeepStrictEqual } from "node:util";
import { isAnnotation, type JsonSchema, pointerOf } from "../model/index.ts";
import { combineKeywords } from "./copy-schema.ts";
import { RefusedSchema } from "./refused-schema.ts";

interface Options {
  /** Replaces a reference with its target. */
  withoutReference(schema: JsonSchema): JsonSchema;
  /** The pointer of the combined schema, for a refusal. */
  pointer(): string;
}

/**
 * One schema for values that match both. An annotation of the second one replaces that of the first one, but neither loses its marks.
 *
 * @throws {RefusedSchema} if a keyword has two values of which neither includes the other, or `additionalProperties` would include the
 * fields of the other schema.
 */
export function combineSchemas(first: JsonSchema, second: JsonSchema, options: Options): JsonSchema {
  const combined = { ...combineKeywords(first, second), ...combineLimits(first, second) };
  const conflict = Object.keys(second).find((keyword) => {
    const canDiffer =
      keyword === "properties" ||
      Object.hasOwn(combined, keyword) ||
      (isAnnotation(keyword) && keyword !== "x-extensible-enum");
    return !canDiffer && Object.hasOwn(first, keyword) && !isDeepStrictEqual(first[keyword], second[keyword]);
  });
  if (conflict !== undefined) {
    throw new RefusedSchema(options.pointer(), {
      problem: `has two values of ${conflict}`,
      remedy: "Keep one of them",
    });
  }
  if (excludesFieldsOf(first, second) || excludesFieldsOf(second, first)) {
    const problem = "has additionalProperties beside the fields of another schema";
    throw new RefusedSchema(options.pointer(), { problem, remedy: "Write all fields in one schema" });
  }
  return { ...first, ...second, ...combineProperties(first, second, options), ...combined };
}

/** Whether `additionalProperties` of the one schema applies to a field that only the other one has. */
export function excludesFieldsOf({ properties = {}, additionalProperties = true }: JsonSchema, other: JsonSchema) {
  const allowsAll = additionalProperties === true || isDeepStrictEqual(additionalProperties, {});
  return !allowsAll && Object.keys(other.properties ?? {}).some((name) => !Object.hasOwn(properties, name));
}

function combineProperties(first: JsonSchema, second: JsonSchema, options: Options): Pick<JsonSchema, "properties"> {
  if (first.properties === undefined || second.properties === undefined) return {};
  const earlierProperties = new Map(Object.entries(first.properties as Record<string, JsonSchema>));
  const shared = Object.entries(second.properties as Record<string, JsonSchema>).flatMap(([name, schema]) => {
    const earlier = earlierProperties.get(name);
    if (earlier === undefined || isDeepStrictEqual(earlier, schema)) return [];
    const pointer = () => `${options.pointer()}${pointerOf(["properties", name]).slice(1)}`;
    const [own, other] = [options.withoutReference(earlier), options.withoutReference(schema)];
    return [[name, combineSchemas(own, other, { ...options, pointer })]];
  });
  return { properties: { ...first.properties, ...second.properties, ...Object.fromEntries(shared) } };
}

/** An exclusive limit is a limit with a flag in OpenAPI 3.0, so the two keywords are combined together. */
function combineLimits(first: JsonSchema, second: JsonSchema): JsonSchema {
  const limitsAndFlags = [
    ["minimum", "exclusiveMinimum", Math.max],
    ["maximum", "exclusiveMaximum", Math.min],
  ] as const;
  return Object.fromEntries(
    limitsAndFlags.flatMap(([limit, flag, narrower]): [string, unknown][] => {
      if (first[limit] === undefined || second[limit] === undefined) return [];
      const value = narrower(first[limit], second[limit]);
      const flagged = [first, second].filter((schema) => schema[flag] !== undefined);
      if (flagged.length === 0) return [[limit, value]];
      return [
        [limit, value],
        [flag, flagged.some((schema) => schema[limit] === value && (schema[flag] as unknown) === true)],
      ];
    }),
  );
}
