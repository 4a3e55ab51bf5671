/** What the mock replies: documented answers, with what it says of them, and its own words where there is none. */
import { MockFault, UnitRefused } from "../kernel/changes.ts";
import type { PlanAnswer, PlanOperation } from "../plan/plan.ts";
import type { Route } from "../request/router.ts";
import type { Acted } from "../tenants/act.ts";
import type { Preferred, RefusedAnswer } from "./choices.ts";

export interface MockReply {
  /** `drop` closes the connection without an answer. */
  readonly status: number | "drop";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The path template of the contract; undefined when no path matches. */
  readonly template: string | undefined;
  /** The P-code of the answer. */
  readonly code: string | undefined;
  /** Messages for the terminal. They hold nothing of what was sent. */
  readonly notes: readonly string[];
  /** Milliseconds to wait before it is sent. */
  readonly delay?: number | undefined;
}

/** The headers of a documented answer, the same object each time. */
const headersOfAnswers = new WeakMap<PlanAnswer, MockReply["headers"]>();

function headersOf({ assumes }: PlanOperation, answer: PlanAnswer): MockReply["headers"] {
  const known = headersOfAnswers.get(answer);
  if (known !== undefined) return known;
  const marks = assumes[answer.code ?? answer.status] ?? assumes[answer.status];
  // What the answer rests on that nobody has confirmed.
  const headers = { ...answer.headers, ...(marks === undefined ? {} : { "x-mock-assumes": marks.join(", ") }) };
  headersOfAnswers.set(answer, headers);
  return headers;
}

/** A documented answer as it is, or with another body. */
export function toReply(
  operation: PlanOperation,
  answer: PlanAnswer,
  warnings: readonly string[],
  body: string = answer.body,
): MockReply {
  const { status, code } = answer;
  const own = headersOf(operation, answer);
  const headers = warnings.length === 0 ? own : { ...own, ...warningHeader(warnings) };
  return { status, headers, body, template: operation.path, code, notes: warnings };
}

/** The bodies of documented answers, parsed. */
const documentedBodies = new WeakMap<PlanAnswer, Readonly<Record<string, unknown>>>();

/**
 * The reply with a documented answer, with another message and at the present time. An answer without a P-code is identified by its
 * message, which therefore stays as documented; one that is no JSON stays as it is.
 */
export function documentedReply(
  operation: PlanOperation,
  answer: PlanAnswer,
  { message, at, warnings = [] }: { message?: string | undefined; at?: number; warnings?: readonly string[] },
): MockReply {
  if (!isJson(answer.mediaType)) return toReply(operation, answer, warnings);
  const documented = documentedBodies.get(answer) ?? (JSON.parse(answer.body) as Record<string, unknown>);
  documentedBodies.set(answer, documented);
  const body = { ...documented };
  if (typeof body.errorMessage === "string" && answer.code !== undefined && message !== undefined) {
    body.errorMessage = message;
  }
  if ("timestamp" in body && at !== undefined) body.timestamp = new Date(at).toISOString();
  return toReply(operation, answer, warnings, JSON.stringify(body));
}

/** An answer that `Prefer` chose. One chosen by its P-code names what was sent; one chosen by its example is the example. */
export function preferredReply(
  operation: PlanOperation,
  answer: PlanAnswer,
  { applied, warnings }: Preferred,
  sent: readonly string[],
): MockReply {
  const names = sent.length > 0 && applied.join() === `code=${answer.code}`;
  const { errorMessage } = names ? (JSON.parse(answer.body) as { errorMessage?: string }) : {};
  const reply = names
    ? documentedReply(operation, answer, { message: `${errorMessage}: ${sent.join(", ")}`, warnings })
    : toReply(operation, answer, warnings);
  return { ...reply, headers: { ...reply.headers, "preference-applied": applied.join(", ") } };
}

const mostMessages = 5;
const longestMessage = 300;

/** The documented refusal at the time of the world (`at`), with a message that names the violations. */
export function refusedReply(
  operation: PlanOperation,
  { answer, messages }: RefusedAnswer,
  warnings: readonly string[],
  at: number,
): MockReply {
  const message = messages.length === 0 ? undefined : joinMessages(messages);
  return documentedReply(operation, answer, { message, at, warnings });
}

function joinMessages(messages: readonly string[]): string {
  const shown = messages.slice(0, mostMessages).map((message) => message.slice(0, longestMessage));
  const more = messages.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** What a call with a state led to, which the operation documents. */
export function actedReply(operation: PlanOperation, acted: Acted, warnings: readonly string[]): MockReply {
  const { status, body, code } = acted;
  const ofStatus = operation.answers.filter((answer) => answer.status === status);
  const answer = (ofStatus.find((one) => one.code === code) ?? ofStatus[0]) as PlanAnswer;
  const isText = typeof body === "string" && !isJson(answer.mediaType);
  const text = body === undefined ? "" : isText ? body : JSON.stringify(body);
  const notes = warnings.length === 0 ? acted.notes : [...warnings, ...acted.notes];
  return { ...toReply(operation, answer, warnings, text), code, notes };
}

/** Whether bodies of a media type are JSON. */
export function isJson(mediaType: string | undefined): boolean {
  return /[/+]json\b/.test(mediaType ?? "");
}

/**
 * The answer to a failure of the mock itself, so that nobody takes it for one of the service. Only a mistake that the mock has found
 * itself is named in the body.
 */
export function failureReply(error: unknown, template?: string): MockReply {
  const note = `The mock failed: ${describeFailure(error)}`;
  const unkept = "The mock cannot write its state, so that nothing was changed. See its terminal.";
  const text =
    error instanceof MockFault ? note : error instanceof UnitRefused ? unkept : "The mock failed. See its terminal.";
  return { ...plainText(500, text), template, notes: [note] };
}

/** Type and location of a failure. Only messages of the mock's own are told: others hold paths and values. */
function describeFailure(error: unknown): string {
  if (error instanceof UnitRefused || error instanceof MockFault) return error.message;
  if (!(error instanceof Error)) return "unknown";
  const place = error.stack?.split("\n").find((line) => line.trimStart().startsWith("at "));
  return `${error.name} ${place?.trim() ?? ""}`.trim();
}

/** The reply where the contract has no operation. @param otherUrl gives the URL of the other address. */
export function unknownReply(found: Exclude<Route, { kind: "operation" }>, otherUrl: () => string): MockReply {
  switch (found.kind) {
    case "unknown": {
      const hint = found.nearest === undefined ? "" : ` The nearest one is ${found.nearest}`;
      return plainText(404, `The contract has no such path.${hint}`);
    }
    case "otherAddress": {
      const reply = plainText(404, `This path is available on the other address only: ${otherUrl()}`);
      return { ...reply, template: found.template };
    }
    case "otherEdition": {
      const [edition] = found.editions;
      const choice = `Choose it with --edition ${edition}, in a program with the option edition.`;
      const reply = plainText(404, `This operation is in the edition ${edition} only. ${choice}`);
      return { ...reply, template: found.template };
    }
    case "wrongMethod": {
      const allow = found.allowed.join(", ");
      const reply = plainText(405, `This path allows these methods only: ${allow}`);
      return { ...reply, headers: { ...reply.headers, allow }, template: found.template };
    }
  }
}

/** The reply to OPTIONS, which lets a page of another origin call the mock. */
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

/** A reply of the mock itself. */
export function plainText(status: number, text: string): MockReply {
  const headers = textHeaders;
  return { status, headers, body: `${text}\n`, template: undefined, code: undefined, notes: [] };
}

/** A reply of the control interface. */
export function jsonReply(status: number, body: unknown, template?: string): MockReply {
  const headers = { "content-type": "application/json" };
  return { ...plainText(status, ""), headers, body: JSON.stringify(body), template };
}

function warningHeader(warnings: readonly string[]): Record<string, string> {
  // No other characters may be in the value of a header.
  return warnings.length === 0 ? {} : { "x-mock-warning": warnings.join(" ").replace(/[^\x20-\x7e]/g, "?") };
}
