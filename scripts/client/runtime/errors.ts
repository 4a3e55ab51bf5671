/** The error of a failed call, and `unwrap`, which throws it. */
import type { ErrorCodeEntry } from "./operation.ts";
import type { Redact } from "./redaction.ts";

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

/**
 * What is known of the effect of a failed call.
 *
 * - `not-sent`: the service received nothing.
 * - `refused`: the service answered that it did not do it.
 * - `unknown`: the service may have done it. Look before you repeat a call that moves money.
 */
export type Outcome = "not-sent" | "refused" | "unknown";

/** The values that an error is constructed from. */
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
  advice?: ErrorCodeEntry | undefined;
  docs?: string | undefined;
  body?: string | undefined;
  /** Of the response, with all of their values. */
  headers?: Headers | undefined;
  attempts?: number | undefined;
  cause?: unknown;
  /** Removes sensitive values from the texts of the service, when they are read. */
  redact?: Redact | undefined;
}

/** Maximum number of characters of a text of the service. */
const textLimit = 2_000;
/** How much more is redacted, so that a value is found which the end of the text cuts. */
const textMargin = 2_000;
/** What is left out at the end of a text that was cut: half of a value may stand there. */
const longestHalf = 1_100;

/** A timestamp of the service holds nothing sensitive, even when it contains the digits of a house number. */
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** The same in every copy of this module: ES modules and CommonJS each have one. */
const brand = Symbol.for("partner-wallet-api.PartnerApiError");

type ServiceText = "errorName" | "errorMessage" | "timestamp" | "body";

const texts = new WeakMap<PartnerApiError, Pick<ErrorDetails, ServiceText | "headers" | "redact">>();

const readers: PropertyDescriptorMap = {
  errorName: textReader("errorName", true),
  errorMessage: textReader("errorMessage", true),
  timestamp: textReader("timestamp", true),
  body: textReader("body", false),
  requestId: {
    enumerable: true,
    configurable: true,
    get(this: PartnerApiError) {
      const { headers = {} } = this;
      return headers["x-request-id"] ?? headers["request-id"] ?? headers["x-correlation-id"];
    },
  },
  headers: {
    configurable: true,
    get(this: PartnerApiError) {
      const { headers, redact } = texts.get(this) ?? {};
      const shown = [...(headers ?? [])].flatMap(([name, value]) => {
        const start = value.slice(0, 1_000);
        return name === "set-cookie" ? [] : [[name, redact?.(start) ?? start]];
      });
      return headers && Object.fromEntries(shown);
    },
  },
};

/** Redaction costs more than the rest of an error, and most texts are never read. */
function textReader(name: ServiceText, enumerable: boolean): PropertyDescriptor {
  return {
    enumerable,
    configurable: true,
    get(this: PartnerApiError) {
      const { [name]: text, redact } = texts.get(this) ?? {};
      if (text === undefined || (name === "timestamp" && timestampForm.test(text))) return text;
      const start = text.slice(0, textLimit + textMargin);
      const shown = redact?.(start) ?? start;
      return (start.length < text.length ? shown.slice(0, -longestHalf) : shown).slice(0, textLimit);
    },
  };
}

/**
 * A failed call: the `error` of its result, and what `unwrap` throws.
 *
 * Branch on `kind` and `errorCode`; `errorMessage` is for logs only, because only the codes are stable (specification,
 * Errors). Before repeating a call that moves money, look at `outcome`. Everything that can be printed is free of the
 * values that the contract marks as sensitive. `instanceof` also holds for an error of another copy of this package.
 */
export class PartnerApiError extends Error {
  declare readonly name: "PartnerApiError";
  /** What happened: see {@link ErrorKind}. */
  readonly kind: ErrorKind;
  /** The operation that was called. */
  readonly operationId: string;
  /**
   * What is known of the effect of the call, all its attempts included: `not-sent`, `refused`, or `unknown` where the
   * service may have done it.
   */
  readonly outcome: Outcome;
  /** HTTP status; undefined when no response was received. */
  readonly status: number | undefined;
  /**
   * Whether the contract documents this response for the operation: its status, and its P-code with this status. False
   * for a P-code of the catalogue that the operation is not known to answer.
   */
  readonly documented: boolean;
  /** The P-code; undefined when the response has none. */
  readonly errorCode: string | undefined;
  /** Meaning of the P-code, from the catalogue of the contract. */
  readonly meaning: string | undefined;
  /** Whether repeating the call can succeed, from the catalogue of the contract. */
  readonly retry: ErrorCodeEntry["retry"] | undefined;
  /** Recommended action, from the catalogue of the contract. */
  readonly resolution: string | undefined;
  /** Location of the P-code in the reference documentation, relative to the URL of the documentation. */
  readonly docs: string | undefined;
  /** Kebab-case name of the failure, if the service sent one. */
  declare readonly errorName: string | undefined;
  /** The message of the service, for logs. */
  declare readonly errorMessage: string | undefined;
  /** Time of the failure as sent by the service (ISO 8601). */
  declare readonly timestamp: string | undefined;
  /** The id that the service, or a proxy before it, gave the request, for its support: `x-request-id` of the response or alike. */
  declare readonly requestId: string | undefined;
  /** How many attempts the call made. */
  readonly attempts: number;
  /** The headers of the response but for its cookies, by their names in lower case. Not enumerable, so that loggers do not print them. */
  declare readonly headers: Readonly<Record<string, string>> | undefined;
  /** Text of the response, truncated. Not enumerable, so that loggers do not print it. */
  declare readonly body: string | undefined;

  static {
    Object.defineProperties(PartnerApiError.prototype, {
      name: { value: "PartnerApiError" },
      [brand]: { value: true },
      [Symbol.for("nodejs.util.inspect.custom")]: { value: showInspected },
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
    this.retry = details.advice?.retry;
    this.resolution = details.advice?.resolution;
    this.docs = details.docs;
    this.attempts = details.attempts ?? 0;
    texts.set(this, details);
    Object.defineProperties(this, readers);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method, and is not meant by every error
    if (this !== PartnerApiError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && brand in value;
  }

  /** The value for `JSON.stringify`: everything except the stack, the cause and the text of the response. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

/** What `console.log` of Node and Bun shows: the stack, everything that `JSON.stringify` does, and the cause. */
function showInspected(
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
 * Creates an error without capturing the stack, which costs more than the rest of a failed call and only shows the insides
 * of the client. `unwrap` captures the stack of its caller.
 */
export function createError(details: ErrorDetails): PartnerApiError {
  const { stackTraceLimit } = Error as { stackTraceLimit?: number };
  limitStackTrace(0);
  const error = new PartnerApiError(details);
  limitStackTrace(stackTraceLimit);
  return error;
}

function limitStackTrace(limit: number | undefined): void {
  try {
    (Error as { stackTraceLimit?: number | undefined }).stackTraceLimit = limit;
  } catch {
    // Error is frozen: the stack is captured after all.
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
  // Only V8 and JavaScriptCore have it.
  (Error as { captureStackTrace?: (target: object, below: unknown) => void }).captureStackTrace?.(error, unwrap);
  throw error;
}
