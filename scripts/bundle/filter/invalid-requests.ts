/** Takes out of the answers to invalid requests (`x-invalid-request`) what an operation is not known to answer. */
import { isDeepStrictEqual } from "node:util";
import {
  type InvalidRequest,
  isCode,
  isRef,
  type JsonSchema,
  methods,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type Ref,
  type RequestBodyObject,
} from "../../contract/index.ts";
import type { Draft } from "./draft.ts";
import { codesOf } from "./known.ts";

/**
 * Leaves to each parameter and body the answers that its operation has: a code that it is known to answer with, the
 * status of an answer without one, or, for another 400, a 400 with any code. Where nothing is left, nothing is said.
 * What several operations share stays shared where it suits them all; an operation that it does not suit gets a copy.
 */
export function filterInvalidRequests(draft: Draft): void {
  for (const item of Object.values(draft.document.paths)) {
    const operations = methods.flatMap((method) => item[method] ?? []);
    for (const operation of operations) {
      const { parameters, requestBody } = operation;
      if (parameters !== undefined) operation.parameters = parameters.map((one) => suited(draft, operation, one));
      if (requestBody !== undefined) operation.requestBody = suited(draft, operation, requestBody);
    }
    filterShared(draft, item, operations);
  }
}

/** The parameters of a path item: one that suits its operations in different ways moves to them. */
function filterShared(draft: Draft, item: PathItemObject, operations: OperationObject[]): void {
  const kept: (ParameterObject | Ref)[] = [];
  for (const parameter of item.parameters ?? []) {
    const [first = parameter, ...others] = operations.map((operation) => suited(draft, operation, parameter));
    if (others.every((other) => isDeepStrictEqual(other, first))) kept.push(first);
    else {
      for (const [index, operation] of operations.entries()) {
        operation.parameters = [[first, ...others][index] ?? parameter, ...(operation.parameters ?? [])];
      }
    }
  }
  if (kept.length > 0) item.parameters = kept;
  else delete item.parameters;
}

/** A parameter or body as it suits an operation: itself, or a copy with what is left of its answers. */
function suited<Holder extends ParameterObject | RequestBodyObject>(
  draft: Draft,
  operation: OperationObject,
  holder: Holder | Ref,
): Holder | Ref {
  const target = draft.target<Holder>(holder);
  const named = target?.["x-invalid-request"];
  if (target === undefined || named === undefined) return holder;
  const left = answersLeft(draft, operation, named);
  if (isDeepStrictEqual(left, named)) return holder;
  const { ...copy } = isRef(holder) ? structuredClone(target) : target;
  if (left === undefined) delete (copy as Record<string, unknown>)["x-invalid-request"];
  else Object.assign(copy, { "x-invalid-request": left });
  return copy;
}

function answersLeft(draft: Draft, operation: OperationObject, named: InvalidRequest): InvalidRequest | undefined {
  if (typeof named === "string") return answerLeft(draft, operation, named);
  const kinds = Object.entries(named).map(([kind, name]) => [kind, answerLeft(draft, operation, name)] as const);
  const kept = Object.fromEntries(kinds.filter(([, answer]) => answer !== undefined));
  return Object.keys(kept).length === 0 ? undefined : (kept as InvalidRequest);
}

function answerLeft(draft: Draft, { responses }: OperationObject, name: string): string | undefined {
  const isAnswerWithoutCode = (status: string) => {
    return responses[status] !== undefined && codesOf(draft, responses[status]).length === 0;
  };
  const isThere = isCode(name)
    ? Object.values(responses).some((answer) => codesOf(draft, answer).includes(name))
    : isAnswerWithoutCode(name);
  if (isThere) return name;
  const error = draft.document.components?.schemas?.[name] as JsonSchema | undefined;
  return error?.["x-error"]?.status === 400 && isAnswerWithoutCode("400") ? "400" : undefined;
}
