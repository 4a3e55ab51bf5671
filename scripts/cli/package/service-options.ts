import { readFileSync } from "node:fs";
import { didYouMean } from "../../base/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import { type CallerOptions, inputNames, type ReportFormat, type Target } from "../../service/index.ts";
import { ArgumentError, type Arguments, assertDistinct, type Option } from "../kit/arguments.ts";

export function assertKnown(names: readonly string[], name: string, kind: string): string {
  if (names.includes(name)) return name;
  throw new ArgumentError(`There is no ${kind} ${name}.${didYouMean(name, names)}`);
}

export const checkUrl = (text: string) =>
  /^https?:\/\/[^/?#@\s]+[^?#@\s]*$/.test(text) && URL.canParse(text)
    ? undefined
    : "an address such as https://api.example, without a name, a query or a fragment";

export const checkCount = (text: string) => (/^[1-9]\d{0,5}$/.test(text) ? undefined : "a number from 1 to 999999");

export const targetOptions: readonly Option[] = [
  {
    name: "environment",
    value: "NAME",
    choices: ["staging", "production"],
    text: "read missing values from PARTNER_WALLET_STAGING_BASE_URL, …_DEPOSIT_BASE_URL and …_API_KEY, or …_PRODUCTION_…",
    defaultText: "PARTNER_WALLET_BASE_URL …",
  },
  { name: "base-url", value: "URL", text: "the main address", check: checkUrl },
  { name: "deposit-base-url", value: "URL", text: "the address of the crypto deposit details", check: checkUrl },
  { name: "key-file", value: "FILE", text: "a file that holds the API key and nothing else" },
];

const maxKeyLength = 4096;

export function readTarget(parsedArgs: Arguments, env: NodeJS.ProcessEnv): Target {
  const environment = parsedArgs.text("environment");
  const prefix = `PARTNER_WALLET_${environment === undefined ? "" : `${environment.toUpperCase()}_`}`;
  const target = {
    baseUrl: readUrl(parsedArgs, env, "base-url", `${prefix}BASE_URL`),
    depositBaseUrl: readUrl(parsedArgs, env, "deposit-base-url", `${prefix}DEPOSIT_BASE_URL`),
    apiKey: readApiKey(parsedArgs, env, `${prefix}API_KEY`),
  };
  if (parsedArgs.has("write")) assertMayWrite(target, environment, env);
  return target;
}

function readUrl({ text }: Arguments, env: NodeJS.ProcessEnv, option: string, variable: string): string {
  const value = text(option) ?? env[variable];
  if (!value) throw new ArgumentError(`Give the address of the service: --${option}, or the variable ${variable}.`);
  const expectedForm = checkUrl(value);
  if (expectedForm !== undefined) throw new ArgumentError(`${variable} takes ${expectedForm}.`);
  return withoutSlash(value);
}

function readApiKey({ text }: Arguments, env: NodeJS.ProcessEnv, variable: string): string {
  const file = text("key-file");
  const apiKey = (file === undefined ? env[variable] : readKey(file))?.trim() ?? "";
  // If a header cannot hold the key, the error of `fetch` would contain the key, so it is checked here.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new ArgumentError(`Give the API key with --key-file, or in the variable ${variable}: one line of ASCII.`);
}

function readKey(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ArgumentError(`The file of --key-file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (text.length <= maxKeyLength) return text;
  throw new ArgumentError(`The file of --key-file has more than ${maxKeyLength} characters, so it is no API key.`);
}

/** @throws {ArgumentError} when the target may be production, or is neither staging nor on this machine. */
function assertMayWrite(
  { baseUrl, depositBaseUrl, apiKey }: Target,
  environment: string | undefined,
  env: NodeJS.ProcessEnv,
): void {
  const urls = [baseUrl, depositBaseUrl].map(normalizedUrl);
  const productionValue = (name: string) => env[`PARTNER_WALLET_PRODUCTION_${name}`]?.trim() ?? "";
  // The target is also compared with the production variables, because a tunnel can make production reachable at a local address.
  const mayBeProduction =
    environment === "production" ||
    productionValue("API_KEY") === apiKey ||
    ["BASE_URL", "DEPOSIT_BASE_URL"].some((name) => urls.includes(normalizedUrl(productionValue(name))));
  if (mayBeProduction) {
    throw new ArgumentError(
      "--write is never used with production, and --environment, the key or an address is that of production.",
    );
  }
  const isLocal = urls.every((url) => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname));
  if (environment !== "staging" && !isLocal) {
    throw new ArgumentError("--write works with --environment staging, or on this machine.");
  }
}

/** Makes `http://LOCALHOST/` and `http://localhost:80` equal. A text that is not a URL only loses slashes at its end. */
export function normalizedUrl(text: string): string {
  return withoutSlash(URL.canParse(text) ? new URL(text).href : text);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

export const callOptions = [
  ...targetOptions,
  {
    name: "set",
    value: "NAME=VALUE",
    isRepeatable: true,
    text: "value for the calls, such as externalUserId=…; identifiers in responses are used automatically",
  },
  { name: "timeout", value: "SECONDS", text: "how long a response may take", check: checkCount, defaultValue: "30" },
  {
    name: "max-calls",
    value: "NUMBER",
    text: "how many calls are made at most",
    check: checkCount,
    defaultValue: "200",
  },
];

export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

export function callerOptions(parsedArgs: Arguments, plan: Plan, { env, signal }: CommandContext): CallerOptions {
  const names = new Set([...plan.operations.flatMap(inputNames), ...Object.keys(plan.probes.values)]);
  const values = parsedArgs.texts("set").map((text): [string, string] => {
    const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new ArgumentError("--set takes a name and its value: --set externalUserId=user-1042.");
    return [assertKnown([...names], name, "parameter or field"), value];
  });
  assertDistinct(values.map(([name]) => name));
  return {
    target: readTarget(parsedArgs, env),
    plan,
    values: Object.fromEntries(values),
    signal,
    timeoutMs: Number(parsedArgs.requiredText("timeout")) * 1000,
    maxCalls: Number(parsedArgs.requiredText("max-calls")),
  };
}

export const driftFormats = ["text", "json", "junit"] as const satisfies readonly ReportFormat[];

export function reportOptions(...formats: readonly string[]): Option[] {
  const text = `format of the report: ${formats.join(", ")}`;
  return [
    { name: "format", value: "FORMAT", text, choices: formats, ...(formats[0] && { defaultValue: formats[0] }) },
    { name: "out", value: "FILE", text: "write the report to a file" },
  ];
}
