import type { Edition } from "../base/operation.ts";
import type { OnDeviation } from "../checks/deviations.ts";
import type { ErrorKind, Outcome, PartnerApiError } from "../errors/errors.ts";

/** The addresses of the service, and the API key. */
export interface EnvironmentOptions {
  /**
   * Base URL of the service, for example `https://api.example`. It can have a path. Leave out `/v1`: the paths of the operations begin with
   * it.
   */
  baseUrl?: string | undefined;
  /** Base URL of the server with the crypto deposit details. Needed only by `getCryptoDepositDetails`. */
  depositBaseUrl?: string | undefined;
  /** API key of the partner for this environment. It is sent as `x-api-key`, and only to the two base URLs. */
  apiKey?: string | undefined;
}

/**
 * The options of a client. The base URLs and the API key come from one source: these options, if they have any of the three; otherwise
 * `environments`, if given; otherwise the environment variables `PARTNER_WALLET_BASE_URL`, `PARTNER_WALLET_DEPOSIT_BASE_URL` and
 * `PARTNER_WALLET_API_KEY`.
 */
export interface ClientOptions extends EnvironmentOptions {
  /** The operations that the client has: `latest` (default), or `test`, which adds the proposed operations. */
  edition?: Edition | undefined;
  /** Addresses and keys by the name of the environment: `{ staging: { … }, production: { … } }`. Not read beside `baseUrl` and `apiKey`. */
  environments?: Readonly<Record<string, EnvironmentOptions>> | undefined;
  /**
   * Name of the environment to use, one of `environments`. Default: the variable `PARTNER_WALLET_ENVIRONMENT`. Not read
   * beside `baseUrl` and `apiKey`.
   */
  environment?: string | undefined;
  /**
   * Used instead of the global `fetch`. It must not retry: if its last attempt could not connect to the service, the outcome of the error
   * would be `not-sent`, although an earlier attempt may have had an effect. The same applies to a dispatcher, such as undici's
   * `RetryAgent` with POST. A failure of another connection, such as one to a log or a proxy, has the outcome `unknown`.
   */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Further options for every `fetch`, such as `dispatcher` of undici (proxy, keep-alive) or `keepalive`. Without `cache`, calls have
   * `cache: "no-store"`, where the platform knows that option.
   */
  fetchOptions?: FetchOptions | undefined;
  /** Timeout of a call in milliseconds, including all its attempts. Default: 30,000; `Infinity` for no limit. */
  timeoutMs?: number | undefined;
  /** Timeout of each attempt in milliseconds. Default: no limit besides the timeout of the call. */
  attemptTimeoutMs?: number | undefined;
  /**
   * Maximum number of retries of a call, from 0 to 10. Default: 2. Even with 0 retries, the `fetch` of Node repeats a request once after a
   * response with status 421 (Fetch standard); the call then has the result of the repeated request.
   */
  retries?: number | undefined;
  /**
   * Number of retries that all calls of the client share, so that an outage does not multiply requests. Each retry reduces it by one, and
   * each success increases it by a tenth, up to this number. When it is used up, failed calls are not retried. Default: 20; `Infinity` for
   * no limit.
   */
  retryBudget?: number | undefined;
  /**
   * Maximum number of requests of the client at a time. Further requests are queued in order, while their timeout keeps running. Default:
   * `Infinity`.
   */
  maxConcurrent?: number | undefined;
  /**
   * Maximum size of the body of a response in bytes, after decompression. A larger body is not read further, and the call fails with
   * `unexpected-response`, without a retry. Default: 10 MiB.
   */
  maxResponseBytes?: number | undefined;
  /** Permits an `http://` base URL of another machine. The key is then sent in clear text. Default: false. */
  allowInsecure?: boolean | undefined;
  /** Headers to send with every call. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called after every attempt, and when a call ends before its first attempt or between two attempts: refused by the client, aborted or
   * timed out. The event contains the request id, but no other header, no body and no parameter. Errors of this function are ignored.
   */
  logger?: ((event: LogEvent) => unknown) | undefined;
  /**
   * Called before every attempt, and awaited. It can set headers, for example for tracing, but not change the URL or the body. When it
   * throws, rejects or sets a header that cannot be sent, the request is not sent, and the call fails with `invalid-request`.
   */
  onRequest?: BeforeAttempt | undefined;
  /** Called after every attempt with the response, the error, or both. Errors of this function are ignored. */
  onResponse?: AfterAttempt | undefined;
  /**
   * Called with the deviations of a response from the contract, before the call returns: an undocumented status, media type or P-code,
   * invalid UTF-8, and everything in the body that deviates from the schema. In a list, only the first 1,000 items are compared. A
   * deviation that several items share is reported once. Also called with every member of a request body that the contract does not list,
   * before the call is sent. The function receives no values of a body, and its errors are ignored. Without the function, responses are not
   * compared with their schemas.
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

interface AttemptFields {
  readonly operationId: string;
  readonly method: string;
  /** Path template, without the values of path parameters. */
  readonly path: string;
  /** Number of the attempt, starting with 1. In a log, 0 for a call that ended before its first attempt. */
  readonly attempt: number;
}

/** An attempt that is about to be made. */
export interface AttemptRequest extends AttemptFields {
  readonly url: string;
  /** The headers that will be sent, including the API key. `onRequest` can change them. */
  readonly headers: Headers;
}

/** An attempt that ended. */
export interface AttemptResponse extends AttemptFields {
  readonly durationMs: number;
  /** The response, with its body already read; undefined when no response was received. */
  readonly response: Response | undefined;
  /** The error; undefined after a success. */
  readonly error: PartnerApiError | undefined;
}

/** The argument of `logger`: an attempt that ended, or a call that ended before or between its attempts. */
export interface LogEvent extends AttemptFields {
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly errorCode: string | undefined;
  /** Kind of the failure; undefined after a success. */
  readonly kind: ErrorKind | undefined;
  /** The effect of a failed call, as far as it is known; undefined after a success. */
  readonly outcome: Outcome | undefined;
  /** Id of the request, set by the service or by a proxy in front of it. */
  readonly requestId: string | undefined;
}

export type BeforeAttempt = (attempt: AttemptRequest) => unknown;
export type AfterAttempt = (attempt: AttemptResponse) => unknown;
