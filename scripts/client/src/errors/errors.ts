/**
 * The kind of a failure.
 *
 * - `code`: a response with a P-code of the catalogue; `documented` says whether the contract documents it for the operation and status.
 * - `no-code`: a response that the contract documents without a P-code, such as 401 Access Denied.
 * - `unknown-code`: a response with a P-code that the catalogue does not have.
 * - `unexpected-response`: a response that the client cannot interpret, for example: empty, HTML, truncated, too large, a redirect, a
 *   failure without a P-code, a success without a required field. With a status of 2xx the call may have succeeded. Also when a custom
 *   `fetch` returned no Response; `status` is then undefined.
 * - `timeout`: no complete response was received in time.
 * - `aborted`: the signal of the caller, or of a custom `fetch`, aborted the call.
 * - `network`: the service could not be reached, or the connection failed. If a part of the response had arrived, the error has its
 *   `status`, `headers`, `requestId` and the received part of the `body`. The same applies to `timeout` and `aborted`.
 * - `invalid-request`: the client, a middleware or `onRequest` refused the call or its next attempt, which was not sent; or the client itself
 *   failed. `outcome` includes the effect of earlier attempts.
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

/** The values from which a program constructs an error, for example in its tests. */
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
  headers?: Headers | undefined;
  attempts?: number | undefined;
  cause?: unknown;
}

/** Made with `Symbol.for`, so that the ES and CommonJS copies of this module share the key. */
const brandKey = Symbol.for("partner-wallet-api.PartnerApiError");

type ShownMember = "errorName" | "errorMessage" | "requestId" | "headers" | "body";

/** Returns what a program sees of a text of an error, or of its headers; undefined if they are hidden. */
export type Show = (value: string | Headers) => string | Readonly<Record<string, string>> | undefined;

const showAsGiven: Show = (value) => (typeof value === "object" ? Object.fromEntries(value) : value);

const readersByError = new WeakMap<PartnerApiError, (name: ShownMember) => ReturnType<Show>>();

/** Describes a getter that calls `Show` only when the member is read, because masking takes longer than creating the error. */
function createShowingGetter(name: ShownMember, enumerable: boolean): PropertyDescriptor {
  return {
    enumerable,
    get(this: PartnerApiError) {
      return readersByError.get(this)?.(name);
    },
  };
}

/** An own property of the error, so that `{ ...error }` and loggers include it. */
const requestIdGetter = createShowingGetter("requestId", true);

/**
 * The error of a failed call. `entries/exports.ts` has its documentation for partners. The constructor makes the members, which are only
 * declared here: initialized fields would make every program of a partner larger.
 */
export class PartnerApiError extends Error {
  declare readonly name: "PartnerApiError";
  /** The kind of the failure: see {@link ErrorKind}. */
  declare readonly kind: ErrorKind;
  /** The operation that was called. */
  declare readonly operationId: string;
  /**
   * The effect of the call and all its attempts, as far as it is known: `not-sent`, `refused`, or `unknown` when it may have had an effect.
   */
  declare readonly outcome: Outcome;
  /**
   * HTTP status; undefined when no response was received. With `network`, `timeout` or `aborted`, it is the status of an incomplete
   * response.
   */
  declare readonly status: number | undefined;
  /**
   * Whether the contract documents this response for the operation: the status, and the P-code with this status. A P-code of the catalogue
   * can be undocumented for an operation.
   */
  declare readonly documented: boolean;
  /**
   * The P-code of the response, if `kind` is `code` or `unknown-code`; otherwise undefined. A code that does not look like an error code is
   * masked.
   */
  declare readonly errorCode: string | undefined;
  /** Meaning of the P-code, from the catalogue of the contract; undefined for a failure without such a code. */
  declare readonly meaning: string | undefined;
  /** Whether a retry can succeed, from the catalogue of the contract. */
  declare readonly retry: Retry | undefined;
  /** Recommended action, from the catalogue of the contract. */
  declare readonly resolution: string | undefined;
  /** Kebab-case name of the failure, if the service sent one. Not enumerable, so that loggers do not print it. */
  declare readonly errorName: string | undefined;
  /** The message of the service. Not enumerable, so that loggers do not print it: it can hold personal data. */
  declare readonly errorMessage: string | undefined;
  /** Time of the failure as sent by the service; undefined if it is missing or not ISO 8601. */
  declare readonly timestamp: string | undefined;
  /** Id of the request, for questions to support: `x-request-id` or a similar header, set by the service or by a proxy in front of it. */
  declare readonly requestId: string | undefined;
  /** Number of attempts that the call began, including one whose request was not sent. */
  declare readonly attempts: number;
  /**
   * The response headers except `set-cookie`, by name in lower case, with sensitive values masked. Not enumerable, so that loggers do not
   * print them. An error that a program constructed has all headers as given.
   */
  declare readonly headers: Readonly<Record<string, string>> | undefined;
  /** Text of the response: masked, and at most 2,000 characters, unless a program constructed the error. Not enumerable: loggers omit it. */
  declare readonly body: string | undefined;

  static {
    Object.defineProperties(PartnerApiError.prototype, {
      errorName: createShowingGetter("errorName", false),
      errorMessage: createShowingGetter("errorMessage", false),
      body: createShowingGetter("body", false),
      headers: createShowingGetter("headers", false),
      name: { value: "PartnerApiError" },
      [brandKey]: { value: true },
      [Symbol.for("nodejs.util.inspect.custom")]: { value: inspectError },
    });
  }

  /** @param show only for errors that the client creates: masks or hides what the service sent. */
  constructor(details: Readonly<ErrorDetails>, show: Show = showAsGiven) {
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
    this.timestamp = details.timestamp;
    this.attempts = details.attempts ?? 0;
    readersByError.set(this, (name) => {
      const value = details[name];
      return value && show(value);
    });
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
export function createError(details: Readonly<ErrorDetails>, show?: Show): PartnerApiError {
  const { stackTraceLimit } = Error as { stackTraceLimit?: number };
  limitStackTrace(0);
  try {
    return new PartnerApiError(details, show);
  } finally {
    limitStackTrace(stackTraceLimit);
  }
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
