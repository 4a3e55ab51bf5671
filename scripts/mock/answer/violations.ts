/** How a request violates the contract, and in which words the mock says so: those of Prism. */

import type { PlanParameter, SchemaError } from "../plan/plan.ts";
import type { DecodedBody } from "../request/body.ts";

/** How a body violates the contract, as far as `x-invalid-request` distinguishes it. */
export type BodyViolationKind = "mediaType" | "tooLarge" | "alternative" | "missing" | "otherwise";

/** One way in which a request violates the contract. Messages hold names and rules, and no value that was sent. */
export type Violation =
  | { kind: "security" }
  | { kind: "parameter"; parameter: PlanParameter; message: string }
  | { kind: BodyViolationKind; message: string };

export function parameterViolation(parameter: PlanParameter, rule: string): Violation {
  return { kind: "parameter", parameter, message: `${parameter.in} parameter ${parameter.name}: ${rule}` };
}

/** @param path keys and indices of what is wrong within the body. */
export function bodyViolation(keyword: string, path: readonly string[], rule: string): Violation {
  const subject = path.length === 0 ? "" : `${path.join(".")} `;
  return { kind: bodyViolationKind(keyword, path), message: `body: ${subject}${rule}` };
}

/** An `anyOf` of the whole body says of which parts one is needed. */
function bodyViolationKind(keyword: string, path: readonly string[]): BodyViolationKind {
  if (keyword === "anyOf" && path.length === 0) return "alternative";
  return ["required", "dependentRequired"].includes(keyword) ? "missing" : "otherwise";
}

/** What a body without a value violates; `isAbsent` tells that none was sent. */
export function emptyBodyViolation(isAbsent: boolean): Violation {
  return isAbsent
    ? { kind: "missing", message: "body: is required" }
    : { kind: "otherwise", message: "body: must not be empty" };
}

/** The path of an error of a validator, as keys and indices. */
export function pathOf({ instancePath }: SchemaError): string[] {
  return instancePath.split("/").filter((segment) => segment !== "");
}

/** The rule that an error of a validator names, as Prism writes it. */
export function ruleOf({ message = "", params }: SchemaError): string {
  const { allowedValues, additionalProperty, unevaluatedProperty } = params as {
    allowedValues?: readonly unknown[];
    additionalProperty?: string;
    unevaluatedProperty?: string;
  };
  return [
    message,
    ...("allowedValues" in params ? [`: ${allowedValues?.join(", ")}`] : []),
    ...("additionalProperty" in params ? [`; found '${additionalProperty}'`] : []),
    ...("unevaluatedProperty" in params ? [`: '${unevaluatedProperty}'`] : []),
  ].join("");
}

const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A text that nobody takes for a number. */
const noNumber = "none";

/**
 * The text of a parameter as validators are given it. JavaScript, and with it Ajv, takes `Infinity`, `0x10`, `1e400` and white
 * space for numbers: where a number is wanted, a text that is none is judged in place of them.
 */
export function judgedText({ type }: PlanParameter, text: string): string {
  if (type !== "number" && type !== "integer") return text;
  const isRead = !Number.isNaN(Number(text));
  return isRead && !(decimal.test(text) && Number.isFinite(Number(text))) ? noNumber : text;
}

/** What was sent for a parameter; undefined for nothing or an empty text in the query, a list when it was repeated. */
export function sentValue(
  { name, in: location }: PlanParameter,
  { pathParameters, query, headers }: Pick<RequestFacts, "pathParameters" | "query" | "headers">,
): string | string[] | undefined {
  if (location === "path") return pathParameters[name];
  if (location === "header") return headers[name.toLowerCase()];
  const values = query.getAll(name);
  return values.length > 1 ? values : values[0] || undefined;
}

/** What the validation of a request looks at. */
export interface RequestFacts {
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: DecodedBody;
}
