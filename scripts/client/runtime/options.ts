/** Validates the options of a client. */
import type { ClientOptions, EnvironmentOptions, FetchOptions } from "./client-options.ts";
import { type Edition, editions } from "./edition.ts";

/** Options with defaults applied: base URLs without a trailing slash, headers with names in lower case. */
export interface CheckedOptions {
  readonly edition: Edition;
  readonly baseUrl: string;
  readonly depositBaseUrl: string | undefined;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly retries: number;
  readonly fetch: ClientOptions["fetch"];
  readonly fetchOptions: FetchOptions | undefined;
  readonly logger: ClientOptions["logger"];
  readonly onRequest: ClientOptions["onRequest"];
  readonly onResponse: ClientOptions["onResponse"];
  readonly onDeviation: ClientOptions["onDeviation"];
}

const hooks = ["fetch", "logger", "onRequest", "onResponse", "onDeviation"] as const;
const settings = ["baseUrl", "depositBaseUrl", "apiKey"] as const;
const others = [
  "edition",
  "environments",
  "environment",
  "fetchOptions",
  "timeoutMs",
  "attemptTimeoutMs",
  "retries",
  "headers",
] as const;

/**
 * Validates the options of a client and applies the defaults.
 *
 * @throws {TypeError} when there is no such edition, a base URL is missing or malformed, the API key is missing or cannot be sent in a header, a
 * number is negative, a hook is no function, or an option does not exist. The message does not contain the API key.
 */
export function checkOptions(given: ClientOptions): CheckedOptions {
  const options = own(given);
  checkNames("option", options, [...settings, ...others, ...hooks]);
  const { baseUrl, depositBaseUrl, apiKey } = settingsOf(options);
  for (const name of hooks) {
    const hook: unknown = options[name];
    if (hook !== undefined && typeof hook !== "function") {
      throw new TypeError(`${name} must be a function. Got ${describe(hook)}.`);
    }
  }
  checkLimits(options);
  const {
    edition = editions[0],
    timeoutMs = 30_000,
    attemptTimeoutMs = Number.POSITIVE_INFINITY,
    retries = 2,
  } = options;
  if (!editions.includes(edition)) throw new TypeError(`edition must be one of ${editions.join(", ")}.`);
  const headers = toHeaders(options.headers);
  // Each body has its own, and without a body there is none.
  headers.delete("content-type");
  const { fetch, fetchOptions, logger, onRequest, onResponse, onDeviation } = options;
  return {
    edition,
    baseUrl: checkAddress("baseUrl", baseUrl),
    depositBaseUrl: depositBaseUrl === undefined ? undefined : checkAddress("depositBaseUrl", depositBaseUrl),
    apiKey: checkKey(apiKey),
    headers: Object.fromEntries(headers),
    timeoutMs,
    attemptTimeoutMs,
    retries,
    fetch,
    fetchOptions,
    logger,
    onRequest,
    onResponse,
    onDeviation,
  };
}

/** Without what a polluted `Object.prototype` has, so that it sets no option. Copied only then: such a copy is slow to read. */
export function own<T extends object>(object: T): T {
  return isPolluted() ? Object.assign(Object.create(null), object) : object;
}

function isPolluted(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}

/**
 * The headers of a client or a call.
 *
 * @throws {TypeError} when one cannot be sent. The message does not contain its value.
 */
export function toHeaders(headers: Readonly<Record<string, string>> | undefined): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new TypeError("headers has a name or a value that cannot be sent. Does a value end with a line break?");
  }
}

const limits = ["timeoutMs", "attemptTimeoutMs", "retries"] as const;

/**
 * Checks the limits among the options of a client or of one call.
 *
 * @throws {TypeError} when one is no number, or negative.
 */
export function checkLimits(options: { readonly [Name in (typeof limits)[number]]?: unknown }): void {
  for (const name of limits) {
    const value = options[name];
    if (value !== undefined && !((value as number) >= 0 && typeof value === "number")) {
      throw new TypeError(`${name} must be a number that is not negative. Got ${describe(value)}.`);
    }
  }
}

/**
 * Checks that an object has no member with an unknown name.
 *
 * @throws {TypeError} naming it, and all that are known.
 */
export function checkNames(kind: string, object: object, known: readonly string[]): void {
  for (const name of Object.keys(object)) {
    if (!known.includes(name)) throw new TypeError(`There is no ${kind} "${name}". There are ${known.join(", ")}.`);
  }
}

/** Variables belong to one environment, which need not be the one that was named: they never complete it. */
function settingsOf(options: ClientOptions): EnvironmentOptions {
  const named = own(environmentOf(options));
  const fallback = options.environments === undefined ? variable : () => undefined;
  return {
    baseUrl: options.baseUrl ?? named.baseUrl ?? fallback("BASE_URL"),
    depositBaseUrl: options.depositBaseUrl ?? named.depositBaseUrl ?? fallback("DEPOSIT_BASE_URL"),
    apiKey: options.apiKey ?? named.apiKey ?? fallback("API_KEY"),
  };
}

function environmentOf({ environments, environment }: ClientOptions): EnvironmentOptions {
  if (environments === undefined) {
    if (environment !== undefined) throw new TypeError("environment names one of environments, which are missing.");
    return {};
  }
  const name = environment ?? variable("ENVIRONMENT") ?? "";
  const named = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (named === undefined) {
    throw new TypeError(`environment must be one of ${Object.keys(environments).join(", ")}. Got "${name}".`);
  }
  return named;
}

/** An environment variable of this package, undefined where there is none, or the runtime has no environment variables. */
function variable(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[`PARTNER_WALLET_${name}`] || undefined;
  } catch {
    // Deno without the permission to read it.
    return undefined;
  }
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
  const base = url.href.replace(/\/+$/, "");
  if (base.endsWith("/v1"))
    throw new TypeError(`${name} must not end in /v1: the paths of the operations begin with it.`);
  return base;
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

function describe(value: unknown): string {
  if (value === undefined) return "undefined: is the environment variable set?";
  if (typeof value === "number") return String(value);
  return value === "" ? "an empty string" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
