/** This module is loaded for the first error or `explain`. */

import type { Operation } from "../base/operation.ts";
import type { RawResponse } from "../reading/raw-response.ts";
import { isConnectFailure } from "./connect-failure.ts";
import type { Advice, ErrorDetails, Show } from "./errors.ts";
import { textOf } from "./problem-texts.ts";
import { createRedactor, mask, type Redact, redactCause, type SentValues, toPrintable } from "./redaction.ts";
import type { Describe, FailureFacts } from "./to-error.ts";

export interface ErrorTables {
  readonly catalogue: Readonly<Record<string, Advice>>;
  /** The values of members and parameters with these names must not be printed. */
  readonly sensitiveNames: readonly string[];
}

/** The tables and functions that only errors and `explain` need. */
export interface ErrorTexts extends ErrorTables {
  readonly describe: Describe;
  readonly isConnectFailure: typeof isConnectFailure;
  readonly textOf: typeof textOf;
  readonly createRedactor: typeof createRedactor;
  readonly mask: string;
}

export function makeErrorTexts(tables: ErrorTables): ErrorTexts {
  return { ...tables, describe: describeWith(tables), isConnectFailure, textOf, createRedactor, mask };
}

const maxTextLength = 2_000;

function describeWith({ catalogue, sensitiveNames }: ErrorTables): Describe {
  return (operation, failure, requestId, getSentValues) => {
    const { kind, outcome, documented, retry, attempts, response, body } = failure;
    const redact: Redact = getSentValues === undefined ? (text) => text : createRedactor(sensitiveNames, getSentValues);
    const errorCode = kind === "unknown-code" ? printableCode(failure.errorCode) : failure.errorCode;
    const advice = kind === "code" ? catalogue[failure.errorCode ?? ""] : undefined;
    const fields = Object(kind === "unexpected-response" ? undefined : body) as Readonly<Record<string, unknown>>;
    const errorMessage = stringOrUndefined(fields.errorMessage);
    const timestamp = stringOrUndefined(fields.timestamp) ?? "";
    const redactedCause = redactCause(failure.cause, redact);
    const text =
      response === undefined || ["network", "timeout", "aborted"].includes(kind)
        ? textWithoutResponse(failure, redactedCause)
        : errorCode === undefined
          ? textWithoutCode(operation, failure, response, redact)
          : textOfCode(errorCode, advice, failure, response);
    const details: ErrorDetails = {
      kind,
      operationId: operation.id,
      message: `${operation.id}: ${text}${mentionedNames(errorMessage, getSentValues)}`,
      outcome,
      status: response?.status,
      documented,
      errorCode,
      errorName: stringOrUndefined(fields.errorName),
      errorMessage,
      timestamp: timestampForm.test(timestamp) ? timestamp : undefined,
      requestId,
      retry,
      advice,
      body: response?.text,
      headers: response?.headers,
      attempts,
      cause: getSentValues === undefined ? failure.cause : redactedCause,
    };
    return { details, show: showWith(redact) };
  };
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A code that does not look like an error code is masked. */
function printableCode(code: unknown): string {
  return typeof code === "string" && /^[A-Z]{1,4}[-_]?\d{1,6}$/.test(code) ? code : mask;
}

function textWithoutResponse({ problem, response }: FailureFacts, cause: Error | undefined): string {
  const head = response === undefined ? "" : ` The head of a ${response.status} response had arrived.`;
  if (problem !== undefined) return textOf(problem) + head;
  const code = systemCodeOf(cause);
  return `The service could not be reached, or the connection failed${code === undefined ? "" : ` (${code})`}.${head}`;
}

function textOfCode(
  errorCode: string,
  advice: Advice | undefined,
  { documented }: FailureFacts,
  { status }: RawResponse,
): string {
  const remark = documented ? "" : " (not documented for this operation and status)";
  return `${status} ${errorCode}${advice === undefined ? "" : ` ${advice.meaning}`}${remark}`;
}

function textWithoutCode(
  { deposit, accept }: Operation,
  { problem }: FailureFacts,
  { status, mediaType }: RawResponse,
  redact: Redact,
): string {
  if (problem === undefined) {
    // A wrong `depositBaseUrl` leads to a 404 that looks like a response of the operation.
    return status === 401 ? "401 Access Denied" : `${status}${deposit ? " (or depositBaseUrl is wrong)" : ""}`;
  }
  const [key, value] = problem;
  const shownMediaType = /^([\w.+-]{1,60}\/[\w.+-]{1,60})?$/.test(mediaType) ? redact(mediaType) : "no media type";
  const printedProblem: typeof problem =
    key === "media-type" ? [key, shownMediaType] : key === "code-success" ? [key, printableCode(value)] : problem;
  const mayHaveSucceeded = status < 300 && accept === undefined && key !== "size";
  const hint = status === 404 ? ". Check the base URL, and whether the service has this operation in this edition" : "";
  return `unexpected ${status} response: ${textOf(printedProblem)}${mayHaveSucceeded ? "; the call may have succeeded" : ""}${hint}`;
}

/**
 * Lists up to five parameters and members of the call that the message of the service mentions; empty if it mentions none. The message
 * itself is not shown, because it can contain personal data.
 */
function mentionedNames(errorMessage: string | undefined, getSentValues: (() => SentValues) | undefined): string {
  if (errorMessage === undefined || getSentValues === undefined) return "";
  const text = errorMessage.slice(0, maxTextLength);
  const names = new Set<string>();
  addNames(names, getSentValues().values, 0);
  // Most messages contain none of the names, and need not be split into words.
  const namesInText = [...names].filter((name) => text.includes(name));
  if (namesInText.length === 0) return "";
  const words = new Set(text.match(/[A-Za-z]\w+/g));
  const namesAmongWords = namesInText.filter((name) => words.has(name));
  return namesAmongWords.length === 0 ? "" : `: ${namesAmongWords.slice(0, maxMentionedNames).join(", ")}`;
}

const maxMentionedNames = 5;

/**
 * Adds the names of parameters and of members of the body, down to its fourth level, that look like names of the contract. Other names
 * are left out, because they may be data.
 */
function addNames(names: Set<string>, values: unknown, depth: number): void {
  if (typeof values !== "object" || values === null || depth > 4) return;
  for (const [name, value] of Object.entries(values)) {
    if (depth > 0 && /^[a-z]\w{2,39}$/i.test(name)) names.add(name);
    addNames(names, value, depth + 1);
  }
}

function systemCodeOf(error: unknown): string | undefined {
  const { code, cause, errors } = Object(error) as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === "string" && /^\w{2,40}$/.test(code)) return code;
  return error === undefined ? undefined : systemCodeOf(errors?.[0] ?? cause);
}

/** Matches a timestamp (ISO 8601). Any other text is not shown, because it could contain sensitive data. */
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Masks and shortens a text, or each header but the cookies. */
function showWith(redact: Redact): Show {
  return (value) => {
    const show = (text: string) => toPrintable(text, redact, maxTextLength);
    if (typeof value === "string") return show(value);
    const headers = [...value].filter(([name]) => name !== "set-cookie");
    return Object.fromEntries(headers.map(([name, text]) => [name, show(text)]));
  };
}
