/** Decides what the mock answers to a request. No connection is involved. */
import type { IncomingHttpHeaders } from "node:http";
import type { Address, Contract, Operation } from "../contract/index.ts";
import { decodeBody, type ReceivedBody } from "./body.ts";
import { choicesOf, choosePreferred, chooseRefusal, describeChoices, errorCodeOf } from "./choices.ts";
import type { Prism, ProducedAnswer } from "./prism.ts";
import { makeRouter, type Route } from "./router.ts";

export interface MockRequest {
  method: string;
  /** The path as it was sent, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: ReceivedBody;
}

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

interface AnswererOptions {
  contract: Contract;
  prism: Prism;
  /** The URL of an address; known once the mock listens. */
  urlOf: (address: Address) => string;
}

export type Answerer = (address: Address, request: MockRequest) => Promise<MockReply>;

/**
 * Makes the function that answers the requests to an address. It never throws: when the mock itself fails, the answer is
 * the one that the operation documents for an unforeseen failure, or a plain 500.
 *
 * The first that applies decides: no such path or method, an answer chosen with `Prefer` (first of all checks, so that
 * every documented answer is available with any request), the API key, the parameters, the body, the success.
 */
export function makeAnswerer({ contract, prism, urlOf }: AnswererOptions): Answerer {
  const route = makeRouter(contract.operations);
  return async (address, request) => {
    const found = route(address, request.method, request.path);
    if (request.method === "OPTIONS") return answerOptions(found, urlOf(otherAddress(address)));
    if (found.kind !== "operation") return answerUnknown(found, urlOf(otherAddress(address)));
    try {
      return await answerOperation(prism, found, request);
    } catch (error) {
      return answerFailure(contract, found.operation, error);
    }
  };
}

type OperationRoute = Extract<Route, { kind: "operation" }>;

async function answerOperation(
  prism: Prism,
  { operation, pathParameters }: OperationRoute,
  request: MockRequest,
): Promise<MockReply> {
  const preferred = choosePreferred(joined(request.headers.prefer), operation);
  const warnings = preferred.ignored
    ? [`A preference matches no documented answer. Choose from: ${describeChoices(operation)}`]
    : [];
  if (preferred.choice !== undefined) {
    const answer = await prism.produceAnswer(operation, preferred.choice);
    const headers = { ...answer.headers, "preference-applied": preferred.applied.join(", ") };
    return toReply(operation, { ...answer, headers }, warnings);
  }

  const { requestBody } = operation;
  const violations = await prism.findViolations(operation, {
    pathParameters,
    query: request.query,
    headers: flatten(request.headers),
    body: requestBody === undefined ? { kind: "absent" } : decodeBody(requestBody, request.body, request.headers),
  });
  if (violations.length === 0) return toReply(operation, await prism.produceAnswer(operation), warnings);

  const refusal = chooseRefusal(operation, violations);
  if (refusal === undefined) {
    warnings.push("The request violates the contract, which defines no answer for that.");
    return toReply(operation, await prism.produceAnswer(operation), warnings);
  }
  const answer = await prism.produceAnswer(operation, refusal.choice);
  return toReply(operation, makeSpecific(answer, refusal.messages), warnings);
}

const mostMessages = 5;
const longestMessage = 300;

/**
 * The documented body of a refusal, with the current time and a message that names the violations. An answer without a
 * P-code is identified by its message, which therefore stays as documented.
 */
function makeSpecific(answer: ProducedAnswer, messages: string[]): ProducedAnswer {
  const body = answer.body as Record<string, unknown>;
  const specific =
    errorCodeOf(body) === undefined || messages.length === 0 ? {} : { errorMessage: joinMessages(messages) };
  return { ...answer, body: { ...body, ...specific, timestamp: new Date().toISOString() } };
}

function joinMessages(messages: string[]): string {
  const shown = messages.slice(0, mostMessages).map((message) => message.slice(0, longestMessage));
  const more = messages.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function toReply(operation: Operation, answer: ProducedAnswer, warnings: string[]): MockReply {
  const warning = warnings.length === 0 ? {} : { "x-mock-warning": printable(warnings.join(" ")) };
  return {
    status: answer.status,
    headers: { ...lowerCased(answer.headers), ...warning },
    body: serialize(answer),
    template: operation.path,
    code: errorCodeOf(answer.body),
    notes: warnings,
  };
}

/** The answer that the operation documents for an unforeseen failure. */
function answerFailure(contract: Contract, operation: Operation, error: unknown): MockReply {
  const notes = [`The mock failed: ${describeFailure(error)}`];
  const unforeseen = unforeseenCode(contract);
  const choice = choicesOf(operation).find(({ example }) => errorCodeOf(example?.value) === unforeseen);
  if (choice?.example === undefined) {
    return { ...plainText(500, "The mock failed. See its terminal."), template: operation.path, notes };
  }
  const { answer, body, example } = choice;
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": body.mediaType };
  return { ...toReply(operation, { status: answer.status, headers, body: example.value }, []), notes };
}

/** The P-code of an unforeseen failure: nobody can tell whether a retry helps, and no other such code has as many operations. */
function unforeseenCode({ errorCodes, operations }: Contract): string | undefined {
  const uses = (code: string) =>
    operations.filter(({ answers }) => answers.some(({ codes }) => codes.includes(code))).length;
  const [most] = errorCodes
    .filter(({ retry }) => retry === "unknown")
    .map(({ code }) => ({ code, uses: uses(code) }))
    .sort((a, b) => b.uses - a.uses);
  return most?.code;
}

/** Type and location of a failure, without its message: Prism puts paths and values into some. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const place = error.stack?.split("\n").find((line) => line.trimStart().startsWith("at "));
  return `${error.name} ${place?.trim() ?? ""}`.trim();
}

function answerOptions(found: Route, otherUrl: string): MockReply {
  if (found.kind === "unknown" || found.kind === "otherAddress") return answerUnknown(found, otherUrl);
  const allowed = found.allowed.join(", ");
  const headers = {
    allow: allowed,
    "access-control-allow-methods": allowed,
    "access-control-allow-headers": "*",
    "access-control-max-age": "600",
  };
  return { status: 204, headers, body: "", template: found.template, code: undefined, notes: [] };
}

function answerUnknown(found: Exclude<Route, OperationRoute>, otherUrl: string): MockReply {
  if (found.kind === "unknown") return plainText(404, "The contract has no such path.");
  if (found.kind === "otherAddress") {
    const reply = plainText(404, `This path is available on the other address only: ${otherUrl}`);
    return { ...reply, template: found.template };
  }
  const allowed = found.allowed.join(", ");
  const reply = plainText(405, `This path allows these methods only: ${allowed}`);
  return { ...reply, headers: { ...reply.headers, allow: allowed }, template: found.template };
}

function plainText(status: number, text: string): MockReply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: `${text}\n`,
    template: undefined,
    code: undefined,
    notes: [],
  };
}

function otherAddress(address: Address): Address {
  return address === "base_url" ? "deposit_base_url" : "base_url";
}

function serialize({ headers, body }: ProducedAnswer): string {
  if (body === undefined) return "";
  const isJson = /[/+]json\b/.test(lowerCased(headers)["content-type"] ?? "");
  return typeof body === "string" && !isJson ? body : JSON.stringify(body);
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, joined(value) ?? ""]));
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The text with every character replaced that a header value may not contain. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
