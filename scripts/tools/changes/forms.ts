/** The forms of a value that differ in their JSON type: a string or a number, one object or a list. */
import type { SourceLocation } from "../../contract/model/index.ts";
import type { Element, SchemaRole } from "./element.ts";

/** Keywords that a form must not have, because they would become facts of the whole value and apply to the other forms too. */
const keywordsOfWholeValue: readonly string[] = ["enum", "const", "not", "if", "then", "else", "anyOf", "oneOf"];

/**
 * The types of an `anyOf` or `oneOf` whose alternatives have no type in common, and none of {@link keywordsOfWholeValue}. Each keyword then
 * applies to values of one type only, so that the alternatives mean the same as one schema with all their keywords:
 * `{ type: [string, number], pattern }`.
 *
 * @returns undefined for other alternatives.
 */
export function typesOfForms(alternatives: SourceLocation): string[] | undefined {
  const forms = alternatives.items();
  const types = forms.flatMap((form) => [...new Set(typesOf(form) ?? [])]);
  const isNumber = types.includes("number") && types.includes("integer");
  const haveDistinctTypes = forms.every((form) => typesOf(form) !== undefined) && new Set(types).size === types.length;
  return haveDistinctTypes && !isNumber && forms.every(appliesToOneType) ? types : undefined;
}

/** The schema and, recursively, the target of its reference and the parts of its `allOf`. */
function partsOf(schema: SourceLocation): SourceLocation[] {
  const innerSchemas = [...(schema.target.id === schema.id ? [] : [schema.target]), ...schema.child("allOf").items()];
  return [schema, ...innerSchemas.flatMap(partsOf)];
}

function typesOf(schema: SourceLocation): string[] | undefined {
  const types = partsOf(schema).flatMap((part) => [part.child("type").value ?? []].flat() as string[]);
  return types.length === 0 ? undefined : types;
}

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

/** The type of a value that contains fields of a role; alternatives are values of any type. */
const typeOfHolder: Readonly<Record<SchemaRole["kind"], string | undefined>> = {
  property: "object",
  additionalProperties: "object",
  items: "array",
  alternative: undefined,
};

/** Whether the element, a field or the items of a list, is part of a form that the value in `holder` cannot have. */
export function isOfAnotherForm({ role }: Element, holder: Element | undefined): boolean {
  const type = role && typeOfHolder[role.kind];
  return holder !== undefined && type !== undefined && !canBe(holder, type);
}

function canBe({ facts: { type: types } }: Element, type: string): boolean {
  return types === undefined || types.includes(type) || (type === "number" && types.includes("integer"));
}
