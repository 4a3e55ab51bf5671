/** The commands that see and change a running mock. They are made of `openapi/mock-control.yaml`, as the plan has it. */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Delivery, SeenRequest } from "../../../generated/control/types.ts";
import { didYouMean } from "../../contract/nearest-name.ts";
import type { Plan, PlanControl } from "../../mock/plan/plan.ts";
import { readJson } from "../../mock/request/body.ts";
import { controlPath } from "../../mock/request/control-path.ts";
import { formatAttempt, formatSeen } from "../../mock/server/terminal.ts";
import { ArgumentError, type Arguments, helpOf, type Option, readArguments } from "../kit/arguments.ts";
import { readMember, setMember } from "./members.ts";

/** The key of the samples in the docs. */
const usualKey = "any-key-will-do-for-the-mock";

const commonOptions: readonly Option[] = [
  { name: "url", value: "URL", text: "an address of the mock", initial: "http://127.0.0.1:4010" },
  {
    ...{ name: "key", value: "KEY", text: "the API key whose world is meant" },
    otherwise: `the variable PARTNER_WALLET_API_KEY, or ${usualKey}`,
  },
  { name: "json", text: "print the response as JSON, a list as one line for each item" },
];

/** A command: its words, some of which stand for a value, and what it calls. */
interface ControlCommand {
  readonly usage: string;
  readonly words: readonly string[];
  /** Whether members of the body can follow. */
  readonly takesMembers: boolean;
  readonly operation: PlanControl;
}

const logsSummary = "Print the requests and the deliveries of events";
const operands = "[member=value …]";

function commandsOf({ control }: Plan): ControlCommand[] {
  return control.flatMap((operation) =>
    operation.commands.map((command) => ({
      usage: command.replace(/\{(\w+)\}/g, "<$1>").replace("…", operands),
      words: command.split(" ").filter((word) => word !== "…"),
      takesMembers: command.endsWith("…"),
      operation,
    })),
  );
}

/** Each command with what it does, for the help of the program. */
export function controlCommands(plan: Plan): [usage: string, summary: string][] {
  const commands = commandsOf(plan).map(({ usage, operation }): [string, string] => [usage, operation.summary]);
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
    const isOfFile = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (!(error instanceof ArgumentError || error instanceof CallError || isOfFile)) throw error;
    about.printError((error as Error).message);
    return error instanceof ArgumentError ? 2 : 1;
  }
}

async function runOperation(args: readonly string[], { usage, plan, print }: ControlCommandOptions): Promise<void> {
  const { words, takesMembers, operation, values } = findCommand(args, plan, usage);
  const { method, query, body, summary } = operation;
  const members = membersOf(body?.schema);
  const rows = Object.entries(members).map(([name, { description = "" }]) => `  ${name}: ${description}`);
  const form = {
    usage: `${usage} ${words.join(" ").replace(/\{(\w+)\}/g, "<$1>")}`,
    text: [`${summary}.`, ...(takesMembers ? ["", "Members:", ...rows] : [])].join("\n"),
    ...(takesMembers ? { operands } : {}),
    options: [...Object.entries(query).map(optionOf), ...commonOptions],
  };
  const given = readArguments(form, args.slice(words.length));
  if (given.has("help")) return print(helpOf(form));
  const { FILE: file, ...named } = values;
  const sent: Record<string, unknown> = {};
  // In `clock run`, the word is the member.
  for (const word of words) if (members[word] !== undefined) sent[word] = true;
  const inBody = Object.entries(named).filter(([name]) => members[name] !== undefined);
  for (const [name, text] of [...inBody, ...given.operands.map(readMember)]) {
    setMember(sent, name, text, isTextOf(schemaAt(members, name), text));
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name] ?? ""));
  const inQuery = given.names.filter((name) => Object.hasOwn(query, name));
  const search = new URLSearchParams(inQuery.map((name) => [name, given.text(name) ?? "true"]));
  const content = file === undefined ? JSON.stringify(sent) : method === "GET" ? undefined : readFileSync(file, "utf8");
  const reply = await call(given, `${path}?${search}`, method, body && content);
  if (file !== undefined && method === "GET") writeFileSync(file, `${JSON.stringify(reply)}\n`);
  else for (const line of linesOf(reply, given.has("json"))) print(line);
}

function optionOf([name, type]: [string, string]): Option {
  return { name, ...(type === "boolean" ? {} : { value: "NUMBER" }), text: "as openapi/mock-control.yaml says" };
}

/** The longest command whose words the arguments begin with, and its values. @throws {ArgumentError} when there is none. */
function findCommand(
  args: readonly string[],
  plan: Plan,
  usage: string,
): ControlCommand & { readonly values: Readonly<Record<string, string>> } {
  const alike = commandsOf(plan).filter(({ words: [first] }) => first === args[0]);
  const [found] = alike
    .filter(({ words, takesMembers }) => takesMembers || (args[words.length] ?? "-").startsWith("-"))
    .flatMap((command) => {
      const { words } = command;
      // `{resource}.{event}` stands for two values with a point between them.
      const pattern = words
        .join("\0")
        .replaceAll(".", "\\.")
        .replace(/[{<](\w+)[}>]/g, "(?<$1>(?!-)[^\0]+?)");
      const match = new RegExp(`^${pattern}$`).exec(args.slice(0, words.length).join("\0"));
      return match === null ? [] : [{ ...command, values: match.groups ?? {} }];
    })
    .sort((one, other) => other.words.length - one.words.length);
  if (found !== undefined) return found;
  const seconds = alike.flatMap(({ words }) => words[1] ?? []);
  const possible = alike.map((command) => `\n  ${usage} ${command.usage}`).join("");
  const meant = didYouMean(args[1] ?? "", seconds);
  throw new ArgumentError(`${args.slice(0, 2).join(" ")}: this is not a command.${meant} Possible are${possible}`);
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema;
}

type Schemas = Readonly<Record<string, Schema>>;

function membersOf(schema: Schema = {}): Schemas {
  return Object.assign({}, ...[schema, ...(schema.allOf ?? [])].map(({ properties }) => properties)) as Schemas;
}

/** Undefined where the document says nothing. */
function schemaAt(members: Schemas, name: string): Schema | undefined {
  const [first = "", ...rest] = name.split(".");
  return rest.reduce(
    (schema: Schema | undefined, part) => schema?.properties?.[part] ?? schema?.additionalProperties,
    members[first],
  );
}

/** A member is a text where the document allows one; where it says nothing, unless it looks like JSON that is not a number. */
function isTextOf(schema: Schema | undefined, text: string): boolean {
  if (schema === undefined) return !/^(true|false|null|[[{"].*)$/s.test(text);
  return [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type).includes("string");
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
  const get = (path: string) => call(given, `${controlPath}/${path}`);
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
    for (const { told, line } of [...seen, ...attempts].sort((a, b) => a.at.localeCompare(b.at))) {
      print(given.has("json") ? JSON.stringify(told) : line);
    }
    if (given.has("follow")) await wait(pace, undefined, { signal: stop }).catch(() => {});
  } while (given.has("follow") && stop?.aborted !== true);
}

/** @throws {CallError} when nobody answers, or the response is no success. */
async function call({ text, required }: Arguments, path: string, method = "GET", body?: string): Promise<unknown> {
  const url = required("url");
  if (!URL.canParse(path, url)) throw new ArgumentError("--url takes a URL such as http://127.0.0.1:4010");
  const key = text("key") ?? process.env.PARTNER_WALLET_API_KEY ?? usualKey;
  const headers = { "x-api-key": key, "content-type": "application/json" };
  let response: Response;
  try {
    response = await fetch(new URL(path, url), { method, headers, body: body ?? null, redirect: "error" });
  } catch {
    throw new CallError(
      `No mock answers at ${url}. Start one with "npx partner-wallet-api mock", or name another with --url.`,
    );
  }
  const reply = await response.text();
  const value = readJson(reply).value;
  if (response.ok && (value !== undefined || reply === "")) return value;
  const { message } = (value ?? {}) as { message?: string };
  throw new CallError(message ?? `What answers at ${url} is no mock: HTTP ${response.status}.`);
}
