import type { PlanOperation, PlanParameter, SchemaError, Validator } from "../plan/plan.ts";
import {
  type BodyViolation,
  type BodyViolationKind,
  type DecodedBody,
  decimalPattern,
  type MockRequest,
} from "./body.ts";
import { brokenRules } from "./rules.ts";

export type Violation =
  | { kind: "security" }
  | { kind: "parameter"; parameter: PlanParameter; message: string }
  | BodyViolation;

export interface RequestFacts extends Pick<MockRequest, "query" | "headers"> {
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly body: DecodedBody;
}

export function findViolations(operation: PlanOperation, request: RequestFacts): Violation[] {
  const { keyHeader } = operation;
  const violations = [...bodyViolations(operation, request), ...parameterViolations(operation, request)];
  return keyHeader !== undefined && !request.headers[keyHeader] ? [{ kind: "security" }, ...violations] : violations;
}

function bodyViolations({ requestBody }: PlanOperation, { body }: RequestFacts): Violation[] {
  if (requestBody === undefined) return [];
  if (body.kind === "invalid") return [body.violation];
  if (body.kind === "absent") return requestBody.required ? [{ kind: "missing", message: "body: is required" }] : [];
  // A required body must not be null, false, 0 or "".
  if (requestBody.required && !body.value) return [{ kind: "otherwise", message: "body: must not be empty" }];
  if (body.value === null) return [];
  const planBody = requestBody.bodies.find(({ mediaType }) => mediaType === body.mediaType);
  const errors = planBody === undefined ? [] : errorsOf(planBody.validator, body.value);
  if (errors === undefined) return [{ kind: "otherwise", message: "body: is too long to be checked" }];
  return brokenRules(errors).map(({ path, rule, keyword }) => {
    const subject = path.length === 0 ? "" : `${path.join(".")} `;
    return { kind: bodyViolationKind(keyword, path), message: `body: ${subject}${rule}` };
  });
}

/** An `anyOf` at the root of a body, which requires at least one of several members, has its own kind of violation. */
function bodyViolationKind(keyword: string, path: readonly string[]): BodyViolationKind {
  if (keyword === "anyOf" && path.length === 0) return "alternative";
  return ["required", "dependentRequired"].includes(keyword) ? "missing" : "otherwise";
}

const locations = ["header", "query", "path"];

/** In the order headers, query, path. In each location, missing parameters come first. */
function parameterViolations({ parameters }: PlanOperation, request: RequestFacts): Violation[] {
  const rankedViolations: { rank: number; violation: Violation }[] = [];
  for (const parameter of parameters) {
    const value = parameterValue(parameter, request);
    const rank = 2 * locations.indexOf(parameter.in) + (value === undefined ? 0 : 1);
    const missingRules = parameter.required ? ["is required"] : [];
    for (const rule of value === undefined ? missingRules : parameterProblems(parameter, value)) {
      const message = `${parameter.in} parameter ${parameter.name}: ${rule}`;
      rankedViolations.push({ rank, violation: { kind: "parameter", parameter, message } });
    }
  }
  return rankedViolations.sort((a, b) => a.rank - b.rank).map(({ violation }) => violation);
}

function parameterProblems(parameter: PlanParameter, value: string | string[]): string[] {
  const errors = errorsOf(parameter.validator, typeof value === "string" ? textForValidation(parameter, value) : value);
  return errors === undefined ? ["is too long to be checked"] : brokenRules(errors).map(({ rule }) => rule);
}

/** @returns undefined when the validator throws, for example for a text of several megabytes. */
function errorsOf(validator: Validator, value: unknown): readonly SchemaError[] | undefined {
  try {
    return validator(value) ? [] : (validator.errors ?? []);
  } catch {
    return undefined;
  }
}

/**
 * Ajv also converts texts that are not finite decimal numbers (`Infinity`, `0x10`, `1e400`, a space) to numbers, so such a text is replaced
 * by an invalid one.
 */
function textForValidation({ type }: PlanParameter, text: string): string {
  if (type !== "number" && type !== "integer") return text;
  const isConverted = !Number.isNaN(Number(text));
  return isConverted && !(decimalPattern.test(text) && Number.isFinite(Number(text))) ? "not a number" : text;
}

/** A list if the parameter is repeated in the query; undefined if the parameter is missing, or empty in the query. */
export function parameterValue(
  { name, in: location }: PlanParameter,
  { pathParameters, query, headers }: Omit<RequestFacts, "body">,
): string | string[] | undefined {
  if (location === "path") return pathParameters[name];
  if (location === "header") return headers[name.toLowerCase()];
  const values = query.getAll(name);
  return values.length > 1 ? values : values[0] || undefined;
}
