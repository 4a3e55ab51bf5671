/** Decides what the mock answers to a request. No connection is involved. */
import type { IncomingHttpHeaders } from "node:http";
import type { Edition, Plan, PlanOperation } from "../plan/plan.ts";
import { accept } from "../request/accept.ts";
import { decodeBody, type ReceivedBody } from "../request/body.ts";
import type { Act } from "./act.ts";
import { choosePreferred, chooseRefusal, describeChoices, firstSuccess, parsePrefer } from "./choices.ts";
import { actedReply, failureReply, type MockReply, preferredReply, refusedReply, toReply } from "./replies.ts";
import { type Address, makeRouter, type Route } from "./router.ts";
import { optionsReply, unknownReply } from "./unknown.ts";
import { findViolations, type RequestFacts, type Violation } from "./violations.ts";

export type { MockReply } from "./replies.ts";
export type { Address } from "./router.ts";

export interface MockRequest {
  method: string;
  /** The path as it was sent, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: ReceivedBody;
}

interface AnswererOptions {
  readonly plan: Plan;
  /** The edition whose operations are answered. */
  readonly edition: Edition;
  /** Answers what is accepted; without it a success is the first documented one. */
  readonly act?: Act;
  /** Whether a key is accepted; every key by default. */
  readonly isKeyAccepted?: (key: string) => boolean;
  /** The time of the world of a key, in milliseconds since 1970; that of the machine by default. */
  readonly timeOf?: (key: string | undefined) => number;
  /** The URL of an address; known once the mock listens. */
  readonly urlOf: (address: Address) => string;
}

export type Answerer = (address: Address, request: MockRequest) => MockReply;

/**
 * Makes the function that answers the requests to an address. It never throws: when the mock itself fails, the answer is a plain
 * 500.
 *
 * The first that applies decides: no such path or method, an answer chosen with `Prefer` (first of all checks, so that
 * every documented answer is available with any request), the API key, the parameters, the body, what the call does.
 */
export function makeAnswerer({ plan, edition, urlOf, ...options }: AnswererOptions): Answerer {
  const route = makeRouter(plan, edition);
  return (address, request) => {
    const found = route(address, request.method, request.path);
    const otherUrl = () => urlOf(address === "base_url" ? "deposit_base_url" : "base_url");
    if (request.method === "OPTIONS") return optionsReply(found, otherUrl);
    if (found.kind !== "operation") return unknownReply(found, otherUrl);
    try {
      return answerOperation(options, found, request);
    } catch (error) {
      return failureReply(found.operation, error);
    }
  };
}

type OperationRoute = Extract<Route, { kind: "operation" }>;

function answerOperation(
  { act, isKeyAccepted, timeOf = Date.now }: Pick<AnswererOptions, "act" | "isKeyAccepted" | "timeOf">,
  { operation, pathParameters }: OperationRoute,
  request: MockRequest,
): MockReply {
  const preferences = parsePrefer(joined(request.headers.prefer) ?? "");
  const preferred = choosePreferred(preferences, operation);
  const warnings = warningsOf(preferred, operation);
  if (preferred.answer !== undefined) {
    return preferredReply(operation, preferred.answer, { applied: preferred.applied, pathParameters, warnings });
  }

  const facts = factsOf(operation, pathParameters, request);
  const violations = [...keyViolations(operation, facts, isKeyAccepted), ...findViolations(operation, facts)];
  const refusal = violations.length === 0 ? undefined : chooseRefusal(operation, violations);
  if (refusal !== undefined) {
    const at = timeOf(operation.keyHeader && facts.headers[operation.keyHeader]);
    return refusedReply(operation, refusal.answer, { messages: refusal.messages, warnings, at });
  }
  if (violations.length > 0) {
    warnings.push("The request violates the contract, which defines no answer for that.");
  } else if (act !== undefined) {
    return actedReply(operation, act(accept(operation, facts, preferences)), warnings);
  }
  return toReply(operation, firstSuccess(operation), warnings);
}

function factsOf(
  { requestBody }: PlanOperation,
  pathParameters: Record<string, string>,
  { query, headers, body }: MockRequest,
): RequestFacts {
  return {
    pathParameters,
    query,
    headers: flatten(headers),
    body: requestBody === undefined ? { kind: "absent" } : decodeBody(requestBody, body, headers),
  };
}

/** A key that is missing is found with the other violations. */
function keyViolations(
  { keyHeader }: PlanOperation,
  { headers }: RequestFacts,
  isKeyAccepted: AnswererOptions["isKeyAccepted"],
): Violation[] {
  const key = keyHeader === undefined ? undefined : headers[keyHeader];
  return !key || isKeyAccepted === undefined || isKeyAccepted(key) ? [] : [{ kind: "security" }];
}

function warningsOf({ ignored, unsupported }: ReturnType<typeof choosePreferred>, operation: PlanOperation): string[] {
  return [
    ...(ignored ? [`A preference matches no documented answer. Choose from: ${describeChoices(operation)}`] : []),
    ...(unsupported.length > 0
      ? [`Without effect in Prefer: ${unsupported.join(", ")}. It knows code and example.`]
      : []),
  ];
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, joined(value) ?? ""]));
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
