/** The options of a client and their validation. */
import type { OnDeviation } from "./deviations.ts";

/** The options of a client. */
export interface ClientOptions {
  /** Base URL of the service, for example `https://api.example`. A path before `/v1` is kept. */
  baseUrl: string;
  /** Base URL of the crypto deposit details, used by that operation only. */
  depositBaseUrl: string;
  /** API key of the partner for this environment. It is sent as `x-api-key`, and only to the two base URLs. */
  apiKey: string;
  /** Used instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Timeout of a call in milliseconds, including all its attempts. Default: 30,000. */
  timeoutMs?: number;
  /** Maximum number of retries of a safe operation. Default: 2. */
  retries?: number;
  /** Headers to send with every call. */
  headers?: Record<string, string>;
  /** Called after every attempt. The event contains no header, body or parameter. */
  logger?: (event: LogEvent) => void;
  /**
   * Called with every deviation of a response from the contract, before the call returns: a status, media type or P-code
   * that is not documented, and everything in the body that the schema does not say. It gets no value of a body, and what
   * it throws or rejects with is ignored. Without it, responses are not compared with their schemas.
   */
  onDeviation?: OnDeviation;
}

/** One attempt of a call. */
export interface LogEvent {
  operationId: string;
  method: string;
  /** Path template, without the values of path parameters. */
  path: string;
  /** Number of the attempt, starting with 1. */
  attempt: number;
  durationMs: number;
  status: number | undefined;
  errorCode: string | undefined;
  /** Kind of the failure; undefined after a success. */
  kind: string | undefined;
}

/** Options with defaults applied and base URLs without a trailing slash. */
export type CheckedOptions = Required<Omit<ClientOptions, Hook>> & Pick<ClientOptions, Hook>;

type Hook = "logger" | "onDeviation";

/**
 * Validates the options of a client and applies the defaults.
 *
 * @throws {TypeError} when a base URL is missing or malformed, the API key is missing or cannot be sent in a header, a
 * number is negative, or a hook is no function. The message does not contain the API key.
 */
export function checkOptions(options: ClientOptions): CheckedOptions {
  return {
    baseUrl: checkAddress("baseUrl", options.baseUrl),
    depositBaseUrl: checkAddress("depositBaseUrl", options.depositBaseUrl),
    apiKey: checkKey(options.apiKey),
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    timeoutMs: checkCount("timeoutMs", options.timeoutMs ?? 30_000),
    retries: checkCount("retries", options.retries ?? 2),
    headers: options.headers ?? {},
    ...(options.logger === undefined ? {} : { logger: options.logger }),
    ...(options.onDeviation === undefined ? {} : { onDeviation: checkHook("onDeviation", options.onDeviation) }),
  };
}

function checkAddress(name: string, address: unknown): string {
  if (typeof address !== "string" || !URL.canParse(address)) {
    throw new TypeError(`${name} must be an absolute URL such as "https://api.example". Got ${describe(address)}.`);
  }
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new TypeError(`${name} must start with https:// or http://.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError(`${name} must not contain credentials, a query or a fragment.`);
  }
  return url.href.replace(/\/+$/, "");
}

function checkKey(key: unknown): string {
  if (typeof key !== "string" || key.trim() === "") {
    throw new TypeError(`apiKey must be the API key of the partner. Got ${describe(key)}.`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError("apiKey contains a space, a line break or another character that is not allowed in a header.");
  }
  return key;
}

function checkCount(name: string, value: unknown): number {
  if (typeof value !== "number" || !(value >= 0)) throw new TypeError(`${name} must be a number that is not negative.`);
  return value;
}

function checkHook<Hook>(name: string, hook: Hook): Hook {
  if (typeof hook !== "function") throw new TypeError(`${name} must be a function. Got ${describe(hook)}.`);
  return hook;
}

function describe(value: unknown): string {
  if (value === undefined) return "undefined: is the environment variable set?";
  return value === "" ? "an empty string" : `a ${typeof value}`;
}
