import { readFileSync } from "node:fs";
import { didYouMean } from "../../contract/messages/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import { type CallerOptions, inputNames, type ReportFormat, type Target } from "../../service/index.ts";
import { ArgumentError, type Arguments, type Option } from "../kit/arguments.ts";

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

const maxKeyBytes = 4096;

export function readTarget(parsedArgs: Arguments, env: NodeJS.ProcessEnv): Target {
  const environment = parsedArgs.text("environment");
  const prefix = `PARTNER_WALLET_${environment === undefined ? "" : `${environment.toUpperCase()}_`}`;
  const readUrl = (option: string, name: string) => {
    const value = parsedArgs.text(option) ?? env[`${prefix}${name}`];
    if (!value)
      throw new ArgumentError(`Give the address of the service: --${option}, or the variable ${prefix}${name}.`);
    const expectedForm = checkUrl(value);
    if (expectedForm !== undefined) throw new ArgumentError(`${prefix}${name} takes ${expectedForm}.`);
    return value.replace(/\/+$/, "");
  };
  const baseUrl = readUrl("base-url", "BASE_URL");
  const depositBaseUrl = readUrl("deposit-base-url", "DEPOSIT_BASE_URL");
  const file = parsedArgs.text("key-file");
  const apiKey = (file === undefined ? env[`${prefix}API_KEY`] : readKey(file))?.trim() ?? "";
  // Checked here, because for a key that is not a valid header value, the error message of `fetch` contains the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ArgumentError(
      `Give the API key with --key-file, or in the variable ${prefix}API_KEY: one line of ASCII.`,
    );
  }
  // The target is also compared with the production variables, because a tunnel can make production reachable at a local address.
  const isProductionValue = (name: string, value: string) =>
    env[`PARTNER_WALLET_PRODUCTION_${name}`]?.trim().replace(/\/+$/, "") === value;
  const mayBeProduction =
    environment === "production" ||
    isProductionValue("API_KEY", apiKey) ||
    isProductionValue("BASE_URL", baseUrl) ||
    isProductionValue("DEPOSIT_BASE_URL", depositBaseUrl);
  if (parsedArgs.has("write") && mayBeProduction) {
    throw new ArgumentError(
      "--write is never used with production, and --environment, the key or an address is that of production.",
    );
  }
  const isLocal = [baseUrl, depositBaseUrl].every((url) =>
    /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname),
  );
  if (parsedArgs.has("write") && environment !== "staging" && !isLocal) {
    throw new ArgumentError("--write works with --environment staging, or on this machine.");
  }
  return { baseUrl, depositBaseUrl, apiKey };
}

function readKey(file: string): string {
  try {
    return readFileSync(file, "utf8").slice(0, maxKeyBytes);
  } catch (error) {
    throw new ArgumentError(`The file of --key-file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
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
  return {
    target: readTarget(parsedArgs, env),
    plan,
    values: Object.fromEntries(values),
    signal,
    timeoutMs: Number(parsedArgs.requiredText("timeout")) * 1000,
    maxCalls: Number(parsedArgs.requiredText("max-calls")),
  };
}

/** The formats of a report of differences from the contract. */
export const driftFormats = ["text", "json", "junit"] as const satisfies readonly ReportFormat[];

export function reportOptions(...formats: readonly string[]): Option[] {
  const text = `format of the report: ${formats.join(", ")}`;
  return [
    { name: "format", value: "FORMAT", text, choices: formats, ...(formats[0] && { defaultValue: formats[0] }) },
    { name: "out", value: "FILE", text: "write the report to a file" },
  ];
}
