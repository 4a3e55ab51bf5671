/** The texts of errors, and what reads those of the service without sensitive values. Loaded for the first error. */
import { type ErrorDetails, type ErrorText, type Failure, type RawResponse, requestIdOf } from "./errors.ts";
import type { Advice, Operation } from "./operation.ts";
import { createRedactor, mask, printable, type Redact, redactCause, type SentValues } from "./redaction.ts";

/** Maximum number of characters of a text of the service. */
const textLimit = 2_000;

const path = (name: string, what: string): string => `The path parameter "${name}" ${what}.`;

/** What is said of a problem, of the values that are told with it. */
const problems = {
  // What is wrong with a call.
  text: (text: string): string => text,
  options: (): string => "An option of the call cannot be read.",
  "path-missing": (name: string): string => path(name, "is missing"),
  "path-type": (name: string): string => path(name, "must be a string"),
  "path-empty": (name: string): string => path(name, "is empty"),
  "path-relative": (name: string): string => path(name, "must not be a relative path segment"),
  "path-unsafe": (name: string): string => path(name, "must not contain a slash, a backslash or a control character"),
  "path-surrogate": (name: string): string => path(name, "contains an unpaired surrogate"),
  "path-form": (name: string, form: string): string => path(name, `does not match ${form}`),
  query: (name: string): string => `The query parameter "${name}" cannot be sent: it must be a string or a number.`,
  "body-missing": (): string => "The body is missing.",
  "body-json": (): string => "The body is no JSON: it holds a BigInt, refers to itself, or cannot be read.",
  "body-value": (): string => "The body must be a JSON value.",
  "body-unread": (): string => "The body cannot be read.",
  "member-missing": (name: string): string =>
    `${name} has no value. Without it the call means something else: leave the member out where that is meant.`,
  number: (place: string, number: number): string =>
    `${place} is ${number}, which JSON cannot hold. Check where it is calculated.`,
  digits: (place: string, number: number): string =>
    // A long integer may be the number of a document: it is not shown.
    `${place}${Number.isInteger(number) ? "" : ` is ${number}, which`} has more digits than a number can hold. Round it, or send a decimal string.`,
  "amount-form": (name: string): string =>
    `${name} is not a decimal number such as "250.00": send digits and at most one point, without blanks, commas, leading zeros or an exponent.`,
  "amount-zero": (name: string): string => `${name} is not greater than zero, which this client refuses for safety.`,
  signal: (): string => "signal must be an AbortSignal.",
  "no-body": (): string => "This operation has no body.",
  edition: (own: string, needed: string): string =>
    `This operation is proposed, and not in the edition ${own}: give the client edition: "${needed}".`,
  deposit: (): string => "depositBaseUrl is missing: give it to the client, or set PARTNER_WALLET_DEPOSIT_BASE_URL.",
  upload: (): string => "What the client sends files with could not be loaded.",
  hook: (): string => "onRequest failed, so the attempt was not made.",
  // Why there is no response.
  aborted: (): string => "The call was aborted.",
  timeout: (): string => "No complete response was received in time.",
  // Why a response cannot be read.
  size: (limit: number): string => `the body is larger than ${limit} bytes (maxResponseBytes)`,
  redirect: (): string => "redirects are not followed",
  empty: (): string => "the body is empty",
  json: (): string => "the body is invalid or truncated JSON",
  depth: (deepest: number): string => `the body is JSON of more than ${deepest} levels`,
  object: (): string => "the body is not a JSON object",
  array: (): string => "the body is not a JSON array",
  "code-missing": (): string => "errorCode is missing",
  "code-type": (): string => "errorCode is not a string",
  "code-success": (code: string): string => `it has the errorCode ${code}, which is not documented for a success`,
  fields: (...names: string[]): string =>
    `${names.join(", ")} ${names.length === 1 ? "is" : "are"} missing or malformed`,
  // Which media type was sent, without parameters, which may hold anything.
  "media-type": (mediaType: string): string =>
    mediaType === "" ? "the content type is missing" : `the content type is ${mediaType}`,
};

/** A problem that has a text. */
export type Problem = keyof typeof problems;

/** A problem, and what its text is made of. */
export type Told = readonly [problem: Problem, ...values: unknown[]];

/** The text of a problem. */
export function textOf([problem, ...values]: Told): string {
  return (problems[problem] as (...values: unknown[]) => string)(...values);
}

/** Completes what an error is made from with texts and the cause, all of them without sensitive values. */
export type Describe = (
  details: ErrorDetails,
  operation: Operation,
  failure: Failure,
  sent: (() => SentValues) | undefined,
) => void;

/**
 * Creates what describes errors.
 *
 * @param catalogue the texts of the P-codes.
 * @param sensitiveNames names of the properties and parameters whose values must not be logged.
 */
export function describeWith(catalogue: Readonly<Record<string, Advice>>, sensitiveNames: readonly string[]): Describe {
  return (details, operation, failure, sent) => {
    const { errorCode = "", response, body, cause } = failure;
    const redact: Redact = sent === undefined ? (text) => text : createRedactor(sensitiveNames, sent);
    details.redact = redact;
    details.readText = readText;
    if (failure.kind === "code") details.advice = catalogue[errorCode];
    if (failure.kind === "unknown-code") details.errorCode = codeOf(errorCode);
    if (failure.kind !== "unexpected-response") {
      const { errorName, errorMessage, timestamp } = (body ?? {}) as Readonly<Record<string, unknown>>;
      details.errorName = stringIn(errorName);
      details.errorMessage = stringIn(errorMessage);
      details.timestamp = timestampForm.test(`${timestamp}`) ? `${timestamp}` : undefined;
    }
    const copy = redactCause(cause, redact);
    details.cause = sent === undefined ? cause : copy;
    const told =
      response === undefined || ["network", "timeout", "aborted"].includes(failure.kind)
        ? unansweredText(failure, copy)
        : answeredText(details, operation, failure, response);
    details.message = `${operation.id}: ${told}`;
  };
}

function stringIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A code that the catalogue does not have, where it has the form of one: anything else that the service sent is not shown. */
function codeOf(code: unknown): string {
  return /^[A-Z]{1,4}[-_]?\d{1,6}$/.test(`${code}`) ? `${code}` : mask;
}

/** What is said of a call without a complete response. */
function unansweredText({ problem, response }: Failure, cause: Error | undefined): string {
  const head = response === undefined ? "" : ` The head of a ${response.status} response had arrived.`;
  if (problem !== undefined) return textOf(problem) + head;
  const code = systemCodeOf(cause);
  return `The service could not be reached, or the connection failed${code === undefined ? "" : ` (${code})`}.${head}`;
}

/** What is said of a response. */
function answeredText(
  { errorCode, advice, documented, redact }: ErrorDetails,
  { deposit, accept }: Operation,
  { problem }: Failure,
  { status, contentType }: RawResponse,
): string {
  if (errorCode !== undefined) {
    const remark = documented ? "" : " (not documented for this operation and status)";
    return `${status} ${errorCode}${advice === undefined ? "" : ` ${advice.meaning}`}${remark}`;
  }
  if (problem === undefined) {
    // A 404 of another service looks the same as one of this operation.
    return status === 401
      ? "401 Access Denied"
      : `${status}${status === 404 && deposit ? " (or depositBaseUrl is wrong)" : ""}`;
  }
  const [key, value] = problem;
  const [mediaType = "no media type"] =
    contentType === "" ? [""] : (/^[\w.+-]{1,60}\/[\w.+-]{1,60}(?=;|$)/.exec(contentType) ?? []);
  const shown: typeof problem =
    key === "media-type"
      ? [key, mediaType && redact?.(mediaType)]
      : key === "code-success"
        ? [key, codeOf(value)]
        : problem;
  const mayHaveSucceeded = status < 300 && accept === undefined && key !== "size";
  const hint = status === 404 ? ". Check the base URL, and whether the service has this operation in this edition" : "";
  return `unexpected ${status} response: ${textOf(shown)}${mayHaveSucceeded ? "; the call may have succeeded" : ""}${hint}`;
}

/** The code of a copied error, of its cause, or of the first error of an AggregateError: it has one for each address that was tried. */
function systemCodeOf(copy: unknown): string | undefined {
  const { code, cause, errors } = Object(copy) as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === "string" && /^\w{2,40}$/.test(code)) return code;
  return copy === undefined ? undefined : systemCodeOf(errors?.[0] ?? cause);
}

/** The form of a timestamp (ISO 8601), which holds nothing sensitive. Another text is not shown. */
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** What is shown of a text of an error. */
function readText(details: ErrorDetails, name: ErrorText): string | Record<string, string> | undefined {
  const { headers, redact } = details;
  const show = (text: string) => printable(text, redact, textLimit);
  if (name === "headers") {
    const shown = [...(headers ?? [])].filter(([each]) => each !== "set-cookie");
    return headers && Object.fromEntries(shown.map(([each, value]) => [each, show(value)]));
  }
  if (name === "requestId") {
    const id = requestIdOf(headers);
    return id && show(id);
  }
  const { [name]: text } = details;
  return text && show(text);
}
