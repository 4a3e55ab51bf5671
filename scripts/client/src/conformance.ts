/**
 * Compares a body with its schema. This interpreter of a subset of JSON Schema is used because edge workers do not allow code generation at
 * run time, and because it separates deviations that break the TypeScript type from all others.
 */
import type { Violation } from "./deviations.ts";

/**
 * The effect of a problem.
 *
 * - `type`: the body does not have the TypeScript type generated from the schema.
 * - `literal`: a value outside of a listed set; in a union, a sign that another branch is meant.
 * - `form`: the value has the right type but the wrong format.
 * - `extra`: valid, but not listed in the contract.
 */
type Kind = "type" | "literal" | "form" | "extra";

interface Problem extends Violation {
  kind: Kind;
}

/** The deviations found in a body. */
export interface Inspection {
  /** Violations of the generated type: missing fields and wrong JSON types. */
  readonly breaks: readonly Violation[];
  /** All deviations, `breaks` included. Items of a list that deviate alike are reported once. */
  readonly violations: readonly Violation[];
}

/** The location of a value in the body, and the open question that its schema names. */
interface Position {
  pointer: string;
  question: string | undefined;
}

/** Compares a body with its schema. */
export function inspect(schema: Schema, body: unknown): Inspection {
  const seen = new Set<string>();
  const problems = problemsAt(schema, body, { pointer: "", question: undefined }).filter(({ pointer, rule }) => {
    const key = `${pointer.replace(/\/\d+(?=\/|$)/g, "/0")} ${rule}`;
    return !seen.has(key) && seen.add(key);
  });
  return {
    breaks: problems.filter(({ kind }) => kind === "type").map(withoutKind),
    violations: problems.map(withoutKind),
  };
}

function withoutKind({ kind: _, ...violation }: Problem): Violation {
  return violation;
}

/** The problems of one value, and the names of its fields that no schema lists. */
function problemsAt(schema: Schema, value: unknown, position: Position): Problem[] {
  const listed = new Set<string>();
  const problems = problemsOf(schema, value, position, listed);
  // A schema that lists no properties allows any: none counts as unlisted.
  if (!isObject(value) || listed.size === 0) return problems;
  const { question = position.question } = schema;
  const unlisted = Object.keys(value).filter((name) => !listed.has(name));
  const places = unlisted.map((name) => ({ ...within(position, safeName(name)), question }));
  return [...problems, ...places.map((place) => problem(place, "unlisted-field", "extra"))];
}

/** An unlisted name may be personal data: only names that look like field names are shown. */
function safeName(name: string): string {
  return /^[A-Za-z_]{1,40}\d{0,3}$/.test(name) ? name : "*";
}

/** @param listed receives the names of all fields that the schema lists. */
function problemsOf(schema: Schema, value: unknown, position: Position, listed: Set<string>): Problem[] {
  const here = { ...position, question: schema.question ?? position.question };
  const mismatch = typeProblem(schema, value);
  if (mismatch !== undefined) return [problem(here, "type", mismatch)];
  const found = literalRules(schema, value).map(([rule, kind]) => problem(here, rule, kind));
  if (typeof value === "string" || typeof value === "number") {
    addAll(
      found,
      brokenRules(schema, value).map((rule) => problem(here, rule, "form")),
    );
  } else if (Array.isArray(value)) addAll(found, listProblems(schema, value, here));
  else if (isObject(value)) addAll(found, fieldProblems(schema, value, here, listed));
  addAll(found, combinedProblems(schema, value, here, listed));
  return found;
}

function problem({ pointer, question }: Position, rule: string, kind: Kind): Problem {
  return { pointer, rule, kind, ...(question === undefined ? {} : { question }) };
}

/** The JSON type of a value; every number is a `number`. */
function typeOf(value: unknown): JsonType {
  return value === null ? "null" : Array.isArray(value) ? "array" : (typeof value as JsonType);
}

function typeProblem({ type }: Schema, value: unknown): Kind | undefined {
  if (type === undefined) return undefined;
  const actual = typeOf(value);
  const types = typeof type === "string" ? [type] : type;
  if (types.includes(actual)) return undefined;
  if (actual !== "number" || !types.includes("integer")) return "type";
  // Integers have the same TypeScript type as other numbers.
  return Number.isInteger(value) ? undefined : "form";
}

/** The rules on listed values that a value breaks. */
function literalRules(schema: Schema, value: unknown): [rule: string, kind: Kind][] {
  const rules: [string, Kind][] = [];
  if (schema.const !== undefined && value !== schema.const) rules.push(["const", "literal"]);
  if (schema.enum !== undefined && !schema.enum.includes(value)) rules.push(["enum", "literal"]);
  if (schema.known !== undefined && typeof value === "string" && !schema.known.includes(value)) {
    rules.push(["unlisted-value", "extra"]);
  }
  return rules;
}

/** The rules on the form of a string or a number that a value breaks. */
function brokenRules(schema: Schema, value: string | number): string[] {
  const { pattern, format, minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const isText = typeof value === "string";
  const length = isText && (minLength ?? maxLength) !== undefined ? [...value].length : 0;
  const broken: Record<string, boolean | undefined> = isText
    ? {
        pattern: pattern && !pattern.test(value),
        format: format && !format.test(value),
        minLength: length < (minLength ?? 0),
        maxLength: length > (maxLength ?? Infinity),
      }
    : {
        minimum: value < (minimum ?? -Infinity),
        maximum: value > (maximum ?? Infinity),
        exclusiveMinimum: exclusiveMinimum !== undefined && value <= exclusiveMinimum,
        exclusiveMaximum: exclusiveMaximum !== undefined && value >= exclusiveMaximum,
      };
  return Object.keys(broken).filter((rule) => broken[rule]);
}

/** Maximum number of compared list items. Items that deviate alike are reported once, so later items rarely add anything. */
const mostItems = 1_000;

function listProblems(
  { items, minItems = 0, maxItems = Infinity }: Schema,
  list: unknown[],
  here: Position,
): Problem[] {
  const first = items === undefined ? [] : list.slice(0, mostItems);
  const found = first.flatMap((item, index) => problemsAt(items as Schema, item, within(here, index)));
  if (list.length < minItems) found.push(problem(here, "minItems", "form"));
  if (list.length > maxItems) found.push(problem(here, "maxItems", "form"));
  return found;
}

function fieldProblems(schema: Schema, value: Record<string, unknown>, here: Position, listed: Set<string>): Problem[] {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = schema;
  const has = (name: string) => Object.hasOwn(value, name) && value[name] !== undefined;
  const found: Problem[] = [];
  for (const name of required) {
    if (has(name)) continue;
    const { question = here.question } = properties[name] ?? {};
    found.push(problem({ ...within(here, name), question }, "required", "type"));
  }
  for (const [name, property] of Object.entries(properties)) {
    listed.add(name);
    if (has(name)) addAll(found, problemsAt(property, value[name], within(here, name)));
  }
  if (additionalProperties !== undefined) {
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(properties, name)) continue;
      listed.add(name);
      addAll(found, problemsAt(additionalProperties, value[name], within(here, "*")));
    }
  }
  if (Object.keys(value).length < minProperties) found.push(problem(here, "minProperties", "form"));
  return found;
}

/** Adds the problems one by one, because spreading a hundred thousand arguments overflows the stack. */
function addAll(found: Problem[], more: readonly Problem[]): void {
  for (const each of more) found.push(each);
}

/** The position of a member. An open question on an object concerns its fields, not the values inside them. */
function within(here: Position, key: string | number): Position {
  return { question: undefined, pointer: `${here.pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}` };
}

/** The problems found by keywords that apply further schemas to the same value. */
function combinedProblems(schema: Schema, value: unknown, here: Position, listed: Set<string>): Problem[] {
  const found = (schema.allOf ?? []).flatMap((part) => problemsOf(part, value, here, listed));
  if (schema.anyOf !== undefined) addAll(found, closestBranch(schema.anyOf).problems);
  if (schema.oneOf !== undefined) {
    const { problems, valid } = closestBranch(schema.oneOf);
    addAll(found, problems);
    if (valid > 1) found.push(problem(here, "oneOf", "form"));
  }
  if (schema.not !== undefined && isValid(problemsOf(schema.not, value, here, new Set()))) {
    found.push(problem(here, "not", "literal"));
  }
  if (schema.if !== undefined) {
    const branch = isValid(problemsOf(schema.if, value, here, listed)) ? schema.then : schema.else;
    // Conditional schemas are not part of the generated types, so they cannot break them.
    const conditional = branch === undefined ? [] : problemsOf(branch, value, here, listed);
    addAll(
      found,
      conditional.map((each) => (each.kind === "type" ? { ...each, kind: "form" as const } : each)),
    );
  }
  return found;

  function closestBranch(branches: readonly Schema[]): { problems: Problem[]; valid: number } {
    const results = branches.map((branch) => {
      const names = new Set<string>();
      return { names, problems: problemsOf(branch, value, here, names) };
    });
    const closest = results.reduce((best, next) => (distance(next.problems) < distance(best.problems) ? next : best));
    for (const name of closest.names) listed.add(name);
    return { problems: closest.problems, valid: results.filter(({ problems }) => isValid(problems)).length };
  }
}

/**
 * How badly a value matches a branch of a union. A wrong literal counts most: `type: "exchange"` identifies the branch even if most of it
 * is missing.
 */
function distance(problems: readonly Problem[]): number {
  const weights: Record<Kind, number> = { literal: 1e9, type: 1e6, form: 1e3, extra: 1 };
  return problems.reduce((sum, { kind }) => sum + weights[kind], 0);
}

function isValid(problems: readonly Problem[]): boolean {
  return problems.every(({ kind }) => kind === "extra");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The type of a JSON value; an `integer` is a `number`. */
export type JsonType = "null" | "boolean" | "number" | "integer" | "string" | "array" | "object";

/**
 * A schema of the contract, reduced to the keywords that the runtime compares; a format is replaced by its regular expression. The
 * generator rejects any other keyword.
 */
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
  /** Known values of an open set, which accepts others as well. */
  readonly known?: readonly string[];
  /** The open question that covers the schema. */
  readonly question?: string;
}
