/** The replies of an operation: documented answers, with what the mock says of them. */

import { JournalError } from "../journal/journal.ts";
import type { PlanAnswer, PlanOperation } from "../plan/plan.ts";
import type { Acted } from "./act.ts";

export interface MockReply {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The path template of the contract; undefined when no path matches. */
  template: string | undefined;
  /** The P-code of the answer. */
  code: string | undefined;
  /** Messages for the terminal. They hold nothing of what was sent. */
  notes: string[];
}

/** A documented answer as it is. */
export function toReply(operation: PlanOperation, answer: PlanAnswer, warnings: readonly string[]): MockReply {
  const { status, code, body } = answer;
  return {
    status,
    headers: { ...answer.headers, ...assumesHeader(operation, answer), ...warningHeader(warnings) },
    body,
    template: operation.path,
    code,
    notes: [...warnings],
  };
}

interface PreferredReply {
  /** As `Preference-Applied` states them. */
  applied: readonly string[];
  pathParameters: Readonly<Record<string, string>>;
  warnings: readonly string[];
}

/** An answer that `Prefer` chose. One chosen by its P-code names what was sent; one chosen by its example is the example. */
export function preferredReply(
  operation: PlanOperation,
  answer: PlanAnswer,
  { applied, pathParameters, warnings }: PreferredReply,
): MockReply {
  const sent = Object.values(pathParameters);
  const names = answer.code !== undefined && sent.length > 0 && applied.join() === `code=${answer.code}`;
  const { errorMessage, ...body } = names ? (JSON.parse(answer.body) as Record<string, unknown>) : {};
  const told = { ...body, errorMessage: `${errorMessage}: ${sent.join(", ")}` };
  const reply = toReply(operation, names ? { ...answer, body: JSON.stringify(told) } : answer, warnings);
  return { ...reply, headers: { ...reply.headers, "preference-applied": applied.join(", ") } };
}

const mostMessages = 5;
const longestMessage = 300;

/**
 * The documented body of a refusal, with the time of the world (`at`) and a message that names the violations. An answer without a
 * P-code is identified by its message, which therefore stays as documented; one that is no JSON stays as it is.
 */
export function refusedReply(
  operation: PlanOperation,
  answer: PlanAnswer,
  { messages, warnings, at }: { messages: readonly string[]; warnings: readonly string[]; at: number },
): MockReply {
  if (!isJson(answer.mediaType)) return toReply(operation, answer, warnings);
  const body = {
    ...(JSON.parse(answer.body) as Record<string, unknown>),
    ...(answer.code === undefined || messages.length === 0 ? {} : { errorMessage: joinMessages(messages) }),
    timestamp: new Date(at).toISOString(),
  };
  return toReply(operation, { ...answer, body: JSON.stringify(body) }, warnings);
}

function joinMessages(messages: readonly string[]): string {
  const shown = messages.slice(0, mostMessages).map((message) => message.slice(0, longestMessage));
  const more = messages.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** What a call with a state led to. */
export function actedReply(
  operation: PlanOperation,
  { status, body, code, headers = {}, notes }: Acted,
  warnings: readonly string[],
): MockReply {
  const documented = operation.answers.find((answer) => answer.status === status);
  const mediaType = documented?.mediaType;
  const isText = typeof body === "string" && !isJson(mediaType);
  const answer = {
    status,
    mediaType,
    example: undefined,
    code,
    headers: { ...(mediaType === undefined ? {} : { "content-type": mediaType }), ...headers },
    body: body === undefined ? "" : isText ? body : JSON.stringify(body),
  };
  const reply = toReply(operation, answer, warnings);
  return { ...reply, notes: [...reply.notes, ...notes] };
}

function isJson(mediaType = ""): boolean {
  return /[/+]json\b/.test(mediaType);
}

/** The answer to a failure of the mock itself, so that nobody takes it for one of the service. */
export function failureReply(operation: PlanOperation, error: unknown): MockReply {
  const notes = [`The mock failed: ${describeFailure(error)}`];
  return { ...plainText(500, "The mock failed. See its terminal."), template: operation.path, notes };
}

/** Type and location of a failure, without its message: some hold paths and values. That of a journal holds the name of its file. */
function describeFailure(error: unknown): string {
  if (error instanceof JournalError) return error.message;
  if (!(error instanceof Error)) return "unknown";
  const place = error.stack?.split("\n").find((line) => line.trimStart().startsWith("at "));
  return `${error.name} ${place?.trim() ?? ""}`.trim();
}

/** A reply of the mock itself. */
export function plainText(status: number, text: string): MockReply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: `${text}\n`,
    template: undefined,
    code: undefined,
    notes: [],
  };
}

/** What the answer rests on that nobody has confirmed. */
function assumesHeader({ assumes }: PlanOperation, { status, code }: PlanAnswer): Record<string, string> {
  const marks = assumes[code ?? status] ?? assumes[status];
  return marks === undefined ? {} : { "x-mock-assumes": marks.join(", ") };
}

function warningHeader(warnings: readonly string[]): Record<string, string> {
  return warnings.length === 0 ? {} : { "x-mock-warning": printable(warnings.join(" ")) };
}

/** The text with every character replaced that a header value may not contain. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
