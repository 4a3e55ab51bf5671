/** The forms of a value that differ in their JSON type: a string or a number, one object or a list. */
import type { SourceLocation } from "../../contract/model/index.ts";
import type { Element, SchemaRole } from "./element.ts";
import { knownValues } from "./facts.ts";

/** Keywords that a form must not have, because they would become facts of the whole value and apply to the other forms too. */
const keywordsOfWholeValue: readonly string[] = ["enum", "const", "not", "if", "then", "else", "anyOf", "oneOf"];

/**
 * The types of an `anyOf` or `oneOf` whose alternatives have no type in common, and none of {@link keywordsOfWholeValue}. Each keyword then
 * applies to values of one type only, so the alternatives mean the same as one schema with all their keywords:
 * `{ type: [string, number], pattern }`.
 *
 * @returns undefined for other alternatives.
 */
export function typesOfForms(alternatives: SourceLocation): string[] | undefined {
  const forms = alternatives.items();
  const typesByForm = forms.map((form) => permittedTypes(form));
  const types = typesByForm.flatMap((formTypes) => formTypes ?? []);
  const isNumber = types.includes("number") && types.includes("integer");
  const haveDistinctTypes = !typesByForm.includes(undefined) && new Set(types).size === types.length;
  return haveDistinctTypes && !isNumber && forms.every(appliesToOneType) ? types.sort() : undefined;
}

/** Includes, recursively, the target of the reference and the parts of `allOf`. */
function partsOf(schema: SourceLocation): SourceLocation[] {
  return [schema, ...innerSchemasOf(schema).flatMap(partsOf)];
}

function innerSchemasOf(schema: SourceLocation): SourceLocation[] {
  return [...(schema.target.id === schema.id ? [] : [schema.target]), ...schema.child("allOf").items()];
}

type Types = readonly string[] | undefined;

/** The sorted types that a schema and all its parts permit; undefined if they permit all types. */
export function permittedTypes(schema: SourceLocation, ancestorIds: readonly string[] = []): Types {
  if (ancestorIds.includes(schema.id)) return undefined;
  const innerIds = [...ancestorIds, schema.id];
  const ownTypes = [schema.child("type").value ?? []].flat() as string[];
  return [
    ownTypes.length === 0 ? undefined : ownTypes.sort(),
    ...innerSchemasOf(schema).map((inner) => permittedTypes(inner, innerIds)),
    ...["oneOf", "anyOf"].map((keyword) => typesOfChoice(schema.child(keyword), innerIds)),
  ].reduce(commonTypes);
}

/** The types of an `anyOf` or `oneOf` that is compared as one value; undefined for any other, or if it permits all types. */
function typesOfChoice(choice: SourceLocation, ancestorIds: readonly string[]): Types {
  if (!choice.exists || knownValues(choice) !== undefined) return undefined;
  const alternatives = choice.items().filter((alternative) => !isNull(alternative));
  const [onlyForm] = alternatives.length === 1 ? alternatives : [];
  const types = onlyForm === undefined ? typesOfForms(choice) : permittedTypes(onlyForm, ancestorIds);
  return types === undefined || !choice.items().some(isNull) ? types : [...new Set([...types, "null"])].sort();
}

export const isNull = ({ value }: SourceLocation): boolean => (value as { type?: unknown } | null)?.type === "null";

/** The types that both lists permit; undefined stands for all types. */
export function commonTypes(types: Types, otherTypes: Types): Types {
  if (types === undefined || otherTypes === undefined) return types ?? otherTypes;
  const common = [
    ...types.filter((type) => isPermitted(type, otherTypes)),
    ...otherTypes.filter((type) => isPermitted(type, types)),
  ];
  return [...new Set(common)].sort();
}

export const isPermitted = (type: string, types: readonly string[]): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));

function appliesToOneType(schema: SourceLocation): boolean {
  return partsOf(schema).every((part) => keywordsOfWholeValue.every((keyword) => !part.child(keyword).exists));
}

const typeOfConstraint: Readonly<Record<string, string>> = {
  pattern: "string",
  minLength: "string",
  maxLength: "string",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minItems: "array",
  maxItems: "array",
  uniqueItems: "array",
  minProperties: "object",
  maxProperties: "object",
  additionalProperties: "object",
  requiredNames: "object",
  requiredOneOf: "object",
};

const numberFormats: readonly unknown[] = ["int32", "int64", "float", "double"];

/** Whether a fact or keyword concerns a type that only one of two values can have. Then only the change of the type is reported. */
export function followsFromType(name: string, before: Element, after: Element): boolean {
  const formats = [before.keywords.format, after.keywords.format];
  const isText = name === "format" && !formats.some((format) => numberFormats.includes(format));
  const type = isText ? "string" : typeOfConstraint[name];
  return type !== undefined && canBe(before, type) !== canBe(after, type);
}

/** By the role of a subschema: the type of the values that contain it; undefined if they can have any type. */
const typeOfHolder: Readonly<Record<SchemaRole["kind"], string | undefined>> = {
  property: "object",
  additionalProperties: "object",
  items: "array",
  alternative: undefined,
};

/** Whether the value in `holder` cannot have such an element: it cannot be an object (for a field) or a list (for items). */
export function isOfAnotherForm({ role }: Element, holder: Element | undefined): boolean {
  const type = role && typeOfHolder[role.kind];
  return holder !== undefined && type !== undefined && !canBe(holder, type);
}

function canBe({ facts: { type: types } }: Element, type: string): boolean {
  return types === undefined || types.includes(type) || (type === "number" && types.includes("integer"));
}
