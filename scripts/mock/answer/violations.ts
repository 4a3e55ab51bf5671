/** How a request violates the contract, and in which words the mock says so. */

import type { PlanBody, PlanOperation, PlanParameter, SchemaError, Validator } from "../plan/plan.ts";
import type { DecodedBody } from "../request/body.ts";

/** How a body violates the contract, as far as its answers differ. */
export type BodyViolationKind = "mediaType" | "tooLarge" | "alternative" | "missing" | "otherwise";

/** One way in which a request violates the contract. Messages hold names and rules, and no value that was sent. */
export type Violation =
  | { kind: "security" }
  | { kind: "parameter"; parameter: PlanParameter; message: string }
  | { kind: BodyViolationKind; message: string };

/** What the validation of a request looks at. */
export interface RequestFacts {
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: DecodedBody;
}

/** Every way in which the request violates the contract. */
export function findViolations(operation: PlanOperation, request: RequestFacts): Violation[] {
  return [
    ...securityViolations(operation, request),
    ...bodyViolations(operation, request),
    ...parameterViolations(operation, request),
  ];
}

function securityViolations({ keyHeader }: PlanOperation, { headers }: RequestFacts): Violation[] {
  return keyHeader === undefined || headers[keyHeader] ? [] : [{ kind: "security" }];
}

function bodyViolations({ requestBody }: PlanOperation, { body }: RequestFacts): Violation[] {
  if (requestBody === undefined) return [];
  if (body.kind === "invalid") return [body.violation];
  if (body.kind === "absent") return requestBody.required ? [emptyBodyViolation(true)] : [];
  // null, false, 0 and "" are as good as no body.
  if (requestBody.required && !body.value) return [emptyBodyViolation(false)];
  if (body.value === null) return [];
  const found = requestBody.bodies.find(({ mediaType }) => mediaType === body.mediaType);
  return found === undefined ? [] : valueViolations(found, body.value);
}

function valueViolations({ validator }: PlanBody, value: unknown): Violation[] {
  const errors = errorsOf(validator, value);
  if (errors === undefined) return [{ kind: "otherwise", message: "body: is too long to be checked" }];
  return errors.map((error) => bodyViolation(error.keyword, pathOf(error), ruleOf(error)));
}

const locations = ["header", "query", "path"] as const;

/** Header, then query, then path; in each, what is missing comes first. */
function parameterViolations({ parameters }: PlanOperation, request: RequestFacts): Violation[] {
  return locations.flatMap((location) => {
    const here = parameters.filter((parameter) => parameter.in === location);
    const sent = here.map((parameter) => ({ parameter, value: sentValue(parameter, request) }));
    const missing = sent.filter(({ parameter, value }) => parameter.required && value === undefined);
    return [
      ...missing.map(({ parameter }) => parameterViolation(parameter, "is required")),
      ...sent.flatMap(({ parameter, value }) => (value === undefined ? [] : ruleViolations(parameter, value))),
    ];
  });
}

function ruleViolations(parameter: PlanParameter, value: string | string[]): Violation[] {
  const errors = errorsOf(parameter.validator, typeof value === "string" ? judgedText(parameter, value) : value);
  if (errors === undefined) return [parameterViolation(parameter, "is too long to be checked")];
  return errors.map((error) => parameterViolation(parameter, ruleOf(error)));
}

/** What is wrong with a value; undefined when the validator fails, which a text of several megabytes can bring about. */
function errorsOf(validator: Validator, value: unknown): NonNullable<Validator["errors"]> | undefined {
  try {
    return validator(value) ? [] : (validator.errors ?? []);
  } catch {
    return undefined;
  }
}

function parameterViolation(parameter: PlanParameter, rule: string): Violation {
  return { kind: "parameter", parameter, message: `${parameter.in} parameter ${parameter.name}: ${rule}` };
}

/** @param path keys and indices of what is wrong within the body. */
function bodyViolation(keyword: string, path: readonly string[], rule: string): Violation {
  const subject = path.length === 0 ? "" : `${path.join(".")} `;
  return { kind: bodyViolationKind(keyword, path), message: `body: ${subject}${rule}` };
}

/** An `anyOf` of the whole body says of which parts one is needed. */
function bodyViolationKind(keyword: string, path: readonly string[]): BodyViolationKind {
  if (keyword === "anyOf" && path.length === 0) return "alternative";
  return ["required", "dependentRequired"].includes(keyword) ? "missing" : "otherwise";
}

/** What a body without a value violates; `isAbsent` tells that none was sent. */
function emptyBodyViolation(isAbsent: boolean): Violation {
  return isAbsent
    ? { kind: "missing", message: "body: is required" }
    : { kind: "otherwise", message: "body: must not be empty" };
}

/** The path of an error of a validator, as keys and indices. */
function pathOf({ instancePath }: SchemaError): string[] {
  return instancePath.split("/").filter((segment) => segment !== "");
}

/** The rule that an error of a validator names. */
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
function judgedText({ type }: PlanParameter, text: string): string {
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
