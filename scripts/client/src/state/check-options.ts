import { checkNames } from "../base/check-names.ts";
import { toHeaders } from "../base/headers.ts";
import { type Edition, editions } from "../base/operation.ts";
import { ownProperties } from "../base/own-properties.ts";
import type { ClientOptions, EnvironmentOptions } from "./client-options.ts";

/** Includes defaults. Base URLs have no trailing slash, and names of headers are in lower case. */
export interface CheckedOptions
  extends Readonly<Pick<ClientOptions, (typeof hooks)[number] | "depositBaseUrl" | "fetchOptions">>,
    Readonly<Record<Limit, number>> {
  readonly edition: Edition;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
}

const hooks = ["fetch", "logger", "onRequest", "onResponse", "onDeviation"] as const;
const settings = ["baseUrl", "depositBaseUrl", "apiKey"] as const;
/** These limits are also options of a single call. */
export const limits = ["timeoutMs", "attemptTimeoutMs", "retries"] as const;
const otherLimits = ["retryBudget", "maxConcurrent", "maxResponseBytes"] as const;
type Limit = (typeof limits)[number] | (typeof otherLimits)[number];
const otherNames = ["edition", "environments", "environment", "allowInsecure", "fetchOptions", "headers"] as const;

/** @throws {TypeError} if an option is invalid. The message does not contain the API key, unless the key is a number. */
export function checkClientOptions(clientOptions: ClientOptions): CheckedOptions {
  const options = ownProperties(clientOptions ?? {});
  checkNames("option", options, [...settings, ...otherNames, ...limits, ...otherLimits, ...hooks]);
  const { baseUrl, depositBaseUrl, apiKey } = settingsOf(options);
  for (const name of hooks) {
    const hook: unknown = options[name];
    if (hook !== undefined && typeof hook !== "function") {
      throw new TypeError(`${name} must be a function. Got ${describeValue(hook)}.`);
    }
  }
  checkLimits(options, [...limits, ...otherLimits]);
  const { edition = editions[0], timeoutMs = 30_000, attemptTimeoutMs = Infinity, retries = 2 } = options;
  const { retryBudget = 20, maxConcurrent = Infinity, maxResponseBytes = 10 * 2 ** 20, allowInsecure } = options;
  if (!editions.includes(edition)) throw new TypeError(`edition must be one of ${editions.join(", ")}.`);
  const headers = toHeaders(options.headers);
  // The content type is set for each request, because a request without a body has none.
  headers.delete("content-type");
  return {
    ...options,
    edition,
    baseUrl: checkAddress("baseUrl", baseUrl, allowInsecure),
    depositBaseUrl:
      depositBaseUrl === undefined ? undefined : checkAddress("depositBaseUrl", depositBaseUrl, allowInsecure),
    apiKey: checkKey(apiKey),
    headers: Object.fromEntries(headers),
    timeoutMs,
    attemptTimeoutMs,
    retries,
    retryBudget,
    maxConcurrent,
    maxResponseBytes,
  };
}

const ranges: Readonly<Record<string, readonly [min: number, max: number]>> = {
  retries: [0, 10],
  maxConcurrent: [1, Infinity],
  maxResponseBytes: [1, Infinity],
};

export function checkLimits(options: { readonly [Name in Limit]?: unknown }, names: readonly Limit[] = limits): void {
  for (const name of names) {
    const value = options[name];
    if (value === undefined) continue;
    const [min, max] = ranges[name] ?? [0, Infinity];
    const isWhole = !name.endsWith("Ms");
    const isInRange = typeof value === "number" && value >= min && value <= max;
    if (isInRange && !(isWhole && value % 1 > 0)) continue;
    const kind = isWhole ? "whole number" : "number";
    throw new TypeError(`${name} must be a ${kind} from ${min} to ${max}. Got ${describeValue(value)}.`);
  }
}

/** All from one source: mixing sources could send a key to the address of another environment. */
function settingsOf(options: ClientOptions): EnvironmentOptions {
  const givenNames = settings.filter((name) => options[name] !== undefined);
  if (givenNames.length === 0) return ownProperties(environmentOf(options));
  const missingName = ["baseUrl", "apiKey"].find((name) => !givenNames.includes(name as "apiKey"));
  if (missingName === undefined) return options;
  throw new TypeError(
    `${missingName} must come from one source with ${givenNames.join(" and ")}: a key is for one environment. Got undefined.`,
  );
}

function environmentOf({ environments, environment }: ClientOptions): EnvironmentOptions {
  if (!environments) {
    if (environment !== undefined) throw new TypeError("environment is given without environments.");
    return Object.fromEntries(settings.map((name) => [name, readVariable(name)]));
  }
  const name = environment ?? readVariable("environment") ?? "";
  const chosenEnvironment = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (!chosenEnvironment) {
    throw new TypeError(
      `environment or ${variableOf("environment")} must be one of ${Object.keys(environments).join(", ")}. Got "${name}".`,
    );
  }
  checkNames("option", chosenEnvironment, settings);
  return chosenEnvironment;
}

/** The name of the environment variable of an option: `PARTNER_WALLET_API_KEY`. */
function variableOf(optionName: string): string {
  return `PARTNER_WALLET_${optionName.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

function readVariable(optionName: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[variableOf(optionName)] || undefined;
  } catch {
    // In Deno, reading a variable without permission throws.
    return undefined;
  }
}

function checkAddress(name: string, address: unknown, allowInsecure: boolean | undefined): string {
  if (typeof address !== "string" || !URL.canParse(address)) {
    throw new TypeError(
      `${name} must be an absolute URL such as "https://api.example". Got ${describeValue(address, name)}.`,
    );
  }
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new TypeError(`${name} must start with https:// or http://.`);
  }
  if (url.protocol === "http:" && allowInsecure !== true && !isLoopback(url)) {
    throw new TypeError(
      `${name} must start with https://, since http:// sends the key in clear text. Give allowInsecure: true where that is meant.`,
    );
  }
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new TypeError(`${name} must not contain credentials, a query or a fragment.`);
  }
  const normalizedAddress = url.href.replace(/\/+$/, "");
  if (normalizedAddress.endsWith("/v1"))
    throw new TypeError(`${name} must not end in /v1: the paths of the operations begin with it.`);
  return normalizedAddress;
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function checkKey(key: unknown): string {
  if (typeof key !== "string" || key.trim() === "") {
    throw new TypeError(`apiKey must be the API key of the partner. Got ${describeValue(key, "apiKey")}.`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError("apiKey has a character that cannot be sent, such as a line break.");
  }
  return key;
}

function describeValue(value: unknown, optionName = ""): string {
  if (value === undefined) return `undefined. Set it, or ${variableOf(optionName)}`;
  if (typeof value === "number") return String(value);
  return value === "" ? "an empty string" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
