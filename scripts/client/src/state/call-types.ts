import type { ErrorKind, PartnerApiError } from "../errors/errors.ts";

/** Stands for every success status that the contract does not document: a number that never equals a documented status. */
declare enum UndocumentedStatus {
  status = -1,
}
export type UnlistedStatus = UndocumentedStatus;

/** Bytes, as `BlobPart` declared them before TypeScript 5.7: includes `Buffer`, and `Uint8Array` over any buffer. */
type FileBytes = string | Blob | ArrayBufferLike | ArrayBufferView;

/** A file to upload: a `File`, a `Blob`, or bytes or a stream with a file name and a media type. */
export type FileUpload =
  | Blob
  | {
      readonly data: FileBytes | AsyncIterable<FileBytes> | ReadableStream<FileBytes>;
      readonly name: string;
      readonly type: string;
    };

/** Options of every call. */
export interface CommonOptions {
  /** Headers to send with this call. */
  headers?: Record<string, string> | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** Timeout in milliseconds, including all attempts. */
  timeoutMs?: number | undefined;
  /** Timeout of each attempt in milliseconds. */
  attemptTimeoutMs?: number | undefined;
  /**
   * Maximum number of retries, at most 10. Default: the option of the client. A call that changes something is retried only after a failure
   * without effect: when nothing was sent, and after 429.
   */
  retries?: number | undefined;
  /**
   * If true, a call that changes something is also retried when its outcome is unknown: after a lost connection, a timeout, or a P-code
   * whose `retry` is `later`. A payment can then be made twice. Default: false.
   */
  repeatUnknown?: boolean | undefined;
}

/** A failure that the contract documents without a P-code. */
export interface NoCodeError<Status extends number> extends PartnerApiError {
  readonly kind: "no-code";
  readonly documented: true;
  readonly status: Status;
  readonly errorCode: undefined;
}

/** The error of a response that the client cannot interpret. */
export interface UnexpectedResponseError extends PartnerApiError {
  readonly kind: "unexpected-response";
  readonly documented: false;
  readonly status: number;
  readonly errorCode: undefined;
}

/** A failure without a complete response. */
export interface NoResponseError extends PartnerApiError {
  readonly kind: Exclude<ErrorKind, "code" | "no-code" | "unknown-code" | "unexpected-response">;
  readonly documented: false;
  readonly status: number | undefined;
  readonly errorCode: undefined;
}

/** The P-codes of the failures that the contract documents for an operation: `ErrorCodeOf<CreateTransferError>`. */
export type ErrorCodeOf<CallError> = CallError extends { kind: "code"; documented: true; errorCode: infer Code }
  ? Code
  : never;

/**
 * A call that succeeded. `status` distinguishes between several success responses. For an undocumented success it has the type
 * `UnlistedStatus`, and `response.status` has the number.
 */
export interface Success<Data, Status extends number> {
  readonly data: Data;
  readonly error: undefined;
  /** The response. Its body has been read into `data`. */
  readonly response: Response;
  readonly status: Status | UnlistedStatus;
}

/** A call that failed. */
export interface Failure<CallError> {
  readonly data: undefined;
  readonly error: CallError;
  /** The response; undefined when no response was received. */
  readonly response: Response | undefined;
  readonly status: number | undefined;
}
