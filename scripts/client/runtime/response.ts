/** Turns an HTTP response into data or an error. */
import type { Violation } from "./deviations.ts";
import { type ErrorDetails, type ErrorKind, PartnerApiError } from "./errors.ts";
import { rememberText } from "./exact-numbers.ts";
import type { ErrorCatalogue, Operation } from "./operation.ts";
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

interface Reader {
  operationId: string;
  operation: Operation;
  catalogue: ErrorCatalogue;
  response: RawResponse;
  /** Removes sensitive values from every text that goes into an error. */
  redact: Redact;
  /** Receives the deviations. */
  found: Violation[];
}

/**
 * Reads a response. What the contract does not document is read tolerantly, because parts of the contract are inferred:
 * any 2xx with a readable body is a success, and a P-code of the catalogue is read with any status. A readable body is a
 * JSON object or array, whatever its media type says; of an operation that answers with a page, a text of that type.
 *
 * Where only `{ message }` is expected, a response without a body (204 as well) and a JSON body of another type are
 * successes with the data `{ message: "" }`.
 *
 * @returns the parsed body of a success; an error for every other response, documented or not.
 */
export function readResponse(context: Omit<Reader, "found">): Reading {
  const reader = { ...context, found: [] };
  const { status } = context.response;
  if (status >= 200 && status < 300) return readSuccess(reader);
  if (context.operation.answers[status] === undefined) report(reader, "status");
  return status >= 300 && status < 400 ? unexpected(reader, "redirects are not followed") : readFailure(reader);
}

function readSuccess(reader: Reader): Reading {
  const { operation, response } = reader;
  const codes = operation.answers[response.status];
  if (codes === undefined) report(reader, "status");
  if (operation.accept !== "application/json") return readPage(reader);
  const mayBeEmpty = operation.message === true && !codes?.length;
  if (response.text === "" && mayBeEmpty) {
    if (response.status !== 204) report(reader, "body");
    return success(reader, { message: "" });
  }
  const { value, problem } = parseJson(reader);
  if (problem !== undefined) return unexpected(reader, `${problem}; the call may have succeeded`);
  if (typeof value === "object" && value !== null) {
    const { errorCode } = value as { errorCode?: unknown };
    if (typeof errorCode === "string" && !codes?.includes(errorCode)) report(reader, "error-code", "/errorCode");
    rememberText(value, response.text);
    return success(reader, value);
  }
  report(reader, "body");
  if (mayBeEmpty) return success(reader, { message: "" });
  return unexpected(reader, "the body is not a JSON object or array; the call may have succeeded");
}

function readPage(reader: Reader): Reading {
  const { accept } = reader.operation;
  const { contentType, text } = reader.response;
  const isPage = contentType.startsWith(accept);
  if (isPage && text !== "") return { data: text, error: undefined, body: undefined, found: reader.found };
  report(reader, isPage ? "body" : "media-type");
  return unexpected(reader, isPage ? "the body is empty" : `the content type is "${contentType}"`);
}

function readFailure(reader: Reader): Reading {
  const { operation, catalogue, response, redact } = reader;
  const { status } = response;
  const codes = operation.answers[status];
  const { value: body, problem } = parseJson(reader);
  if (problem !== undefined) return unexpected(reader, problem);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    report(reader, "body");
    return unexpected(reader, "the body is not a JSON object", body);
  }
  const { errorCode, errorName, errorMessage, timestamp } = body as Record<string, unknown>;
  const service: Partial<ErrorDetails> = {
    errorName: redactedText(errorName, redact),
    errorMessage: redactedText(errorMessage, redact),
    timestamp: redactedText(timestamp, redact),
  };
  if (typeof errorCode === "string") {
    const advice = Object.hasOwn(catalogue, errorCode) ? catalogue[errorCode] : undefined;
    const documented = codes?.includes(errorCode) ?? false;
    // Of an answer whose codes nobody has stated, no code of the catalogue is a deviation.
    const mayBeAny = advice !== undefined && operation.anyCode?.includes(status);
    if (!documented && !mayBeAny) report(reader, "error-code", "/errorCode");
    const code = advice === undefined ? redact(errorCode) : errorCode;
    const meaning = advice === undefined ? "" : ` ${advice.meaning}`;
    const remark = documented ? "" : " (not documented for this operation and status)";
    const kind = advice === undefined ? "unknown-code" : "code";
    const details = { ...service, errorCode: code, advice, documented };
    return failure(reader, kind, `${status} ${code}${meaning}${remark}`, details, body);
  }
  if (errorCode !== undefined || codes?.length !== 0 || operation.anyCode?.includes(status)) {
    // An undocumented status was reported as such.
    if (codes !== undefined) report(reader, errorCode === undefined ? "required" : "type", "/errorCode");
    return unexpected(reader, errorCode === undefined ? "errorCode is missing" : "errorCode is not a string", body);
  }
  const meaning = status === 401 ? " Access Denied" : "";
  return failure(reader, "no-code", `${status}${meaning}`, { ...service, documented: true }, body);
}

/** The parsed body, or why it cannot be read. JSON with another media type is read, and reported. */
function parseJson(reader: Reader): { value?: unknown; problem?: string } {
  const { text, contentType } = reader.response;
  const isJson = /^application\/(json|[\w.-]+\+json)\b/i.test(contentType);
  if (!isJson && text !== "") report(reader, "media-type");
  try {
    return { value: JSON.parse(text) };
  } catch {
    if (text === "") report(reader, "body");
    if (text === "") return { problem: "the body is empty" };
    if (isJson) report(reader, "body");
    if (isJson) return { problem: "the body is invalid or truncated JSON" };
    return { problem: contentType === "" ? "the content type is missing" : `the content type is "${contentType}"` };
  }
}

function report({ found }: Reader, rule: string, pointer = ""): void {
  found.push({ pointer, rule });
}

function success({ found }: Reader, data: object): Reading {
  return { data, error: undefined, body: data, found };
}

function unexpected(reader: Reader, problem: string, body?: unknown): Reading {
  const { response, redact } = reader;
  const message = `unexpected ${response.status} response: ${problem}`;
  return failure(reader, "unexpected-answer", message, { body: redact(response.text) }, body);
}

function failure(
  { operationId, response, redact, found }: Reader,
  kind: ErrorKind,
  message: string,
  more: Partial<ErrorDetails>,
  body?: unknown,
): Reading {
  const text = redact(`${operationId}: ${message}`);
  const error = new PartnerApiError({ kind, operationId, status: response.status, message: text, ...more });
  return { data: undefined, error, body, found };
}

function redactedText(value: unknown, redact: Redact): string | undefined {
  return typeof value === "string" ? redact(value) : undefined;
}
