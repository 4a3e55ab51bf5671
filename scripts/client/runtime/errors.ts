/** The error of a failed call, and `unwrap`, which throws it. */
import type { ErrorCodeEntry } from "./operation.ts";

/**
 * The kind of a failure.
 *
 * - `code`: a response with a P-code of the catalogue; `documented` says whether the contract documents it for the
 *   operation and status.
 * - `no-code`: a response that the contract documents without a P-code (401 Access Denied, 404 Transaction not found).
 * - `unknown-code`: a response with a P-code that the catalogue does not have.
 * - `unexpected-answer`: a response that cannot be read by the contract: empty, HTML, truncated, a redirect, a failure
 *   without a P-code. With a status of 2xx the call may have succeeded.
 * - `timeout`: no complete response was received in time.
 * - `aborted`: the caller's signal aborted the call.
 * - `network`: the service could not be reached, or the connection failed.
 * - `invalid-request`: the client rejected the call and sent nothing.
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

/** The values that an error is constructed from. */
export interface ErrorDetails {
  kind: ErrorKind;
  operationId: string;
  message: string;
  status?: number | undefined;
  documented?: boolean | undefined;
  errorCode?: string | undefined;
  errorName?: string | undefined;
  errorMessage?: string | undefined;
  timestamp?: string | undefined;
  advice?: ErrorCodeEntry | undefined;
  body?: string | undefined;
  cause?: unknown;
}

/** Maximum number of characters of {@link PartnerApiError.body}. */
const bodyLimit = 2_000;

/**
 * A failed call: the `error` of its result, and what `unwrap` throws.
 *
 * Branch on `kind` and `errorCode`; `errorMessage` is for logs only, because only the codes are stable (specification,
 * Errors). The text of an unexpected response is in `body`, which is not enumerable, so that loggers do not print it.
 */
export class PartnerApiError extends Error {
  override readonly name = "PartnerApiError";
  readonly kind: ErrorKind;
  /** The operation that was called. */
  readonly operationId: string;
  /** HTTP status; undefined when no response was received. */
  readonly status: number | undefined;
  /**
   * Whether the contract documents this response for the operation: its status, and its P-code with this status. False
   * for a P-code of the catalogue that the operation is not known to answer.
   */
  readonly documented: boolean;
  /** The P-code; undefined when the response has none. */
  readonly errorCode: string | undefined;
  /** Kebab-case name of the failure, if the service sent one. */
  readonly errorName: string | undefined;
  /** The message of the service, for logs. */
  readonly errorMessage: string | undefined;
  /** Time of the failure as sent by the service (ISO 8601). */
  readonly timestamp: string | undefined;
  /** Meaning of the P-code, from the catalogue of the contract. */
  readonly meaning: string | undefined;
  /** Whether repeating the call can succeed, from the catalogue of the contract. */
  readonly retry: ErrorCodeEntry["retry"] | undefined;
  /** Recommended action, from the catalogue of the contract. */
  readonly resolution: string | undefined;
  /** Location of the P-code in the reference documentation, relative to the URL of the documentation. */
  readonly docs: string | undefined;
  /** Text of an unexpected response, truncated. */
  declare readonly body: string | undefined;

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.operationId = details.operationId;
    this.status = details.status;
    this.documented = details.documented ?? false;
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

  /** The value for `JSON.stringify`: everything except the stack, the cause and the text of the response. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), name: this.name, message: this.message };
  }
}

/**
 * Returns the data of a successful call.
 *
 * @param result the result of a call.
 * @throws {PartnerApiError} the error of the call, when it failed.
 */
export function unwrap<Result extends { data: unknown; error: PartnerApiError | undefined }>(
  result: Result,
): Extract<Result, { error: undefined }>["data"] {
  if (result.error !== undefined) throw result.error;
  return result.data as Extract<Result, { error: undefined }>["data"];
}
