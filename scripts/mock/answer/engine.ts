/** What judges requests and produces documented answers: the validators of the plan, or Prism (`scripts/plan/prism-engine.ts`). */
import type { PlanAnswer, PlanBody, PlanOperation, PlanParameter, Validator } from "../plan/plan.ts";
import {
  bodyViolation,
  emptyBodyViolation,
  judgedText,
  parameterViolation,
  pathOf,
  type RequestFacts,
  ruleOf,
  sentValue,
  type Violation,
} from "./violations.ts";

export interface Engine {
  /** Every way in which the request violates the contract. */
  findViolations(operation: PlanOperation, request: RequestFacts): Violation[] | Promise<Violation[]>;
  /** A documented answer of the operation, ready to be sent. */
  produceAnswer(operation: PlanOperation, answer: PlanAnswer): PlanAnswer | Promise<PlanAnswer>;
}

/** The validators and the answers that the plan holds. */
export const compiledEngine: Engine = {
  findViolations: (operation, request) => [
    ...securityViolations(operation, request),
    ...bodyViolations(operation, request),
    ...parameterViolations(operation, request),
  ],
  produceAnswer: (_operation, answer) => answer,
};

function securityViolations({ keyHeader }: PlanOperation, { headers }: RequestFacts): Violation[] {
  return keyHeader === undefined || headers[keyHeader] ? [] : [{ kind: "security" }];
}

function bodyViolations({ requestBody }: PlanOperation, { body }: RequestFacts): Violation[] {
  if (requestBody === undefined) return [];
  if (body.kind === "invalid") return [body.violation];
  if (body.kind === "absent") return requestBody.required ? [emptyBodyViolation(true)] : [];
  // null, false, 0 and "" are no body for Prism.
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
