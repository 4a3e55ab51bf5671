import type { Operation } from "./operation.ts";
import type { Problem } from "./problem-texts.ts";
import type { Redact, SentValues } from "./redaction.ts";

/**
 * The kind of a failure.
 *
 * - `code`: a response with a P-code of the catalogue; `documented` says whether the contract documents it for the operation and status.
 * - `no-code`: a response that the contract documents without a P-code, such as 401 Access Denied.
 * - `unknown-code`: a response with a P-code that the catalogue does not have.
 * - `unexpected-response`: a response that the client cannot interpret, for example: empty, HTML, truncated, too large, a redirect, a
 *   failure without a P-code, a success without a required field. With a status of 2xx the call may have succeeded.
 * - `timeout`: no complete response was received in time.
 * - `aborted`: the signal of the caller, or of a custom `fetch`, aborted the call.
 * - `network`: the service could not be reached, or the connection failed. If a part of the response had arrived, the error has its
 *   `status`, `headers`, `requestId` and the received part of the `body`. The same applies to `timeout` and `aborted`.
 * - `invalid-request`: the client, a middleware or `onRequest` refused the call or its next attempt, which was not sent. `outcome` includes
 *   the effect of earlier attempts.
 */
export type ErrorKind =
  | "code"
  | "no-code"
  | "unknown-code"
  | "unexpected-response"
  | "timeout"
  | "aborted"
  | "network"
  | "invalid-request";

/**
 * The effect of a failed call, as far as it is known.
 *
 * - `not-sent`: the service received nothing.
 * - `refused`: the response shows that the call had no effect.
 * - `unknown`: the call may have had an effect. Check whether it had one before you repeat a call that moves money.
 */
export type Outcome = "not-sent" | "refused" | "unknown";

/**
 * Whether a retry can succeed after a P-code: `never`, `after-change` (after a change of the request or of the user's state), `later`, or
 * `unknown`; `none` for a P-code that is not a failure.
 */
export type Retry = "none" | "never" | "after-change" | "later" | "unknown";

export interface Advice {
  readonly meaning: string;
  readonly resolution: string;
}

/** The values from which an error is constructed. */
export interface ErrorDetails {
  kind: ErrorKind;
  operationId: string;
  message: string;
  /** Default: `unknown`. */
  outcome?: Outcome | undefined;
  status?: number | undefined;
  documented?: boolean | undefined;
  errorCode?: string | undefined;
  errorName?: string | undefined;
  errorMessage?: string | undefined;
  timestamp?: string | undefined;
  requestId?: string | undefined;
  retry?: Retry | undefined;
  advice?: Advice | undefined;
  body?: string | undefined;
  /** The response headers, unmasked. */
  headers?: Headers | undefined;
  attempts?: number | undefined;
  cause?: unknown;
  /** Masks sensitive values in texts of the response. */
  redact?: Redact | undefined;
  /** Returns a text of the response, or its headers, with sensitive values masked. */
  readText?: ((details: ErrorDetails, name: MaskedMember) => string | Record<string, string> | undefined) | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly contentType: string;
  /** The body, or the part of it that arrived. */
  readonly text: string;
  readonly headers: Headers;
}

export interface Failure
  extends Readonly<Pick<ErrorDetails, "kind" | "documented" | "errorCode" | "retry" | "attempts" | "cause">> {
  readonly outcome: Outcome;
  /** The problem of the call or the response, if no P-code or status describes it. */
  readonly problem?: Problem | undefined;
  readonly response?: RawResponse | undefined;
  readonly body?: unknown;
}

/** Adds the message and the texts to the details of an error. Without `getSentValues`, the texts are not masked. */
export type Describe = (
  details: ErrorDetails,
  operation: Operation,
  failure: Failure,
  getSentValues: (() => SentValues) | undefined,
) => void;

export function requestIdOf(headers: Headers | undefined): string | undefined {
  const get = (name: string) => headers?.get(name) ?? undefined;
  return get("x-request-id") ?? get("request-id") ?? get("x-correlation-id");
}

/** Made with `Symbol.for`, so that the ES and CommonJS copies of this module share the key. */
const brandKey = Symbol.for("partner-wallet-api.PartnerApiError");

const detailsByError = new WeakMap<PartnerApiError, ErrorDetails>();

export type MaskedMember = "errorName" | "errorMessage" | "requestId" | "headers" | "body";

/** Describes a getter that masks the text only when it is read, because masking takes longer than creating the error. */
function createMaskingGetter(name: MaskedMember, enumerable: boolean): PropertyDescriptor {
  return {
    enumerable,
    get(this: PartnerApiError) {
      const details = detailsByError.get(this) ?? ({} as ErrorDetails);
      const { redact, readText } = details;
      if (readText) return readText(details, name);
      // If `readText` could not be loaded, texts of the service are hidden. An error without `redact` was constructed by a program, whose
      // own texts are shown.
      if (redact) return undefined;
      const { [name]: value } = details;
      return typeof value === "object" ? Object.fromEntries(value) : value;
    },
  };
}

/** An own property of the error, so that `{ ...error }` and loggers include it. */
const requestIdGetter = createMaskingGetter("requestId", true);

/**
 * The error of a failed call: the `error` of its result, which `unwrap` throws.
 *
 * Branch on `kind` and `errorCode`, because only the codes are stable (specification, Errors). Before repeating a call that moves money,
 * look at `outcome`. The message and the enumerable members contain no text of the service except the code, the timestamp, the request id
 * and the media type of an unexpected response. In the other members (`errorMessage`, `body` …) and in the cause, sensitive values are
 * masked: those of JSON members with a sensitive name, those that the call sent, card numbers and IBANs. `instanceof` also works for errors
 * of another copy of this package.
 */
export class PartnerApiError extends Error {
  declare readonly name: "PartnerApiError";
  /** The kind of the failure: see {@link ErrorKind}. */
  readonly kind: ErrorKind;
  /** The operation that was called. */
  readonly operationId: string;
  /**
   * The effect of the call and all its attempts, as far as it is known: `not-sent`, `refused`, or `unknown` when it may have had an effect.
   */
  readonly outcome: Outcome;
  /**
   * HTTP status; undefined when no response was received. With `network`, `timeout` or `aborted`, it is the status of an incomplete
   * response.
   */
  readonly status: number | undefined;
  /**
   * Whether the contract documents this response for the operation: the status, and the P-code with this status. A P-code of the catalogue
   * can be undocumented for an operation.
   */
  readonly documented: boolean;
  /**
   * The P-code of the response, if `kind` is `code` or `unknown-code`; otherwise undefined. A code that does not look like an error code is
   * masked.
   */
  readonly errorCode: string | undefined;
  /** Meaning of the P-code, from the catalogue of the contract; undefined for a failure without such a code. */
  readonly meaning: string | undefined;
  /** Whether a retry can succeed, from the catalogue of the contract. */
  readonly retry: Retry | undefined;
  /** Recommended action, from the catalogue of the contract. */
  readonly resolution: string | undefined;
  /** Kebab-case name of the failure, if the service sent one. Not enumerable, so that loggers do not print it. */
  declare readonly errorName: string | undefined;
  /** The message of the service. Not enumerable, so that loggers do not print it: it can hold personal data. */
  declare readonly errorMessage: string | undefined;
  /** Time of the failure as sent by the service; undefined if it is missing or not ISO 8601. */
  readonly timestamp: string | undefined;
  /** Id of the request, for questions to support: `x-request-id` or a similar header, set by the service or by a proxy in front of it. */
  declare readonly requestId: string | undefined;
  /** Number of attempts that the call began, including one whose request was not sent. */
  readonly attempts: number;
  /**
   * The response headers except `set-cookie`, by name in lower case, with sensitive values masked. Not enumerable, so that loggers do not
   * print them. An error that a program constructed has all headers as given.
   */
  declare readonly headers: Readonly<Record<string, string>> | undefined;
  /** Text of the response: masked, and at most 2,000 characters, unless a program constructed the error. Not enumerable: loggers omit it. */
  declare readonly body: string | undefined;

  static {
    Object.defineProperties(PartnerApiError.prototype, {
      errorName: createMaskingGetter("errorName", false),
      errorMessage: createMaskingGetter("errorMessage", false),
      body: createMaskingGetter("body", false),
      headers: createMaskingGetter("headers", false),
      name: { value: "PartnerApiError" },
      [brandKey]: { value: true },
      [Symbol.for("nodejs.util.inspect.custom")]: { value: inspectError },
    });
  }

  constructor(details: ErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.operationId = details.operationId;
    this.outcome = details.outcome ?? "unknown";
    this.status = details.status;
    this.documented = details.documented ?? false;
    this.errorCode = details.errorCode;
    this.meaning = details.advice?.meaning;
    this.retry = details.retry;
    this.resolution = details.advice?.resolution;
    this.attempts = details.attempts ?? 0;
    detailsByError.set(this, details);
    this.timestamp = details.timestamp;
    // `defineProperty` is expensive, so it is used only when there is an id.
    if (details.requestId === undefined) (this as { requestId?: undefined }).requestId = undefined;
    else Object.defineProperty(this, "requestId", requestIdGetter);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method, but not every error is an instance of the subclass
    if (this !== PartnerApiError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return brandKey in Object(value);
  }

  /** The value for `JSON.stringify`: the name, the message and the enumerable members. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

function inspectError(
  this: PartnerApiError,
  _depth: number,
  options: object,
  inspect: (value: unknown, options: object) => string,
): string {
  const { name: _name, message: _message, ...details } = this.toJSON();
  const { stack = this.message, cause } = this;
  return `${stack} ${inspect(cause === undefined ? details : { ...details, cause }, options)}`;
}

/**
 * Creates an error without its stack, which is slow to capture and would only show frames of the client. `unwrap` captures the stack of its
 * caller.
 */
export function createError(details: ErrorDetails): PartnerApiError {
  const { stackTraceLimit } = Error as { stackTraceLimit?: number };
  limitStackTrace(0);
  try {
    return new PartnerApiError(details);
  } finally {
    limitStackTrace(stackTraceLimit);
  }
}

const hideText: Redact = () => "[redacted]";

/**
 * Creates the error of a failed call. Without `texts`, the error contains no text that was sent or received, except a P-code of the
 * catalogue.
 */
export function toError(
  operation: Operation,
  failure: Failure,
  texts: { readonly describe: Describe } | undefined,
  getSentValues?: () => SentValues,
): PartnerApiError {
  const { kind, outcome, response, documented, errorCode, retry, attempts } = failure;
  const { id: operationId } = operation;
  const shownCode = kind === "unknown-code" ? hideText("") : errorCode;
  // Listed one by one, because spreading an object of this size is slow.
  const details: ErrorDetails = {
    kind,
    operationId,
    message: `${operationId}: ${shownCode ?? response?.status ?? kind}`,
    outcome,
    status: response?.status,
    documented,
    errorCode: shownCode,
    requestId: requestIdOf(response?.headers),
    retry,
    attempts,
    body: response?.text,
    headers: response?.headers,
    redact: hideText,
  };
  texts?.describe(details, operation, failure, getSentValues);
  return createError(details);
}

function limitStackTrace(limit: number | undefined): void {
  try {
    (Error as { stackTraceLimit?: number | undefined }).stackTraceLimit = limit;
  } catch {
    // If a program has frozen the global `Error`, the limit cannot be set. The created error then has a stack trace, which does no harm.
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
  const { error } = result;
  if (error === undefined) return result.data as Extract<Result, { error: undefined }>["data"];
  // Not every engine has `captureStackTrace`.
  (Error as { captureStackTrace?: (target: object, below: unknown) => void }).captureStackTrace?.(error, unwrap);
  throw error;
}
