/** The commands that see and change a running mock. They are made of `openapi/mock-control.yaml`, as the plan has it. */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { controlPath } from "../control/judge.ts";
import { didYouMean } from "../nearest-name.ts";
import type { Plan, PlanControl } from "../plan/plan.ts";
import { formatAttempt, formatSeen } from "../server/terminal.ts";
import type { SeenRequest } from "../tenants/requests.ts";
import type { Delivery } from "../webhooks/deliveries.ts";
import { setField } from "../webhooks/single-event.ts";
import { ArgumentError, type Arguments, helpOf, type Option, readArguments } from "./arguments.ts";

/** The key of the samples in the docs. */
const usualKey = "any-key-will-do-for-the-mock";

const commonOptions: readonly Option[] = [
  { name: "url", value: "URL", text: "an address of the mock", initial: "http://127.0.0.1:4010" },
  {
    ...{ name: "key", value: "KEY", text: "the API key whose world is meant" },
    otherwise: `the variable PARTNER_WALLET_API_KEY, or ${usualKey}`,
  },
  { name: "json", text: "print the answer as JSON, a list as one line for each item" },
];

/** A command: its words, some of which stand for a value, and what it calls. */
interface ControlCommand {
  readonly words: readonly string[];
  /** Whether members of the body can follow. */
  readonly takesMembers: boolean;
  readonly operation: PlanControl;
}

const logsSummary = "Print the requests and the deliveries of events";

function commandsOf({ control }: Plan): ControlCommand[] {
  return control.flatMap((operation) =>
    operation.commands.map((command) => {
      const words = command.split(" ");
      const takesMembers = words.at(-1) === "…";
      return { words: takesMembers ? words.slice(0, -1) : words, takesMembers, operation };
    }),
  );
}

const operands = "[member=value …]";

function usageOf({ words, takesMembers }: ControlCommand): string {
  const shown = words.map((word) => word.replace(/\{(\w+)\}/g, "<$1>"));
  return [...shown, ...(takesMembers ? [operands] : [])].join(" ");
}

/** Each command with what it does, for the help of the program. */
export function controlCommands(plan: Plan): [usage: string, summary: string][] {
  const commands = commandsOf(plan).map((one): [string, string] => [usageOf(one), one.operation.summary]);
  return [["logs", logsSummary], ...commands];
}

export interface ControlCommandOptions {
  /** How the program is called, for its help: `npx partner-wallet-api`. */
  readonly usage: string;
  readonly plan: Plan;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Ends `logs --follow`. */
  readonly stop?: AbortSignal;
}

/** Why a call had no success. */
class CallError extends Error {}

/**
 * Runs a command.
 *
 * @param args all of them, the name first.
 * @returns its exit code: 0, 1 when the mock does not answer or refuses, 2 for a mistake on the command line.
 */
export async function runControlCommand(args: readonly string[], about: ControlCommandOptions): Promise<0 | 1 | 2> {
  try {
    await (args[0] === "logs" ? runLogs(args.slice(1), about) : runOperation(args, about));
    return 0;
  } catch (error) {
    if (!(error instanceof ArgumentError || error instanceof CallError)) throw error;
    about.printError(error.message);
    return error instanceof ArgumentError ? 2 : 1;
  }
}

async function runOperation(args: readonly string[], { usage, plan, print }: ControlCommandOptions): Promise<void> {
  const command = findCommand(args, plan, usage);
  const { words, takesMembers, operation } = command;
  const { method, query, body, summary } = operation;
  const members = membersOf(body?.schema);
  const rows = Object.entries(members).map(([name, { description = "" }]) => `  ${name}: ${description}`);
  const form = {
    usage: `${usage} ${usageOf({ ...command, takesMembers: false })}`,
    text: [`${summary}.`, ...(takesMembers ? ["", "Members:", ...rows] : [])].join("\n"),
    ...(takesMembers ? { operands } : {}),
    options: [...Object.entries(query).map(optionOf), ...commonOptions],
  };
  const given = readArguments(form, args.slice(words.length));
  if (given.has("help")) return print(helpOf(form));
  const sent: Record<string, unknown> = {};
  const values = valuesOf(words, args);
  // In `clock run`, the word is the member.
  for (const word of words) if (members[word] !== undefined) sent[word] = true;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ""));
  const inBody = [...values].filter(([name]) => members[name] !== undefined);
  for (const [name, text] of [...inBody, ...given.operands.map(assignment)])
    put(sent, name, text, schemaAt(members, name));
  const names = given.names.filter((name) => Object.hasOwn(query, name));
  const search = names.map((name) => `${name}=${encodeURIComponent(given.text(name) ?? "true")}`);
  const file = values.get("FILE");
  const content =
    body === undefined
      ? undefined
      : file === undefined
        ? JSON.stringify(sent)
        : attempted(() => readFileSync(file, "utf8"));
  const answer = await call(given, {
    method,
    path: search.length === 0 ? path : `${path}?${search.join("&")}`,
    content,
  });
  if (file !== undefined && method === "GET") attempted(() => writeFileSync(file, `${JSON.stringify(answer)}\n`));
  else for (const line of linesOf(answer, given.has("json"))) print(line);
}

function optionOf([name, type]: [string, string]): Option {
  return { name, ...(type === "boolean" ? {} : { value: "NUMBER" }), text: "as openapi/mock-control.yaml says" };
}

/** The longest command whose words the arguments begin with. @throws {ArgumentError} when there is none. */
function findCommand(args: readonly string[], plan: Plan, usage: string): ControlCommand {
  const alike = commandsOf(plan).filter(({ words: [first] }) => first === args[0]);
  const isNext = ({ words, takesMembers }: ControlCommand) => /^-|^$/.test(args[words.length] ?? "") || takesMembers;
  const [found] = alike
    .filter((one) => isNext(one) && one.words.every((word, index) => patternOf(word).test(args[index] ?? "")))
    .sort((one, other) => other.words.length - one.words.length);
  if (found !== undefined) return found;
  const meant = didYouMean(
    args[1] ?? "",
    alike.flatMap(({ words }) => words[1] ?? []),
  );
  const possible = alike.map((command) => `\n  ${usage} ${usageOf(command)}`);
  throw new ArgumentError(
    `${args.slice(0, 2).join(" ")}: this is not a command.${meant} Possible are${possible.join("")}`,
  );
}

/** What a word of a command stands for: `{resource}.{event}` for two values with a point between them. */
function patternOf(word: string): RegExp {
  return new RegExp(`^(?!-)${word.replaceAll(".", "\\.").replace(/[{<]\w+[}>]/g, "(.+?)")}$`, "s");
}

function valuesOf(words: readonly string[], args: readonly string[]): Map<string, string> {
  const pairs = words.flatMap((word, index) => {
    const [, ...values] = patternOf(word).exec(args[index] ?? "") ?? [];
    const names = [...word.matchAll(/[{<](\w+)[}>]/g)].map(([, name = ""]) => name);
    return names.map((name, at): [string, string] => [name, values[at] ?? ""]);
  });
  return new Map(pairs);
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema;
}

function membersOf(schema: Schema = {}): Readonly<Record<string, Schema>> {
  return Object.assign({}, ...[schema, ...(schema.allOf ?? [])].map(({ properties }) => properties)) as Record<
    string,
    Schema
  >;
}

/** Undefined where the document says nothing. */
function schemaAt(members: Readonly<Record<string, Schema>>, name: string): Schema | undefined {
  const [first = "", ...rest] = name.split(".");
  const inner = ({ properties, additionalProperties }: Schema, part: string) =>
    properties?.[part] ?? additionalProperties;
  return rest.reduce((schema: Schema | undefined, part) => schema && inner(schema, part), members[first]);
}

function assignment(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new ArgumentError(`${text}: give a member and its value, such as amount=10.00`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Sets a member of the body; a point leads into an object. It is a text where the document allows one, and says nothing else. */
function put(body: Record<string, unknown>, name: string, text: string, schema?: Schema): void {
  const types = [schema ?? {}, ...(schema?.anyOf ?? [])].flatMap(({ type = [] }) => type);
  const isJson = schema === undefined ? /^(true|false|null|[[{"].*)$/s.test(text) : !types.includes("string");
  const value = isJson ? parsed(text) : text;
  try {
    setField(body, name, value === undefined ? text : value);
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
}

/** Undefined for what is no JSON; the mock says what it should have been. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One line for each item of a list. */
function linesOf(value: unknown, isJson: boolean): string[] {
  if (value === undefined) return isJson ? [] : ["Done."];
  return [value].flat().map((item) => (isJson ? JSON.stringify(item) : textOf(item)));
}

function textOf(value: unknown): string {
  const members = Object.entries(value as object);
  return members.map(([name, part]) => `${name}: ${typeof part === "string" ? part : JSON.stringify(part)}`).join("  ");
}

/** How often `logs --follow` asks, in milliseconds. */
const pace = 500;

async function runLogs(args: readonly string[], { usage, print, stop }: ControlCommandOptions): Promise<void> {
  const follow: Option = { name: "follow", text: "go on with what comes, until Ctrl+C" };
  const form = { usage: `${usage} logs`, text: `${logsSummary}.`, options: [follow, ...commonOptions] };
  const given = readArguments(form, args);
  if (given.has("help")) return print(helpOf(form));
  let last = -1;
  /** The attempts that were printed, by the number of the event. */
  let printed = new Map<number, number>();
  const get = (path: string) => call(given, { method: "GET", path: `${controlPath}/${path}` });
  do {
    const [requests, deliveries] = (await Promise.all([get("requests"), get("deliveries")])) as [
      SeenRequest[],
      Delivery[],
    ];
    // After a reset, it begins anew.
    if ((requests.at(-1)?.number ?? -1) < last) last = -1;
    const seen = requests
      .filter(({ number }) => number > last)
      .map((one) => ({ at: one.at, told: one, line: formatSeen(one) }));
    const attempts = deliveries.flatMap(({ body: _, ...event }) =>
      event.attempts.slice(printed.get(event.number) ?? 0).map((made) => {
        const told = { ...event, attempts: undefined, ...made };
        return { at: new Date(made.at).toISOString(), told, line: formatAttempt(event, made) };
      }),
    );
    last = requests.at(-1)?.number ?? -1;
    printed = new Map(deliveries.map((event) => [event.number, event.attempts.length]));
    for (const { told, line } of [...seen, ...attempts].sort((a, b) => (a.at < b.at ? -1 : 1))) {
      print(given.has("json") ? JSON.stringify(told) : line);
    }
    if (given.has("follow")) await wait(pace, undefined, { signal: stop }).catch(() => {});
  } while (given.has("follow") && stop?.aborted !== true);
}

/** @throws {CallError} when nobody answers, or the answer is no success. */
async function call(
  { text }: Arguments,
  { method, path, content }: { method: string; path: string; content?: string | undefined },
): Promise<unknown> {
  const url = text("url") ?? "";
  if (!URL.canParse(path, url)) throw new ArgumentError("--url takes a URL such as http://127.0.0.1:4010");
  const key = text("key") ?? process.env.PARTNER_WALLET_API_KEY ?? usualKey;
  const headers = { "x-api-key": key, ...(content === undefined ? {} : { "content-type": "application/json" }) };
  let response: Response;
  try {
    response = await fetch(new URL(path, url), {
      ...{ method, headers, redirect: "error" },
      ...(content === undefined ? {} : { body: content }),
    });
  } catch {
    throw new CallError(
      `No mock answers at ${url}. Start one with "npx partner-wallet-api mock", or name another with --url.`,
    );
  }
  const answer = await response.text();
  const value = parsed(answer);
  if (response.ok && (value !== undefined || answer === "")) return value;
  const { message } = (value ?? {}) as { message?: string };
  throw new CallError(message ?? `What answers at ${url} is no mock: HTTP ${response.status}.`);
}

/** @throws {CallError} when a file cannot be read or written. */
function attempted<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new CallError((error as Error).message);
  }
}
