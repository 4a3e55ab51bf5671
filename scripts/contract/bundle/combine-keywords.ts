import { type JsonSchema, weakestProvenance } from "../model/index.ts";

/** Sentences for the description. They have a key of their own until the end, because simplification can replace the description. */
export const sentencesKey = "x-added-sentences";

const union = (first: unknown[], second: unknown[]) => [...new Set([...first, ...second])];
const either = (first: boolean, second: boolean) => first || second;

type Combination = (first: never, second: never) => unknown;

/** How the values of a keyword in two schemas become one value. For other keywords, one of the two values is kept. */
const combinations: Readonly<Record<string, Combination>> = {
  ...keywordsWith(union, "required", "x-open-questions", sentencesKey),
  ...keywordsWith(either, "x-sensitive", "deprecated", "readOnly", "writeOnly"),
  ...keywordsWith(weakestProvenance, "x-provenance"),
  ...keywordsWith(Math.max, "minLength", "minItems", "minProperties"),
  ...keywordsWith(Math.min, "maxLength", "maxItems", "maxProperties", "x-max-bytes"),
};

function keywordsWith(combination: Combination, ...keywords: string[]): Record<string, Combination> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, combination]));
}

/** Combines only keywords that both schemas have. */
export function combineKeywords(first: JsonSchema, second: JsonSchema): JsonSchema {
  const shared = Object.entries(combinations).filter(
    ([keyword]) => first[keyword] !== undefined && second[keyword] !== undefined,
  );
  return Object.fromEntries(
    shared.map(([keyword, combine]) => [keyword, combine(first[keyword] as never, second[keyword] as never)]),
  );
}

export function isMark(keyword: string): boolean {
  return ["x-provenance", "x-sensitive", "x-open-questions"].includes(keyword);
}

/** Adds the marks of schemas from which the schema has taken constraints or fields. */
export function withMarksOf(schema: JsonSchema, ...others: readonly JsonSchema[]): JsonSchema {
  let marked = schema;
  for (const other of others) {
    const marks = Object.fromEntries(Object.entries(other).filter(([key]) => isMark(key)));
    marked = { ...marked, ...marks, ...combineKeywords(marked, marks) };
  }
  return marked;
}
