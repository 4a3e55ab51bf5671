/** What an operation has once everything proposed is out of it, so that what refers to more is found. */
import {
  isCode,
  isRef,
  type JsonSchema,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  parseExpression,
  type RequestBodyObject,
  type ResponseObject,
} from "../../contract/index.ts";
import type { Draft } from "./draft.ts";

/** The parameters of an operation, the fields of its requests and successful answers, and its P-codes. */
export interface Known {
  parameters: Set<string>;
  request: Set<string>;
  response: Set<string>;
  codes: Set<string>;
}

/** Reads what an operation has. */
export function knownOf(draft: Draft, operation: OperationObject, item: PathItemObject): Known {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) => {
    return draft.target<ParameterObject>(parameter)?.name ?? "";
  });
  const answers = Object.entries(operation.responses);
  const successes = answers.filter(([status]) => status.startsWith("2")).map(([, answer]) => answer);
  return {
    parameters: new Set(parameters),
    request: fieldsOf(draft, [operation.requestBody]),
    response: fieldsOf(draft, successes),
    codes: new Set(answers.flatMap(([, answer]) => codesOf(draft, answer))),
  };
}

/** The fields of all bodies of requests or answers. */
export function fieldsOf(draft: Draft, holders: unknown[]): Set<string> {
  const schemas = holders.flatMap((holder) => {
    const { content = {} } = draft.target<RequestBodyObject>(holder) ?? {};
    return Object.values(content).map(({ schema }) => schema);
  });
  return new Set(schemas.flatMap((schema) => [...draft.propertyNames(schema)]));
}

/** The P-codes of an answer. */
export function codesOf(draft: Draft, answer: unknown): string[] {
  const { content = {} } = draft.target<ResponseObject>(answer) ?? {};
  return Object.values(content).flatMap(({ schema }) => {
    const branches = (draft.target<JsonSchema>(schema)?.oneOf ?? []) as unknown[];
    return branches.flatMap((branch) => codeNamed(branch) ?? []);
  });
}

/** The P-code that a branch refers to. */
export function codeNamed(branch: unknown): string | undefined {
  const name = isRef(branch) ? branch.$ref.slice(branch.$ref.lastIndexOf("/") + 1) : "";
  return isCode(name) ? name : undefined;
}

/** Whether an expression refers to something that the operation has. One of another form is left to lint. */
export function holds(expression: unknown, { parameters, request, response }: Known): boolean {
  const parsed = typeof expression === "string" ? parseExpression(expression) : undefined;
  if (parsed === undefined) return true;
  if (parsed.of === "request") return request.has(parsed.name);
  if (parsed.of === "response") return response.has(parsed.name);
  return parameters.has(parsed.name);
}
