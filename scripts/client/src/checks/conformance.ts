/** No validator that compiles schemas is used, because edge workers forbid code generation at run time. */
import { isObject } from "../base/is-object.ts";
import { childPointer } from "../base/json-pointer.ts";
import type { Violation } from "./deviations.ts";

/**
 * - `type`: a required field is missing, or a value has another JSON type than its schema.
 * - `literal`: a value that is not in the listed set, or is excluded by `not`. In a union, such a value shows that another branch applies.
 * - `form`: the value has the right type, but violates another rule, such as a format or a limit.
 * - `extra`: a valid field or value that the contract does not list.
 */
type ViolationKind = "type" | "literal" | "form" | "extra";

export interface FoundViolation extends Violation {
  readonly kind: ViolationKind;
  /** The schema that has the keyword `rule`, if the keyword restricts a text, a number or the set of values. */
  readonly schema: Schema | undefined;
}

export interface Inspection {
  /** The violations of the generated type: missing fields and wrong JSON types. */
  readonly typeViolations: readonly Violation[];
  /**
   * All violations, including `typeViolations`. In a list, only the first 1,000 items are checked. A violation that several items share is
   * reported once.
   */
  readonly violations: readonly Violation[];
}

/** The JSON pointer is made only for a problem, because most values have none. */
interface Position {
  readonly parent: Position | undefined;
  readonly key: string | number;
  readonly question: string | undefined;
  /** Receives the violations at this position and below it. */
  readonly found: FoundViolation[];
}

export function inspect(schema: Schema, body: unknown): Inspection {
  const found = findViolations(schema, body);
  const toViolation = ({ kind: _kind, schema: _schema, ...violation }: FoundViolation): Violation => violation;
  return {
    typeViolations: found.filter(({ kind }) => kind === "type").map(toViolation),
    violations: found.map(toViolation),
  };
}

/** Each violation once, even if several items of a list share it. */
export function findViolations(schema: Schema, body: unknown): FoundViolation[] {
  const found: FoundViolation[] = [];
  checkWithNames(schema, body, { parent: undefined, key: "", question: undefined, found });
  const reportedKeys = new Set<string>();
  return found.filter(({ pointer, rule }) => {
    const key = `${pointer.replace(/\/\d+(?=\/|$)/g, "/0")} ${rule}`;
    return !reportedKeys.has(key) && reportedKeys.add(key);
  });
}

function checkWithNames(schema: Schema, value: unknown, position: Position): void {
  if (!isObject(value)) {
    check(schema, value, position, noNames);
    return;
  }
  const listedNames = new Set<string>();
  check(schema, value, position, listedNames);
  if (listedNames.size === 0) return;
  const { question = position.question } = schema;
  for (const name of Object.keys(value)) {
    if (listedNames.has(name)) continue;
    report({ ...childPosition(position, maskName(name)), question }, "unlisted-field", "extra");
  }
}

/** The listed names of a value that is not an object. No name is ever added. */
const noNames = new Set<string>();

/** A name that does not look like a field name may be personal data, so `*` replaces it. */
export function maskName(name: string): string {
  return /^[A-Za-z_]{1,40}\d{0,3}$/.test(name) ? name : "*";
}

function check(schema: Schema, value: unknown, position: Position, listedNames: Set<string>): void {
  const { question = position.question } = schema;
  const fullPosition = question === position.question ? position : { ...position, question };
  const mismatch = typeViolation(schema, value);
  if (mismatch !== undefined) {
    report(fullPosition, "type", mismatch);
    return;
  }
  if (schema.const !== undefined && value !== schema.const) report(fullPosition, "const", "literal", schema);
  if (schema.enum !== undefined && !schema.enum.includes(value)) report(fullPosition, "enum", "literal", schema);
  if (schema.known !== undefined && typeof value === "string" && !schema.known.includes(value)) {
    report(fullPosition, "unlisted-value", "extra");
  }
  if (typeof value === "string" || typeof value === "number") checkScalar(schema, value, fullPosition);
  else if (Array.isArray(value)) checkItems(schema, value, fullPosition);
  else if (isObject(value)) checkFields(schema, value, fullPosition, listedNames);
  checkCombined(schema, value, fullPosition, listedNames);
}

function report(position: Position, rule: string, kind: ViolationKind, schema?: Schema): void {
  const { question, found } = position;
  found.push({ pointer: pointerTo(position), rule, kind, schema, ...(question === undefined ? {} : { question }) });
}

function pointerTo({ parent, key }: Position): string {
  if (parent === undefined) return "";
  return childPointer(pointerTo(parent), key);
}

function typeViolation({ type }: Schema, value: unknown): ViolationKind | undefined {
  if (type === undefined) return undefined;
  const actualType = value === null ? "null" : Array.isArray(value) ? "array" : (typeof value as JsonType);
  if (type === actualType) return undefined;
  const types = typeof type === "string" ? [type] : type;
  if (types.includes(actualType)) return undefined;
  if (actualType !== "number" || !types.includes("integer")) return "type";
  // Integers have the same TypeScript type as other numbers.
  return Number.isInteger(value) ? undefined : "form";
}

function checkScalar(schema: Schema, value: string | number, position: Position): void {
  const violate = (rule: string) => report(position, rule, "form", schema);
  if (typeof value === "string") {
    const { pattern, format, minLength, maxLength } = schema;
    const length = (minLength ?? maxLength) === undefined ? 0 : [...value].length;
    if (pattern?.test(value) === false) violate("pattern");
    if (format?.test(value) === false) violate("format");
    if (length < (minLength ?? 0)) violate("minLength");
    if (length > (maxLength ?? Infinity)) violate("maxLength");
    return;
  }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (value < (minimum ?? -Infinity)) violate("minimum");
  if (value > (maximum ?? Infinity)) violate("maximum");
  // These have no default of Infinity: a JSON number that is too large for a double, such as 1e400, is parsed as Infinity.
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) violate("exclusiveMinimum");
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) violate("exclusiveMaximum");
}

/** Maximum number of list items that are checked. A violation is reported once for all items, so later items rarely add a new one. */
const maxCheckedItems = 1_000;

function checkItems(
  { items, minItems = 0, maxItems = Infinity }: Schema,
  list: readonly unknown[],
  position: Position,
): void {
  if (items !== undefined) {
    for (const [index, item] of list.slice(0, maxCheckedItems).entries()) {
      checkWithNames(items, item, childPosition(position, index));
    }
  }
  if (list.length < minItems) report(position, "minItems", "form");
  if (list.length > maxItems) report(position, "maxItems", "form");
}

function checkFields(
  { properties = {}, required = [], additionalProperties, minProperties }: Schema,
  value: Record<string, unknown>,
  position: Position,
  listedNames: Set<string>,
): void {
  for (const name of required) {
    if (hasMember(value, name)) continue;
    const { question = position.question } = properties[name] ?? {};
    report({ ...childPosition(position, name), question }, "required", "type");
  }
  for (const name of Object.keys(properties)) {
    listedNames.add(name);
    if (hasMember(value, name)) checkWithNames(properties[name] as Schema, value[name], childPosition(position, name));
  }
  if (additionalProperties !== undefined) {
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(properties, name)) continue;
      listedNames.add(name);
      checkWithNames(additionalProperties, value[name], childPosition(position, "*"));
    }
  }
  if (minProperties !== undefined && Object.keys(value).length < minProperties) {
    report(position, "minProperties", "form");
  }
}

function hasMember(value: Record<string, unknown>, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name);
}

/** The open question of the parent is not inherited: it concerns only the presence of the members. */
function childPosition(parent: Position, key: string | number): Position {
  return { parent, key, question: undefined, found: parent.found };
}

function checkCombined(schema: Schema, value: unknown, position: Position, listedNames: Set<string>): void {
  const { allOf, anyOf, oneOf, not, if: condition } = schema;
  if (allOf !== undefined) for (const part of allOf) check(part, value, position, listedNames);
  if (anyOf !== undefined) checkBranches(anyOf, value, position, listedNames);
  if (oneOf !== undefined && checkBranches(oneOf, value, position, listedNames) > 1) report(position, "oneOf", "form");
  if (not !== undefined && isValid(violationsOf(not, value, position, new Set()))) report(position, "not", "literal");
  if (condition === undefined) return;
  const branch = isValid(violationsOf(condition, value, position, listedNames)) ? schema.then : schema.else;
  // Conditional schemas are not part of the generated type, so they do not violate the type.
  for (const violation of branch === undefined ? [] : violationsOf(branch, value, position, listedNames)) {
    position.found.push(violation.kind === "type" ? { ...violation, kind: "form" } : violation);
  }
}

/** Adds the violations and the listed names of the branch that fits best. @returns the number of branches for which the value is valid. */
function checkBranches(
  branches: readonly Schema[],
  value: unknown,
  position: Position,
  listedNames: Set<string>,
): number {
  const results = branches.map((branch) => {
    const names = new Set<string>();
    return { names, found: violationsOf(branch, value, position, names) };
  });
  const closestBranch = results.reduce((best, next) => (distance(next.found) < distance(best.found) ? next : best));
  for (const name of closestBranch.names) listedNames.add(name);
  // Pushed one by one, because spreading more than some 100,000 arguments can overflow the stack.
  for (const violation of closestBranch.found) position.found.push(violation);
  return results.filter(({ found }) => isValid(found)).length;
}

function violationsOf(schema: Schema, value: unknown, position: Position, listedNames: Set<string>): FoundViolation[] {
  const found: FoundViolation[] = [];
  check(schema, value, { ...position, found }, listedNames);
  return found;
}

/** A wrong literal counts most: `type: "exchange"` identifies the branch even if most of the other fields are missing. */
function distance(found: readonly FoundViolation[]): number {
  const weights: Record<ViolationKind, number> = { literal: 1e9, type: 1e6, form: 1e3, extra: 1 };
  return found.reduce((sum, { kind }) => sum + weights[kind], 0);
}

function isValid(found: readonly FoundViolation[]): boolean {
  return found.every(({ kind }) => kind === "extra");
}

export type JsonType = "null" | "boolean" | "number" | "integer" | "string" | "array" | "object";

/** Without annotations, with `pattern` and `format` as regular expressions. The generator rejects other keywords. */
export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: RegExp;
  readonly format?: RegExp;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  /** The listed values of an `x-open-enum`. Other values are valid too. */
  readonly known?: readonly string[];
  /** Id of the open question that covers the schema. */
  readonly question?: string;
}
