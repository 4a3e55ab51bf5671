/** Decides what the mock answers to a request. No connection is involved. */
import type { IncomingHttpHeaders } from "node:http";
import type { Address, Contract, Operation } from "../contract/contract.ts";
import { decodeBody, type ReceivedBody } from "./body.ts";
import { type Choice, choicesOf, describeChoices, errorCodeOf } from "./choices.ts";
import { choosePreferred } from "./prefer.ts";
import type { Engine, ProducedAnswer } from "./prism.ts";
import { chooseRefusal, makeSpecific } from "./refusal.ts";
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
  /** The path as the contract writes it; undefined when the contract does not know it. */
  template: string | undefined;
  /** The P-code of the answer. */
  code: string | undefined;
  /** What the person at the terminal should know. Holds nothing of what was sent. */
  notes: string[];
}

export interface AnswerOptions {
  contract: Contract;
  engine: Engine;
  /** Where the operations of an address are answered; known once the mock listens. */
  urlOf: (address: Address) => string;
}

/**
 * Makes the function that answers the requests of one address. It never throws: a failure of its own becomes the answer
 * that the operation documents for an unforeseen failure, or a plain 500.
 *
 * In this order: a path or method that the contract does not know, an answer chosen with `Prefer` (which wins over
 * everything else, so that every documented answer can be had with any request), the key, the parameters, the body, the
 * operation's success.
 */
export function makeAnswerer({ contract, engine, urlOf }: AnswerOptions) {
  const route = makeRouter(contract.operations);
  return async (address: Address, request: MockRequest): Promise<MockReply> => {
    const found = route(address, request.method, request.path);
    if (request.method === "OPTIONS") return answerOptions(found, urlOf(otherAddress(address)));
    if (found.kind !== "operation") return answerUnknown(found, urlOf(otherAddress(address)));
    try {
      return await answerOperation(contract, engine, found, request);
    } catch (error) {
      return answerFailure(contract, found.operation, error);
    }
  };
}

type OperationRoute = Extract<Route, { kind: "operation" }>;

async function answerOperation(
  contract: Contract,
  engine: Engine,
  { operation, pathParameters }: OperationRoute,
  request: MockRequest,
): Promise<MockReply> {
  const preferred = choosePreferred(joined(request.headers.prefer), operation);
  const warnings = preferred.ignored
    ? [`A preference names nothing that is documented here. Choose from: ${describeChoices(operation)}`]
    : [];
  if (preferred.choice !== undefined) {
    const answer = await engine.produceAnswer(operation, preferred.choice);
    return toReply(operation, withHeader(answer, "preference-applied", preferred.applied.join(", ")), warnings);
  }

  const requestBody = operation.requestBody;
  const violations = await engine.findViolations(operation, {
    pathParameters,
    query: request.query,
    headers: flatten(request.headers),
    body:
      requestBody === undefined
        ? { kind: "absent" }
        : decodeBody(contract.document, requestBody, request.body, request.headers),
  });
  if (violations.length === 0) return toReply(operation, await engine.produceAnswer(operation), warnings);

  const refusal = chooseRefusal(operation, violations);
  if (refusal === undefined) {
    warnings.push("The request breaks the contract, which names no answer for that.");
    return toReply(operation, await engine.produceAnswer(operation), warnings);
  }
  return toReply(
    operation,
    makeSpecific(await engine.produceAnswer(operation, refusal.choice), refusal.messages),
    warnings,
  );
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

/** The answer that the operation documents for failures of which nobody can tell more. */
function answerFailure(contract: Contract, operation: Operation, error: unknown): MockReply {
  const notes = [`The mock failed: ${describeFailure(error)}`];
  const unforeseen = contract.errorCodes.filter(({ retry }) => retry === "unknown").map(({ code }) => code);
  const choice = choicesOf(operation).find(({ example }) => unforeseen.includes(errorCodeOf(example?.value) ?? ""));
  if (choice?.example === undefined) {
    return { ...plainText(500, "The mock failed; its terminal says more."), template: operation.path, notes };
  }
  return { ...toReply(operation, documentedAnswer(choice, choice.example.value), []), notes };
}

function documentedAnswer({ answer, body }: Choice, value: unknown): ProducedAnswer {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": body.mediaType };
  return { status: answer.status, headers, body: value };
}

/** Kind and place of a failure. Its message is left out, since Prism puts paths and values into some. */
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
  if (found.kind === "unknown") return plainText(404, "The contract knows no such path.");
  if (found.kind === "otherAddress") {
    const reply = plainText(404, `This path is answered on the other address only: ${otherUrl}`);
    return { ...reply, template: found.template };
  }
  const allowed = found.allowed.join(", ");
  const reply = plainText(405, `This path is answered with these methods only: ${allowed}`);
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

function withHeader(answer: ProducedAnswer, name: string, value: string): ProducedAnswer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
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

/** A text that is allowed in a header. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
