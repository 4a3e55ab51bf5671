/** A request that reaches no operation, for example because its path is unknown, gets plain text. */
import { ControlError } from "../checks/error.ts";
import { MockError } from "../kernel/transactions.ts";
import { memoize } from "../memoize.ts";
import type { PlanOperation, PlanResponse } from "../plan/plan.ts";
import type { Route } from "../request/router.ts";
import { documentedBody, isJson, type PreferredResponse } from "./choices.ts";

export interface MockReply {
  /** `drop`: the connection is closed without a response. */
  readonly status: number | "drop";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly template: string | undefined;
  readonly code: string | undefined;
  /** Messages for the log. They contain no values that the contract marks as sensitive, except countries that `openapi/mock.yaml` lists. */
  readonly notes: readonly string[];
  /** Milliseconds before the reply is sent. */
  readonly delay?: number | undefined;
  /** Whether the connection is closed after the first half of the body. */
  readonly isCut?: boolean | undefined;
  /** Makes the error with which an in-process `fetch` rejects for the status `drop`. Default: the error of a broken connection. */
  readonly rejection?: ((url: URL) => unknown) | undefined;
}

const headersOf = memoize(({ assumes }: PlanOperation) =>
  memoize(({ code, status, headers }: PlanResponse): MockReply["headers"] => {
    const questions = assumes[code ?? status] ?? assumes[status];
    return { ...headers, ...(questions === undefined ? {} : { "x-mock-assumes": questions.join(", ") }) };
  }),
);

export function toReply(
  operation: PlanOperation,
  response: PlanResponse,
  warnings: readonly string[],
  body: string = response.body,
): MockReply {
  const { status, code } = response;
  const responseHeaders = headersOf(operation)(response);
  // Only printable ASCII is kept, because other characters can make a header value invalid.
  const warning = warnings.join(" ").replace(/[^\x20-\x7e]/g, "?");
  const headers = warning === "" ? responseHeaders : { ...responseHeaders, "x-mock-warning": warning };
  return { status, headers, body, template: operation.path, code, notes: warnings };
}

/**
 * A response without a P-code keeps the documented message, because clients can identify it only by its message.
 *
 * @param time of the response, in milliseconds since 1970; the documented time when left out.
 */
export function documentedReply(
  operation: PlanOperation,
  response: PlanResponse,
  { message, time, warnings = [] }: { message?: string | undefined; time?: number; warnings?: readonly string[] },
): MockReply {
  if (!isJson(response.mediaType)) return toReply(operation, response, warnings);
  const body = { ...(documentedBody(response) as Record<string, unknown>) };
  if (typeof body.errorMessage === "string" && response.code !== undefined && message !== undefined) {
    body.errorMessage = message;
  }
  if ("timestamp" in body && time !== undefined) body.timestamp = new Date(time).toISOString();
  return toReply(operation, response, warnings, JSON.stringify(body));
}

/** If a P-code is the only applied preference of `Prefer`, the message names the identifiers in the path. */
export function preferredReply(
  operation: PlanOperation,
  response: PlanResponse,
  { appliedPreferences, warnings }: PreferredResponse,
  identifiers: readonly string[],
): MockReply {
  const mustNameIdentifiers = identifiers.length > 0 && appliedPreferences.join() === `code=${response.code}`;
  const { errorMessage } = mustNameIdentifiers ? (JSON.parse(response.body) as { errorMessage?: string }) : {};
  const reply = mustNameIdentifiers
    ? documentedReply(operation, response, { message: `${errorMessage}: ${identifiers.join(", ")}`, warnings })
    : toReply(operation, response, warnings);
  return { ...reply, headers: { ...reply.headers, "preference-applied": appliedPreferences.join(", ") } };
}

export interface CallOutcome {
  readonly response: PlanResponse;
  readonly body: unknown;
  readonly notes: readonly string[];
  /** Open questions on which this outcome depends, in addition to the questions of the documented response. */
  readonly questions?: readonly string[];
}

export function outcomeReply(
  operation: PlanOperation,
  { response, body, notes, questions = [] }: CallOutcome,
  warnings: readonly string[],
): MockReply {
  const text = body === undefined ? "" : isJson(response.mediaType) ? JSON.stringify(body) : String(body);
  const reply = toReply(operation, response, warnings, text);
  const allNotes = [...warnings, ...notes];
  if (questions.length === 0) return { ...reply, notes: allNotes };
  const allQuestions = new Set([...(reply.headers["x-mock-assumes"]?.split(", ") ?? []), ...questions]);
  return {
    ...reply,
    headers: { ...reply.headers, "x-mock-assumes": [...allQuestions].sort().join(", ") },
    notes: allNotes,
  };
}

/** The reply when the mock itself fails, or has no room for another world: plain text, unlike the errors of the service. */
export function failureReply(error: unknown, template?: string): MockReply {
  if (error instanceof ControlError)
    return { ...textReply(error.status, error.message), template, notes: [error.message] };
  const note = `The mock failed: ${describeFailure(error)}`;
  const text = error instanceof MockError ? note : "The mock failed. See its terminal.";
  return { ...textReply(500, text), template, notes: [note] };
}

/** The message is included only for an error of the mock, because another message may contain received values. */
function describeFailure(error: unknown): string {
  if (error instanceof MockError) return error.message;
  const { name, stack = "" } = error as Error;
  return `${name} ${/^ *(at .*)$/m.exec(stack)?.[1] ?? ""}`.trim();
}

export function unroutedReply(route: Exclude<Route, { kind: "operation" }>, otherUrl: () => string): MockReply {
  if (route.kind === "unknown") {
    const hint = route.nearestPath === undefined ? "" : ` The nearest one is ${route.nearestPath}`;
    return textReply(404, `The contract has no such path.${hint}`);
  }
  const { template } = route;
  if (route.kind === "otherAddress") {
    return { ...textReply(404, `This path is available on the other address only: ${otherUrl()}`), template };
  }
  if (route.kind === "otherEdition") {
    const [edition] = route.editions;
    const choice = `Choose it with --edition ${edition}, in a program with the option edition.`;
    return { ...textReply(404, `This operation is in the edition ${edition} only. ${choice}`), template };
  }
  const allow = route.allowedMethods.join(", ");
  const reply = textReply(405, `This path allows these methods only: ${allow}`);
  return { ...reply, headers: { ...reply.headers, allow }, template };
}

export function optionsReply(template: string | undefined, methods: readonly string[]): MockReply {
  const allow = methods.join(", ");
  const headers = {
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": "*",
    "access-control-max-age": "600",
  };
  return { status: 204, headers, body: "", template, code: undefined, notes: [] };
}

const textHeaders: MockReply["headers"] = { "content-type": "text/plain; charset=utf-8" };

export function textReply(status: number, text: string): MockReply {
  return { status, headers: textHeaders, body: `${text}\n`, template: undefined, code: undefined, notes: [] };
}

export function jsonReply(status: number, body: unknown, template?: string): MockReply {
  const headers = { "content-type": "application/json" };
  return { ...textReply(status, ""), headers, body: JSON.stringify(body), template };
}
