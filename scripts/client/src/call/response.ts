import type { Operation } from "../base/operation.ts";
import type { Violation } from "../checks/deviations.ts";
import type { Outcome, Retry } from "../errors/errors.ts";
import type { Problem } from "../errors/problem-texts.ts";
import type { FailureFacts } from "../errors/to-error.ts";
import { rememberText } from "../exact/remember-text.ts";
import type { RawResponse } from "../reading/raw-response.ts";
import type { ClientContract } from "../state/client-contract.ts";

/**
 * Undocumented responses are read tolerantly, because parts of the contract are inferred: any 2xx with the fields of a documented success
 * is a success, and a failure with any status from 400 can have any P-code. A body is read as JSON, whatever its media type, unless the
 * operation returns a page.
 *
 * If only `{ message }` is expected, a success without a body (such as 204) has the data `{ message: "" }`.
 */
export function readResponse(context: ReadContext): ReadResult {
  const { status } = context.response;
  if (context.exceededLimit !== undefined) return unexpectedResult(context, ["size", context.exceededLimit]);
  if (context.operation.responses[status] === undefined) report(context, "status");
  if (status >= 200 && status < 300) return readSuccess(context);
  return status >= 300 && status < 400 ? unexpectedResult(context, ["redirect"]) : readFailure(context);
}

function readSuccess(context: ReadContext): ReadResult {
  const { operation, response } = context;
  if (operation.accept !== undefined) return readPage(context, operation.accept);
  if (response.text === "" && operation.message === true && !operation.responses[response.status]?.length) {
    if (response.status !== 204) report(context, "body");
    return successResult({ message: "" }, response.text);
  }
  const { value, problem = successProblem(context, value) } = parseJson(context);
  if (problem !== undefined) return unexpectedResult(context, problem, value);
  return successResult(value as object, response.text);
}

function successProblem(context: ReadContext, body: unknown): Problem | undefined {
  const { responses, required: requiredByStatus = {}, list = false, message, safe } = context.operation;
  const { status } = context.response;
  if (!isObjectOrList(body)) report(context, "body");
  if (!isObjectOrList(body) || Array.isArray(body) !== list) return [list ? "array" : "object"];
  const code = body.errorCode ?? undefined;
  const codes = responses[status] ?? [];
  if (code !== undefined ? !codes.includes(code as string) : codes.length > 0) {
    report(context, "error-code", "/errorCode");
    return code === undefined ? ["code-missing"] : ["code-success", code];
  }
  if (code !== undefined) return undefined;
  const requiredFields = message ? ["message"] : (requiredByStatus[status] ?? Object.values(requiredByStatus)[0] ?? []);
  const missingFields = requiredFields.flatMap((field) => {
    const [name = "", ...types] = field.split(" ");
    const value = body[name] ?? undefined;
    // The fields of an operation that changes data must have their JSON types and not be blank: an identifier received as a number may have
    // lost digits.
    const isOfType =
      message || safe || ((types[0] ? types : ["string"]).includes(typeof value) && `${value}`.trim() !== "");
    return value === undefined || !isOfType ? [name] : [];
  });
  return missingFields.length === 0 ? undefined : ["fields", ...missingFields];
}

function isObjectOrList(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null;
}

function readPage(context: ReadContext, accept: string): ReadResult {
  const { mediaType, text } = context.response;
  const isPage = mediaType === accept;
  if (isPage && text !== "") return { data: text, failure: undefined, body: undefined };
  report(context, isPage ? "body" : "media-type");
  return unexpectedResult(context, isPage ? ["empty"] : ["media-type"]);
}

function successResult(data: object, text: string): ReadResult {
  rememberText(data, text);
  return { data, failure: undefined, body: data };
}

function readFailure(context: ReadContext): ReadResult {
  const { responses } = context.operation;
  const { response } = context;
  const { status } = response;
  const { value: body, problem } = parseJson(context);
  const isObject = isObjectOrList(body) && !Array.isArray(body);
  const errorCode = isObject ? body.errorCode : undefined;
  if (typeof errorCode === "string") return codeResult(context, body, errorCode);
  if (problem === undefined && !isObject) report(context, "body");
  // The contract documents this status without P-codes, so no body is needed. But malformed JSON may be a part of a body with a P-code.
  if (errorCode === undefined && responses[status]?.length === 0 && problem?.[0] !== "json") {
    return failedResult({ kind: "no-code", documented: true, outcome: outcomeOf(status), body, response });
  }
  if (!isObject) return unexpectedResult(context, problem ?? ["object"], body);
  // An undocumented status has been reported already.
  if (responses[status] !== undefined) report(context, errorCode === undefined ? "required" : "type", "/errorCode");
  return unexpectedResult(context, [errorCode === undefined ? "code-missing" : "code-type"], body);
}

function codeResult(context: ReadContext, body: unknown, errorCode: string): ReadResult {
  const { operation, contract, response } = context;
  const { status } = response;
  const documented = operation.responses[status]?.includes(errorCode) ?? false;
  // An unlisted P-code is a deviation only if the list is complete.
  if (!documented && !operation.open?.includes(status)) report(context, "error-code", "/errorCode");
  const retry = retryOf(contract, errorCode);
  return failedResult({
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
  readonly data: unknown;
  readonly failure: FailureFacts | undefined;
  readonly body: unknown;
}

interface ReadContext {
  readonly operation: Operation;
  readonly contract: ClientContract;
  readonly response: RawResponse;
  /** The size limit in bytes that the body exceeds; undefined for a body within the limit. */
  readonly exceededLimit?: number | undefined;
  /** The deviations found so far, to which reading adds others. */
  readonly violations: Violation[];
}

/**
 * The service uses the status 400 both for refusals and for internal failures (P500, P501), so a P-code of the catalogue has precedence
 * over the status. Without one, most 4xx statuses other than 400 mean a refusal by the service or a proxy.
 */
function outcomeOf(status: number, retry?: Retry): Outcome {
  if (retry !== undefined) return ["never", "after-change"].includes(retry) ? "refused" : "unknown";
  // A call with status 408, 409 or 425 may have had an effect. Most statuses from 432 to 499 are not standard: proxies send them.
  return status > 400 && status <= 431 && ![408, 409, 425].includes(status) ? "refused" : "unknown";
}

function parseJson(context: ReadContext): { value?: unknown; problem?: Problem } {
  const { text, mediaType } = context.response;
  const isJson = /^application\/(json|[\w.-]+\+json)$/.test(mediaType);
  if (!isJson && text !== "") report(context, "media-type");
  if (isNestedDeeply(text)) {
    report(context, "body");
    return { problem: ["depth", maxDepth] };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    if (text !== "" && !isJson) return { problem: ["media-type"] };
    report(context, "body");
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
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === '"') {
      for (index += 1; index < text.length && text[index] !== '"'; index += 1) if (text[index] === "\\") index += 1;
    }
    if (depth > maxDepth) return true;
  }
  return false;
}

function report({ violations }: ReadContext, rule: string, pointer = ""): void {
  violations.push({ pointer, rule });
}

function unexpectedResult(context: ReadContext, problem: Problem, body?: unknown): ReadResult {
  const { response } = context;
  const outcome = problem[0] === "json" ? "unknown" : outcomeOf(response.status);
  return failedResult({ kind: "unexpected-response", outcome, problem, body, response });
}

function failedResult(failure: FailureFacts): ReadResult {
  return { data: undefined, failure, body: failure.body };
}
