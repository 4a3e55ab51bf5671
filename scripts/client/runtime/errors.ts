/** The one error of the client: a value for every way in which a call can fail. */
import type { ErrorCodeEntry } from "./operation.js";

/**
 * What kind of failure it was.
 *
 * - `code`: an answer that the contract documents, with a P-code.
 * - `no-code`: an answer that the contract documents without a code (401 Access Denied, 404 Transaction not found).
 * - `unknown-code`: an answer with a code that the contract does not document for this operation.
 * - `unexpected-answer`: an answer that is not what the contract documents: empty, HTML, truncated, another status.
 * - `timeout`: no complete answer came in time.
 * - `aborted`: the caller's signal aborted the call.
 * - `network`: the service could not be reached, or the connection broke.
 * - `invalid-request`: refused by the client before anything was sent.
 */
export type ErrorKind =
  | "code"
  | "no-code"
  | "unknown-code"
  | "unexpected-answer"
  | "timeout"
  | "aborted"
  | "network"
  | "invalid-request";

/** What an error is made of. */
export interface ErrorDetails {
  kind: ErrorKind;
  operationId: string;
  message: string;
  status?: number | undefined;
  errorCode?: string | undefined;
  errorName?: string | undefined;
  errorMessage?: string | undefined;
  timestamp?: string | undefined;
  advice?: ErrorCodeEntry | undefined;
  body?: string | undefined;
  cause?: unknown;
}

/** The raw text of an unexpected answer is kept up to this many characters. */
const bodyLimit = 2_000;

/**
 * A failed call. It is the `error` of a result, and what `unwrap` throws.
 *
 * Decide by `kind` and `errorCode`; `errorMessage` is for logs only, because only codes are stable (specification,
 * Errors). The raw text of an unexpected answer is in `body`, which is not enumerable, so that it reaches no log by accident.
 */
export class PartnerApiError extends Error {
  override readonly name = "PartnerApiError";
  readonly kind: ErrorKind;
  /** The operation that was called. */
  readonly operationId: string;
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** The P-code; undefined when the answer has none. */
  readonly errorCode: string | undefined;
  /** Kebab-case name of the failure, where the service sends one. */
  readonly errorName: string | undefined;
  /** The service's own text, for logs. */
  readonly errorMessage: string | undefined;
  /** When the failure happened, as the service wrote it (ISO 8601). */
  readonly timestamp: string | undefined;
  /** What the code means, from the catalogue of the contract. */
  readonly meaning: string | undefined;
  /** Whether a repetition helps, from the catalogue of the contract. */
  readonly retry: ErrorCodeEntry["retry"] | undefined;
  /** What to do, from the catalogue of the contract. */
  readonly resolution: string | undefined;
  /** Where the reference docs tell of the code, relative to the address that they are published under. */
  readonly docs: string | undefined;
  /** Raw text of an unexpected answer, capped. */
  declare readonly body: string | undefined;

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.operationId = details.operationId;
    this.status = details.status;
    this.errorCode = details.errorCode;
    this.errorName = details.errorName;
    this.errorMessage = details.errorMessage;
    this.timestamp = details.timestamp;
    this.meaning = details.advice?.meaning;
    this.retry = details.advice?.retry;
    this.resolution = details.advice?.resolution;
    this.docs = details.advice?.docs;
    Object.defineProperty(this, "body", { value: details.body?.slice(0, bodyLimit), enumerable: false });
  }

  /** What `JSON.stringify` shows: everything but the stack, the cause and the raw text. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), name: this.name, message: this.message };
  }
}
