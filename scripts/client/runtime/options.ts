/** The options of a client, checked when it is made. */

/** What a client needs to know. */
export interface ClientOptions {
  /** Main address of the interface, for example `https://api.example`. A path in front of `/v1` is kept. */
  baseUrl: string;
  /** Address of the crypto deposit details, used by that operation only. */
  depositBaseUrl: string;
  /** The key of the partner for the environment addressed. It is sent as `x-api-key`, and never to another address. */
  apiKey: string;
  /** Used instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Milliseconds until a call is given up, all its attempts included. 30,000 by default. */
  timeoutMs?: number;
  /** How often to repeat a call when that is safe and may help. 2 by default. */
  retries?: number;
  /** Headers to add to every call. */
  headers?: Record<string, string>;
  /** Is told of every attempt. It is never given a header, a body or a parameter. */
  logger?: (event: LogEvent) => void;
}

/** One attempt of a call, as the logger sees it. */
export interface LogEvent {
  operationId: string;
  method: string;
  /** Path template: identifiers are not in it. */
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  durationMs: number;
  status: number | undefined;
  errorCode: string | undefined;
  /** The kind of failure; undefined after a success. */
  kind: string | undefined;
}

/** Options with defaults filled in and addresses without a trailing slash. */
export type CheckedOptions = Required<Omit<ClientOptions, "logger">> & Pick<ClientOptions, "logger">;

/**
 * Checks the options of a client.
 *
 * @throws {TypeError} when an address is missing or malformed, or the key cannot be sent. The key itself is not in the
 * message.
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
    throw new TypeError(`${name} must be an address only, without credentials, query or fragment.`);
  }
  return url.href.replace(/\/+$/, "");
}

function checkKey(key: unknown): string {
  if (typeof key !== "string" || key.trim() === "") {
    throw new TypeError(`apiKey must be the key of the partner. Got ${describe(key)}.`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError("apiKey holds a space, a line break or another character that no header can carry.");
  }
  return key;
}

function checkCount(name: string, value: unknown): number {
  if (typeof value !== "number" || !(value >= 0)) throw new TypeError(`${name} must be a number, 0 or more.`);
  return value;
}

function describe(value: unknown): string {
  if (value === undefined) return "undefined: is the environment variable set?";
  return value === "" ? "an empty string" : `a ${typeof value}`;
}
