import { isDeepStrictEqual } from "node:util";
import { isAnnotation, type JsonSchema, pointerOf } from "../../model/index.ts";
import { combineKeywords } from "../combine-keywords.ts";
import { RefusedSchema } from "./refused-schema.ts";

interface Options {
  /** Replaces a reference with its target. */
  withoutReference(schema: JsonSchema): JsonSchema;
  /** The pointer of the combined schema, for a refusal. */
  pointer: string;
}

/**
 * Makes one schema for values that match both schemas. Marks are combined; of two descriptions or other annotations, the second is kept.
 *
 * @throws {RefusedSchema} if a keyword has two values that cannot be combined, or if `additionalProperties` of one schema would apply to
 * fields of the other.
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
    throw new RefusedSchema(options.pointer, {
      problem: `has two values of ${conflict}`,
      remedy: "Keep one of them",
    });
  }
  if (excludesFieldsOf(first, second) || excludesFieldsOf(second, first)) {
    const problem = "has additionalProperties beside the fields of another schema";
    throw new RefusedSchema(options.pointer, { problem, remedy: "Write all fields in one schema" });
  }
  return { ...first, ...second, ...combineProperties(first, second, options), ...combined };
}

/** Whether the `additionalProperties` restrict a field that only `other` has. */
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
    const pointer = `${options.pointer}${pointerOf(["properties", name]).slice(1)}`;
    const [own, other] = [options.withoutReference(earlier), options.withoutReference(schema)];
    return [[name, combineSchemas(own, other, { ...options, pointer })]];
  });
  return { properties: { ...first.properties, ...second.properties, ...Object.fromEntries(shared) } };
}

/** In OpenAPI 3.0, `exclusiveMinimum` is a flag on `minimum`, so the two keywords are combined together. */
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
