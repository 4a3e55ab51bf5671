import type { ClientContract } from "./client-contract.ts";
import type { Violation } from "./deviations.ts";
import type { Failure, Outcome, RawResponse, Retry } from "./errors.ts";
import { rememberText } from "./exact-numbers.ts";
import type { Operation } from "./operation.ts";

/**
 * Undocumented responses are read tolerantly, because parts of the contract are inferred: any 2xx with the fields of a documented success
 * is a success, and a P-code of the catalogue is accepted with any status. A body is read as JSON, whatever its media type.
 *
 * If only `{ message }` is expected, a success without a body (such as 204) has the data `{ message: "" }`.
 */
export function readResponse(reader: Reader): ReadResult {
  const { status } = reader.response;
  if (reader.tooLarge !== undefined) return unexpected(reader, ["size", reader.tooLarge]);
  if (status >= 200 && status < 300) return readSuccess(reader);
  if (reader.operation.responses[status] === undefined) report(reader, "status");
  return status >= 300 && status < 400 ? unexpected(reader, ["redirect"]) : readFailure(reader);
}

function readSuccess(reader: Reader): ReadResult {
  const { operation, response } = reader;
  const codes = operation.responses[response.status];
  if (codes === undefined) report(reader, "status");
  if (operation.accept !== undefined) return readPage(reader, operation.accept);
  if (response.text === "" && operation.message === true && !codes?.length) {
    if (response.status !== 204) report(reader, "body");
    return success({ message: "" }, '{"message":""}');
  }
  const { value, problem = missingPartOf(reader, value) } = parseJson(reader);
  if (problem !== undefined) return unexpected(reader, problem, value);
  return success(value as object, response.text);
}

function missingPartOf(reader: Reader, body: unknown): Failure["problem"] {
  const { responses, required: requiredByStatus = {}, list = false, message, safe } = reader.operation;
  const { status } = reader.response;
  const isObject = typeof body === "object" && body !== null;
  if (!isObject) report(reader, "body");
  if (!isObject || Array.isArray(body) !== list) return [list ? "array" : "object"];
  const fields = body as Record<string, unknown>;
  const code = fields.errorCode ?? undefined;
  const codes = responses[status] ?? [];
  if (code !== undefined ? !codes.includes(String(code)) : codes.length > 0) {
    report(reader, "error-code", "/errorCode");
    return code === undefined ? ["code-missing"] : ["code-success", code];
  }
  if (code !== undefined) return undefined;
  const required = message ? ["message"] : (requiredByStatus[status] ?? Object.values(requiredByStatus)[0] ?? []);
  const missing = required.flatMap((field) => {
    const [name = "", ...types] = field.split(" ");
    const value = fields[name] ?? undefined;
    // An operation that changes data must return fields that are not blank, with their JSON types: an identifier received as a number may
    // have lost digits.
    const isOfType =
      message || safe || (`${value}`.trim() !== "" && (types[0] ? types : ["string"]).includes(typeof value));
    return value === undefined || !isOfType ? [name] : [];
  });
  return missing.length === 0 ? undefined : ["fields", ...missing];
}

function readPage(reader: Reader, accept: string): ReadResult {
  const { contentType, text } = reader.response;
  const isPage = contentType.startsWith(accept);
  if (isPage && text !== "") return { data: text, failure: undefined, body: undefined };
  report(reader, isPage ? "body" : "media-type");
  return unexpected(reader, isPage ? ["empty"] : ["media-type"]);
}

function success(data: object, text: string): ReadResult {
  rememberText(data, text);
  return { data, failure: undefined, body: data };
}

function readFailure(reader: Reader): ReadResult {
  const { responses } = reader.operation;
  const { response } = reader;
  const { status } = response;
  const { value: body, problem } = parseJson(reader);
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const { errorCode } = (isObject ? body : {}) as Record<string, unknown>;
  if (typeof errorCode === "string") return withCode(reader, body, errorCode);
  if (problem === undefined && !isObject) report(reader, "body");
  // If the contract documents no P-code for the status, the body is not needed. JSON that was cut short can have had a code.
  if (errorCode === undefined && responses[status]?.length === 0 && problem?.[0] !== "json") {
    return failed({ kind: "no-code", documented: true, outcome: outcomeOf(status), body, response });
  }
  if (!isObject) return unexpected(reader, problem ?? ["object"], body);
  // An undocumented status has been reported already.
  if (responses[status] !== undefined) report(reader, errorCode === undefined ? "required" : "type", "/errorCode");
  return unexpected(reader, [errorCode === undefined ? "code-missing" : "code-type"], body);
}

function withCode(reader: Reader, body: unknown, errorCode: string): ReadResult {
  const { operation, contract, response } = reader;
  const { status } = response;
  const documented = operation.responses[status]?.includes(errorCode) ?? false;
  // If the list of P-codes is incomplete, an unlisted code is no deviation.
  if (!documented && !operation.open?.includes(status)) report(reader, "error-code", "/errorCode");
  const retry = retryOf(contract, errorCode);
  return failed({
    kind: retry === undefined ? "unknown-code" : "code",
    outcome: outcomeOf(status, retry),
    documented,
    errorCode,
    retry,
    body,
    response,
  });
}

function retryOf({ codes }: ClientContract, code: string): Retry | undefined {
  return (Object.keys(codes) as Retry[]).find((retry) => codes[retry].includes(code));
}

export interface ReadResult {
  data: unknown;
  failure: Failure | undefined;
  body: unknown;
}

interface Reader {
  operation: Operation;
  contract: ClientContract;
  response: RawResponse;
  /** The size limit in bytes, if the body exceeds it. */
  tooLarge?: number | undefined;
  found: Violation[];
}

/**
 * The service uses the status 400 both for refusals and for internal failures (P500, P501), so a P-code has precedence over the status.
 * Without a P-code, most 4xx statuses other than 400 mean a refusal by the service or a proxy.
 */
function outcomeOf(status: number, retry?: Retry): Outcome {
  if (retry !== undefined) return ["never", "after-change"].includes(retry) ? "refused" : "unknown";
  // A call with status 408, 409 or 425 may have had an effect. Most statuses from 432 to 499 are not standard: proxies send them.
  return status > 400 && status <= 431 && ![408, 409, 425].includes(status) ? "refused" : "unknown";
}

function parseJson(reader: Reader): { value?: unknown; problem?: Failure["problem"] } {
  const { text, contentType } = reader.response;
  const isJson = /^application\/(json|[\w.-]+\+json)\b/i.test(contentType);
  if (!isJson && text !== "") report(reader, "media-type");
  if (isNestedDeeply(text)) {
    report(reader, "body");
    return { problem: ["depth", maxDepth] };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    if (text !== "" && !isJson) return { problem: ["media-type"] };
    report(reader, "body");
    return { problem: [text === "" ? "empty" : "json"] };
  }
}

const maxDepth = 500;

/**
 * Whether parsing could take seconds, because of many nested levels. Texts below 10,000 characters are short enough to be parsed anyway.
 */
function isNestedDeeply(text: string): boolean {
  let depth = 0;
  if (text.length < 10_000) return false;
  for (let index = 0; index < text.length && depth <= maxDepth; index += 1) {
    const character = text[index];
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === '"') {
      for (index += 1; index < text.length && text[index] !== '"'; index += 1) if (text[index] === "\\") index += 1;
    }
  }
  return depth > maxDepth;
}

function report({ found }: Reader, rule: string, pointer = ""): void {
  found.push({ pointer, rule });
}

function unexpected(reader: Reader, problem: Failure["problem"], body?: unknown): ReadResult {
  const { response } = reader;
  const outcome = problem?.[0] === "json" ? "unknown" : outcomeOf(response.status);
  return failed({ kind: "unexpected-response", outcome, problem, body, response });
}

function failed(failure: Failure): ReadResult {
  return { data: undefined, failure, body: failure.body };
}
