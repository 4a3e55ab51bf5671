/** What the parts of the reader of responses share. */
import type { Violation } from "./deviations.ts";
import { createError, type ErrorDetails, type ErrorKind, type Outcome, type PartnerApiError } from "./errors.ts";
import type { ClientContract, ErrorCatalogue, ErrorCodeEntry, Operation } from "./operation.ts";
import type { Redact } from "./redaction.ts";

/** A received response; `text` is the whole body. */
export interface RawResponse {
  status: number;
  contentType: string;
  text: string;
}

/** What a response was read as. */
export interface Reading {
  data: unknown;
  error: PartnerApiError | undefined;
  /** The parsed body; undefined when it could not be read as JSON. */
  body: unknown;
  /** How the status, the media type and the P-code deviate from the contract. */
  found: Violation[];
}

/** A response and what is needed to read it. */
export interface Reader {
  operation: Operation;
  contract: ClientContract;
  response: RawResponse;
  /** Removes sensitive values from every text that goes into an error. */
  redact: Redact;
  /** Receives the deviations. */
  found: Violation[];
}

/**
 * What is known of the effect of a call with this answer. The service answers its internal failures (P500, P501) with 400 as
 * well, so that only a P-code tells what a 400 did; any other 4xx was refused by the service or something before it.
 */
export function outcomeOf(status: number, advice?: ErrorCodeEntry): Outcome {
  if (advice !== undefined) return ["never", "after-change"].includes(advice.retry) ? "refused" : "unknown";
  // 408, 409 and 425 leave it open, and statuses above 431 are those of proxies.
  return status > 400 && status <= 431 && ![408, 409, 425].includes(status) ? "refused" : "unknown";
}

/** The parsed body, or why it cannot be read. JSON with another media type is read, and reported. */
export function parseJson(reader: Reader): { value?: unknown; problem?: string } {
  const { text, contentType } = reader.response;
  const isJson = contentType === "application/json" || /^application\/(json|[\w.-]+\+json)\b/i.test(contentType);
  if (!isJson && text !== "") report(reader, "media-type");
  try {
    return { value: JSON.parse(text) };
  } catch {
    if (text !== "" && !isJson) return { problem: contentTypeProblem(reader) };
    report(reader, "body");
    return { problem: text === "" ? "the body is empty" : "the body is invalid or truncated JSON" };
  }
}

/** Notes a deviation from the contract. */
export function report({ found }: Reader, rule: string, pointer = ""): void {
  found.push({ pointer, rule });
}

/** A response that cannot be read by the contract. */
export function unexpected(reader: Reader, problem: string, body?: unknown): Reading {
  const { status } = reader.response;
  const hint = status === 404 ? ". Check the base URL, and whether the service has this operation in this edition" : "";
  const message = `unexpected ${status} response: ${problem}${hint}`;
  return failure(reader, "unexpected-answer", message, body, { outcome: outcomeOf(status) });
}

/** A failed call with this response. */
export function failure(
  { operation, response, redact, found }: Reader,
  kind: ErrorKind,
  message: string,
  body: unknown,
  more: Partial<ErrorDetails>,
): Reading {
  const { status, text } = response;
  const own = { kind, operationId: operation.id, status, message: `${operation.id}: ${message}`, body: text, redact };
  const error = createError(Object.assign(own, more));
  return { data: undefined, error, body, found };
}

/** Whether a response can have a P-code. */
export function hasCodes(codes: ErrorCatalogue | undefined): boolean {
  return codes !== undefined && Object.keys(codes).length > 0;
}

/** Whether a P-code is one of these. */
export function has(codes: ErrorCatalogue | undefined, code: string): codes is ErrorCatalogue {
  return codes !== undefined && Object.hasOwn(codes, code);
}

/** Says which media type was sent, without parameters, which may hold anything. */
export function contentTypeProblem({ response: { contentType }, redact }: Reader): string {
  if (contentType === "") return "the content type is missing";
  const [mediaType] = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?=;|$)/.exec(contentType) ?? ["no media type"];
  return `the content type is ${redact(mediaType)}`;
}
