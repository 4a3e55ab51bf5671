import { isApplicator, readDeprecation, type SourceLocation } from "../../contract/model/index.ts";
import type { Deprecation, Discriminator, Facts, ValueSet } from "./element.ts";

const annotationKeywords: readonly string[] = [
  "title",
  "description",
  "example",
  "examples",
  "$comment",
  "externalDocs",
  "x-open-questions",
];

/** Numeric keywords: 1 if a larger number permits fewer values, -1 if a larger number permits more values. */
export const limits: Readonly<Record<string, 1 | -1>> = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  minContains: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
  maxContains: -1,
  "x-max-bytes": -1,
};

/** Values of keywords that mean the same as an absent keyword. */
export const defaultValues: Readonly<Record<string, unknown>> = {
  uniqueItems: false,
  minLength: 0,
  minItems: 0,
  minProperties: 0,
  minContains: 1,
  additionalProperties: true,
  readOnly: false,
  writeOnly: false,
};

/** Undefined if the operation, webhook, parameter or schema is not deprecated. */
export function deprecationOf(location: SourceLocation): Deprecation | undefined {
  if (location.child("deprecated").value !== true) return undefined;
  const deprecation = location.child("x-deprecation");
  return { description: readDeprecation(deprecation) || "without a reason", until: deprecation.text("until") };
}

/**
 * Keywords that are not added: they are compared in other elements, as provenance or as a deprecation, or (`x-since`) follow from the
 * versions.
 */
const omittedKeywords: readonly string[] = [
  "$ref",
  "type",
  "properties",
  "items",
  "allOf",
  "deprecated",
  "x-provenance",
  "x-origin",
  "x-since",
  "x-error",
  "x-advice",
  "x-deprecation",
];

export interface SchemaStatements {
  readonly facts: Facts;
  /** The different values of each other keyword in the parts, sorted by their JSON texts; for a limit, the tightest value. */
  readonly keywords: Map<string, readonly unknown[]>;
  readonly texts: unknown[];
  readonly requiredNames: Set<string>;
}

/**
 * Adds what one keyword of a schema states. Schemas that describe one value, such as the parts of an `allOf`, add to the same statements.
 */
export function addKeyword(
  { facts, keywords, texts, requiredNames }: SchemaStatements,
  location: SourceLocation,
): void {
  const { key: keyword, value } = location;
  if (omittedKeywords.includes(keyword) || value === defaultValues[keyword]) return;
  if (keyword === "additionalProperties" && typeof value === "object") return;
  if (keyword === "oneOf" || keyword === "anyOf") addAlternatives(facts, location);
  else if (annotationKeywords.includes(keyword)) texts.push([keyword, value]);
  else if (keyword === "required") for (const name of value as string[]) requiredNames.add(name);
  else if (keyword === "enum" || keyword === "const") {
    addValues(facts, { isOpen: false, values: toTexts(keyword === "const" ? [value] : (value as unknown[])) });
  } else if (keyword === "x-open-enum") {
    addValues(facts, { isOpen: true, values: toTexts(Object.keys(value as object)) });
    texts.push([keyword, value]);
  } else if (keyword === "discriminator") facts.discriminator ??= value as Discriminator;
  else if (keyword === "pattern") addValue(keywords, keyword, String(value).replaceAll("[0-9]", "\\d"));
  else if (Object.hasOwn(limits, keyword)) addLimit(keywords, keyword, value);
  else addValue(keywords, keyword, isApplicator(keyword) ? expandValue(location) : value);
}

function addAlternatives(facts: Facts, location: SourceLocation): void {
  const values = knownValues(location);
  if (values !== undefined) addValues(facts, values);
  const requiredSets = requiredByBranches(location);
  if (requiredSets === undefined) return;
  // One set of each choice is required, so each new set is combined with each earlier one.
  const namesOfBoth = (names: readonly string[]) =>
    requiredSets.map((otherNames) => [...new Set([...names, ...otherNames])].sort());
  facts.requiredOneOf = facts.requiredOneOf?.flatMap(namesOfBoth) ?? requiredSets;
}

/** A value has to be in each closed set; an open set does not limit a closed one. */
function addValues(facts: Facts, added: ValueSet): void {
  const { values: existing } = facts;
  if (existing === undefined || (existing.isOpen && !added.isOpen)) facts.values = added;
  else if (existing.isOpen === added.isOpen)
    facts.values = { ...existing, values: existing.values.filter((value) => added.values.includes(value)) };
}

function addValue(keywords: SchemaStatements["keywords"], keyword: string, value: unknown): void {
  const valueByText = new Map(
    [...(keywords.get(keyword) ?? []), value].map((keywordValue) => [JSON.stringify(keywordValue), keywordValue]),
  );
  // Sorted, because the order of the parts of a schema has no meaning.
  const sortedTexts = [...valueByText.keys()].sort();
  keywords.set(
    keyword,
    sortedTexts.map((text) => valueByText.get(text)),
  );
}

function addLimit(keywords: SchemaStatements["keywords"], keyword: string, value: unknown): void {
  const values = [...(keywords.get(keyword) ?? []), value].map(Number);
  keywords.set(keyword, [limits[keyword] === 1 ? Math.max(...values) : Math.min(...values)]);
}

/** The sorted JSON texts of values, without the quotes of strings that cannot be confused with another value. */
function toTexts(values: readonly unknown[]): string[] {
  return values.map((value) => (typeof value === "string" && !isJson(value) ? value : JSON.stringify(value))).sort();
}

function isJson(text: string): boolean {
  // Most texts do not begin like JSON. Catching an exception for each of them would take long.
  if (!/^[\s\d"[{tfn-]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The alternative sets of required fields of an `anyOf` or `oneOf`; undefined if a branch has no `required`, or constrains more than the
 * type.
 */
export function requiredByBranches(location: SourceLocation): string[][] | undefined {
  const branches = location.items().map(({ value }) => value as Record<string, unknown>);
  const isCondition = (branch: Record<string, unknown>): boolean =>
    Array.isArray(branch?.required) &&
    Object.keys(branch).every((keyword) => ["required", "type", ...annotationKeywords].includes(keyword));
  if (!branches.every(isCondition)) return undefined;
  return branches.map(({ required }) => [...(required as string[])].sort());
}

/** The documented values of an open set, if it is written as a choice of an `enum` and its type; undefined for other alternatives. */
export function knownValues(location: SourceLocation): ValueSet | undefined {
  const branches = location.items().map(({ value }) => value as Record<string, unknown>);
  const enumBranch = branches.find((branch) => Array.isArray(branch?.enum));
  const isOpen = branches.some((branch) => branch?.enum === undefined && branch?.type === enumBranch?.type);
  if (branches.length !== 2 || enumBranch === undefined || !isOpen) return undefined;
  return { isOpen: true, values: toTexts(enumBranch.enum as unknown[]) };
}

/** The value with inlined references, except recursive references, and without annotations and `x-` keys. */
function expandValue(location: SourceLocation, ancestorIds: readonly string[] = []): unknown {
  if (ancestorIds.includes(location.id)) return location.value;
  const { target } = location;
  const innerAncestorIds = [...ancestorIds, location.id];
  if (target.id !== location.id) return expandValue(target, innerAncestorIds);
  if (Array.isArray(location.value)) return location.items().map((item) => expandValue(item, innerAncestorIds));
  if (typeof location.value !== "object" || location.value === null) return location.value;
  const parts = location.children().filter(([key]) => !annotationKeywords.includes(key) && !key.startsWith("x-"));
  return Object.fromEntries(parts.map(([key, part]) => [key, expandValue(part, innerAncestorIds)]).sort());
}
