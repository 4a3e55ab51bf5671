/** Turns an HTTP response into data or an error. */

import type { Violation } from "./deviations.ts";
import { createError, type ErrorDetails, type ErrorKind, type Outcome, type PartnerApiError } from "./errors.ts";
import { rememberText } from "./exact-numbers.ts";
import type { ClientContract, ErrorTexts, Operation, Retry } from "./operation.ts";
import type { Redact } from "./redaction.ts";

/**
 * Reads a response. What the contract does not document is read tolerantly, because parts of the contract are inferred: any
 * 2xx that holds what its type promises is a success, and a P-code of the catalogue is read with any status. A readable body is
 * a JSON object or array, whatever its media type says; of an operation that answers with a page, a text of that type.
 *
 * Where only `{ message }` is expected, a response without a body (204 as well) is a success with the data `{ message: "" }`.
 *
 * @returns the parsed body of a success; an error for every other response, documented or not.
 */
export function readResponse(reader: Reader): Reading {
  const { status } = reader.response;
  if (reader.tooLarge !== undefined) {
    return unexpected(reader, `the body is larger than ${reader.tooLarge} bytes (maxAnswerBytes)`);
  }
  if (status >= 200 && status < 300) return readSuccess(reader);
  if (reader.operation.answers[status] === undefined) report(reader, "status");
  return status >= 300 && status < 400 ? unexpected(reader, "redirects are not followed") : readFailure(reader);
}

function readSuccess(reader: Reader): Reading {
  const { operation, response } = reader;
  const codes = operation.answers[response.status];
  if (codes === undefined) report(reader, "status");
  if (operation.accept !== undefined) return readPage(reader, operation.accept);
  if (response.text === "" && operation.message === true && !codes?.length) {
    if (response.status !== 204) report(reader, "body");
    return success(reader, { message: "" }, '{"message":""}');
  }
  const { value, problem = lackOf(reader, value) } = parseJson(reader);
  if (problem !== undefined) return unexpected(reader, `${problem}; the call may have succeeded`, value);
  return success(reader, value as object, response.text);
}

/** What the body of a success lacks of what its type promises, or has of a failure; undefined for a success that is one. */
function lackOf(reader: Reader, body: unknown): string | undefined {
  const { answers, holds = {}, list = false, message, safe } = reader.operation;
  const { status } = reader.response;
  const isObject = typeof body === "object" && body !== null;
  if (!isObject) report(reader, "body");
  if (!isObject || Array.isArray(body) !== list) {
    return `the body is not a JSON ${list ? "array" : "object"}`;
  }
  const fields = body as Record<string, unknown>;
  const code = fields.errorCode ?? undefined;
  const codes = answers[status] ?? [];
  if (code !== undefined ? !codes.includes(String(code)) : codes.length > 0) {
    report(reader, "error-code", "/errorCode");
    return code === undefined
      ? "errorCode is missing"
      : `it has the errorCode ${reader.redact(toWord(String(code)))}, which is not documented for a success`;
  }
  if (code !== undefined) return undefined;
  const promised = message ? ["message"] : (holds[status] ?? Object.values(holds)[0] ?? []);
  const missing = promised.filter((name) => {
    const value = fields[name] ?? undefined;
    // A blank text, a list or an object identifies nothing that was created.
    return value === undefined || (!message && !safe && (typeof value === "object" || `${value}`.trim() === ""));
  });
  return missing.length === 0
    ? undefined
    : `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing or malformed`;
}

function readPage(reader: Reader, accept: string): Reading {
  const { contentType, text } = reader.response;
  const isPage = contentType.startsWith(accept);
  if (isPage && text !== "") return { data: text, error: undefined, body: undefined, found: reader.found };
  report(reader, isPage ? "body" : "media-type");
  return unexpected(reader, isPage ? "the body is empty" : contentTypeProblem(reader));
}

function success({ found }: Reader, data: object, text: string): Reading {
  rememberText(data, text);
  return { data, error: undefined, body: data, found };
}

type ServiceTexts = Pick<ErrorDetails, "errorName" | "errorMessage" | "timestamp">;

type FailureDetails = Pick<ErrorDetails, "errorCode" | "retry" | "advice" | "docs" | "documented" | "outcome"> & {
  readonly service?: ServiceTexts | undefined;
};

/** Reads a response that is no success. */
function readFailure(reader: Reader): Reading {
  const { operation, response } = reader;
  const { status } = response;
  const { value: body, problem } = parseJson(reader);
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (problem !== undefined || !isObject) {
    if (problem === undefined) report(reader, "body");
    return unreadable(reader, problem ?? "the body is not a JSON object", body);
  }
  const { errorCode, errorName, errorMessage, timestamp } = body as Record<string, unknown>;
  const service = {
    errorName: textOf(errorName),
    errorMessage: textOf(errorMessage),
    timestamp: textOf(timestamp),
  };
  if (typeof errorCode === "string") return withCode(reader, body, service, errorCode);
  const isDocumented = errorCode === undefined && isWithoutCode(operation, status);
  if (isDocumented) return withoutCode(reader, body, service);
  // An undocumented status was reported as such.
  if (operation.answers[status] !== undefined)
    report(reader, errorCode === undefined ? "required" : "type", "/errorCode");
  return unexpected(reader, errorCode === undefined ? "errorCode is missing" : "errorCode is not a string", body);
}

/** A code that the catalogue does not have, on one line of a log. */
function toWord(code: string): string {
  return code.slice(0, 100).replace(/[^\x20-\x7e]+/g, " ");
}

function withCode(reader: Reader, body: object, service: ServiceTexts, code: string): Reading {
  const { operation, contract, redact, texts } = reader;
  const { status } = reader.response;
  const documented = operation.answers[status]?.includes(code) ?? false;
  // Where the list of codes is not stated, none is a deviation; its form is compared with that of the error format.
  if (!documented && !operation.open?.includes(status)) report(reader, "error-code", "/errorCode");
  const retry = retryOf(contract, code);
  const isKnown = retry !== undefined;
  const advice = isKnown ? texts?.catalogue[code] : undefined;
  const errorCode = isKnown ? code : redact(toWord(code));
  const meaning = advice === undefined ? "" : ` ${advice.meaning}`;
  const remark = documented ? "" : " (not documented for this operation and status)";
  return failure(reader, isKnown ? "code" : "unknown-code", `${status} ${errorCode}${meaning}${remark}`, body, {
    service,
    errorCode,
    retry,
    advice,
    docs: isKnown ? `${contract.docs}${errorCode}.html` : undefined,
    documented,
    outcome: outcomeOf(status, retry),
  });
}

/** Whether repeating a call can succeed after a P-code; undefined for one that the catalogue does not have. */
function retryOf({ codes }: ClientContract, code: string): Retry | undefined {
  return (Object.keys(codes) as Retry[]).find((retry) => codes[retry].includes(code));
}

/** A failure whose body cannot be read. Where the contract promises no P-code, nothing is lost without the body. */
function unreadable(reader: Reader, problem: string, body: unknown): Reading {
  const isDocumented = isWithoutCode(reader.operation, reader.response.status);
  return isDocumented ? withoutCode(reader, body) : unexpected(reader, problem, body);
}

function isWithoutCode({ answers }: Operation, status: number): boolean {
  return answers[status]?.length === 0;
}

function withoutCode(reader: Reader, body: unknown, service?: ServiceTexts): Reading {
  const { status } = reader.response;
  // A 404 of another service looks the same as one of this operation.
  const hint = status === 404 && reader.operation.deposit ? " (or depositBaseUrl is wrong)" : "";
  const message = status === 401 ? "401 Access Denied" : `${status}${hint}`;
  return failure(reader, "no-code", message, body, { service, documented: true, outcome: outcomeOf(status) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A received response; `text` is the whole body. */
interface RawResponse {
  status: number;
  contentType: string;
  text: string;
  headers: Headers;
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
interface Reader {
  operation: Operation;
  contract: ClientContract;
  response: RawResponse;
  /** The maximum size of a body, where that of the response is larger and was not read. */
  tooLarge?: number | undefined;
  /** Removes sensitive values from every text that goes into an error. */
  redact: Redact;
  /** The texts of the P-codes, where they are loaded. */
  texts: Pick<ErrorTexts, "catalogue" | "readText"> | undefined;
  /** Receives the deviations. */
  found: Violation[];
}

/**
 * What is known of the effect of a call with this answer. The service answers its internal failures (P500, P501) with 400 as
 * well, so that only a P-code tells what a 400 did; any other 4xx was refused by the service or something before it.
 */
function outcomeOf(status: number, retry?: Retry): Outcome {
  if (retry !== undefined) return ["never", "after-change"].includes(retry) ? "refused" : "unknown";
  // 408, 409 and 425 leave it open, and statuses above 431 are those of proxies.
  return status > 400 && status <= 431 && ![408, 409, 425].includes(status) ? "refused" : "unknown";
}

/** The parsed body, or why it cannot be read. JSON with another media type is read, and reported. */
function parseJson(reader: Reader): { value?: unknown; problem?: string } {
  const { text, contentType } = reader.response;
  const isJson = contentType === "application/json" || /^application\/(json|[\w.-]+\+json)\b/i.test(contentType);
  if (!isJson && text !== "") report(reader, "media-type");
  if (isNestedDeeply(text)) {
    report(reader, "body");
    return { problem: `the body is JSON of more than ${deepest} levels` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    if (text !== "" && !isJson) return { problem: contentTypeProblem(reader) };
    report(reader, "body");
    return { problem: text === "" ? "the body is empty" : "the body is invalid or truncated JSON" };
  }
}

/** The contract needs a few levels. */
const deepest = 500;

/** Whether a text opens so many arrays and objects within each other that to parse it takes seconds. */
function isNestedDeeply(text: string): boolean {
  let depth = 0;
  if (text.length < 10_000) return false;
  for (let index = 0; index < text.length && depth <= deepest; index += 1) {
    const character = text[index];
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === '"') {
      for (index += 1; index < text.length && text[index] !== '"'; index += 1) if (text[index] === "\\") index += 1;
    }
  }
  return depth > deepest;
}

/** Notes a deviation from the contract. */
function report({ found }: Reader, rule: string, pointer = ""): void {
  found.push({ pointer, rule });
}

/** A response that cannot be read by the contract. */
function unexpected(reader: Reader, problem: string, body?: unknown): Reading {
  const { status } = reader.response;
  const hint = status === 404 ? ". Check the base URL, and whether the service has this operation in this edition" : "";
  const message = `unexpected ${status} response: ${problem}${hint}`;
  return failure(reader, "unexpected-answer", message, body, { outcome: outcomeOf(status) });
}

/** A failed call with this response. */
function failure(
  { operation, response, redact, texts, found }: Reader,
  kind: ErrorKind,
  message: string,
  body: unknown,
  more: FailureDetails,
): Reading {
  const { status, text } = response;
  const { id: operationId } = operation;
  const { service, errorCode, retry, advice, docs, documented, outcome } = more;
  // Written out: to spread objects of this size takes as long as the rest of the call.
  const error = createError({
    kind,
    operationId,
    message: `${operationId}: ${message}`,
    outcome,
    status,
    documented,
    errorCode,
    errorName: service?.errorName,
    errorMessage: service?.errorMessage,
    timestamp: service?.timestamp,
    retry,
    advice,
    docs,
    body: text,
    headers: response.headers,
    attempts: 1,
    redact,
    readText: texts?.readText,
  });
  return { data: undefined, error, body, found };
}

/** Says which media type was sent, without parameters, which may hold anything. */
function contentTypeProblem({ response: { contentType }, redact }: Reader): string {
  if (contentType === "") return "the content type is missing";
  const [mediaType] = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?=;|$)/.exec(contentType) ?? ["no media type"];
  return `the content type is ${redact(mediaType)}`;
}
