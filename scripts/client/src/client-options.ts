/** The options of a client, and the arguments of its hooks. */
import type { OnDeviation } from "./deviations.ts";
import type { ErrorKind, Outcome, PartnerApiError } from "./errors.ts";
import type { Edition } from "./operation.ts";

/** Where the service is, and the key for it. */
export interface EnvironmentOptions {
  /** Base URL of the service, for example `https://api.example`. A path is kept; `/v1` belongs to the operations. */
  baseUrl?: string | undefined;
  /** Base URL of the crypto deposit details. Needed only by that operation. */
  depositBaseUrl?: string | undefined;
  /** API key of the partner for this environment. It is sent as `x-api-key`, and only to the two base URLs. */
  apiKey?: string | undefined;
}

/**
 * The options of a client. What is not given is taken from `environments`, or without them from the environment variables
 * `PARTNER_WALLET_BASE_URL`, `PARTNER_WALLET_DEPOSIT_BASE_URL` and `PARTNER_WALLET_API_KEY` where the runtime has them.
 */
export interface ClientOptions extends EnvironmentOptions {
  /** The operations that the client has: `latest` (default), or `test`, which has the proposed ones as well. */
  edition?: Edition | undefined;
  /** Addresses and keys by the name of the environment: `{ staging: { … }, production: { … } }`. */
  environments?: Readonly<Record<string, EnvironmentOptions>> | undefined;
  /** The environment to use of `environments`. Default: the variable `PARTNER_WALLET_ENVIRONMENT`. */
  environment?: string | undefined;
  /**
   * Used instead of the global `fetch`. It must not repeat requests by itself: when its last attempt finds no connection, the error
   * would say `not-sent`, whatever an earlier one did. The same holds for a dispatcher, such as `RetryAgent` of undici with POST.
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Further options for every `fetch`, such as `dispatcher` of undici (proxy, keep-alive), `cache` or `keepalive`. */
  fetchOptions?: FetchOptions | undefined;
  /** Timeout of a call in milliseconds, including all its attempts. Default: 30,000; `Infinity` for none. */
  timeoutMs?: number | undefined;
  /** Timeout of each attempt in milliseconds. Default: none but that of the call. */
  attemptTimeoutMs?: number | undefined;
  /** Maximum number of retries of a call, from 0 to 10. Default: 2. */
  retries?: number | undefined;
  /**
   * How many retries all calls of the client have together, so that an outage does not multiply the calls: each retry takes one,
   * each success gives a tenth back. When none is left, a call that fails is not repeated. Default: 20; `Infinity` for no limit.
   */
  retryBudget?: number | undefined;
  /**
   * Maximum number of requests of the client at a time. The others wait for their turn, in their order, and their timeout goes
   * on. Default: `Infinity`.
   */
  maxConcurrent?: number | undefined;
  /**
   * Maximum size of the body of a response in bytes, after decompression. A larger one is an `unexpected-response`, of which no
   * more is read, and which is not repeated. Default: 10 MiB.
   */
  maxResponseBytes?: number | undefined;
  /** Accepts an `http://` address that is not of this machine: the key is sent in clear text. Default: false. */
  allowInsecure?: boolean | undefined;
  /** Headers to send with every call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called after every attempt, and for every call that is refused, aborted or out of time before or between its attempts. The event
   * contains no header but the id of the request, no body and no parameter.
   */
  logger?: ((event: LogEvent) => unknown) | undefined;
  /**
   * Called before every attempt, and awaited. It can set headers, for example of a trace. When it throws or rejects, the
   * attempt is not made. URL and body are fixed before.
   */
  onRequest?: BeforeAttempt | undefined;
  /** Called after every attempt with the response or the error. What it throws or rejects with is ignored. */
  onResponse?: AfterAttempt | undefined;
  /**
   * Called with every deviation of a response from the contract, before the call returns: a status, media type or P-code
   * that is not documented, and everything in the body that the schema does not say. It gets no value of a body, and what
   * it throws or rejects with is ignored. Without it, responses are not compared with their schemas.
   */
  onDeviation?: OnDeviation | undefined;
}

/** The options of a client that has the proposed operations as well. */
export interface TestClientOptions extends ClientOptions {
  /** Adds the proposed operations. The service has not documented them: confirm each before you rely on it. */
  edition: "test";
}

/** Options of `fetch` that the client does not set itself. */
export type FetchOptions = Omit<
  RequestInit,
  "method" | "headers" | "body" | "signal" | "redirect" | "window" | "dispatcher"
> & {
  /** A dispatcher of undici, for Node. */
  dispatcher?: object;
};

interface Attempt {
  readonly operationId: string;
  readonly method: string;
  /** Path template, without the values of path parameters. */
  readonly path: string;
  /** Number of the attempt, starting with 1; in a log, 0 for a call that ended before its first attempt. */
  readonly attempt: number;
}

/** An attempt that is about to be made. */
export interface AttemptRequest extends Attempt {
  readonly url: string;
  /** The headers that will be sent, the API key among them. They can be changed. */
  readonly headers: Headers;
}

/** An attempt that ended. */
export interface AttemptResponse extends Attempt {
  readonly durationMs: number;
  /** The response, its body already read; undefined when none was received. */
  readonly response: Response | undefined;
  /** The error; undefined after a success. */
  readonly error: PartnerApiError | undefined;
}

/** One attempt of a call, or a call that ended without one, for a log. */
export interface LogEvent extends Attempt {
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly errorCode: string | undefined;
  /** Kind of the failure; undefined after a success. */
  readonly kind: ErrorKind | undefined;
  /** What is known of the effect of a call that failed; undefined after a success. */
  readonly outcome: Outcome | undefined;
  /** The id that the service, or a proxy before it, gave the request. */
  readonly requestId: string | undefined;
}

export type BeforeAttempt = (attempt: AttemptRequest) => unknown;
export type AfterAttempt = (attempt: AttemptResponse) => unknown;
