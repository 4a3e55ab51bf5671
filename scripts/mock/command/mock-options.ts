/** The options of the command `mock`: what they are called, and what they mean. */

import type { StartMockOptions } from "../mock.ts";
import { type Edition, editions } from "../plan/plan.ts";
import { checkPath, checkTarget, TargetError, type UrlTarget } from "../webhooks/target.ts";
import { ArgumentError, type Arguments, type Command, type Option } from "./arguments.ts";

/** What the command line asks for. */
export interface MockSettings {
  readonly mock: StartMockOptions & { readonly webhooks?: UrlTarget; readonly edition: Edition };
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

const options: readonly Option[] = [
  { name: "port", value: "PORT", text: "port of the main address, 0 takes a free one", otherwise: "4010" },
  { name: "deposit-port", value: "PORT", text: "port of the deposit address, 0 takes a free one", otherwise: "4011" },
  { name: "host", value: "HOST", text: "host to listen on", otherwise: "127.0.0.1" },
  {
    name: "edition",
    value: "NAME",
    text: "edition whose operations are answered: latest, or test with what is proposed",
    choices: editions,
    otherwise: "latest",
  },
  { name: "stateless", text: "answer with the documented examples and keep nothing" },
  { name: "scenario", text: "start with the users and records of the documented examples instead of empty" },
  { name: "state", value: "FILE", text: "keep what was accepted in a file, and start from it the next time" },
  { name: "key", value: "KEY", text: "accept this API key only", isRepeatable: true, otherwise: "every key" },
  { name: "webhooks", value: "URL", text: "deliver events to your server, each to its path below the URL" },
  { name: "token", value: "TOKEN", text: "the Authorization header of the events" },
  {
    name: "path",
    value: "NAME=/PATH",
    text: "path of a webhook below the URL, where yours is not that of the contract",
    isRepeatable: true,
  },
  { name: "seed", value: "TEXT", text: "what identifiers follow from, so that a run can be repeated" },
  { name: "clock", value: "TIME", text: "let the time of the mock stand still, such as at 2026-03-10T09:00:00Z" },
  { name: "json", text: "print one JSON object per line" },
  { name: "quiet", text: "print no line for a request" },
  { name: "help", text: "show this help" },
  { name: "version", text: "show the version" },
];

/**
 * The command, as it is called.
 *
 * @param more options that only this way of calling it has.
 */
export function mockCommand(usage: string, more: readonly Option[] = []): Command {
  return {
    usage,
    text: "Runs a mock of the service, with its state and its rules, on the two addresses of the contract until it is stopped.\nEach API key has a world of its own.",
    options: [...options.slice(0, -2), ...more, ...options.slice(-2)],
    examples: [
      ["", "empty, on the ports 4010 and 4011"],
      ["--scenario", "with the records that the documentation tells of, so that its identifiers work"],
      ["--webhooks http://127.0.0.1:3000 --token my-token", "with events for your server"],
      ["--state mock.journal --seed demo", "goes on where it was stopped"],
      ["--port 0 --deposit-port 0 --json", "for a program that starts it: the first line says where it listens"],
    ],
  };
}

/**
 * Reads the values of the options.
 *
 * @throws {ArgumentError} when one is malformed, or two exclude each other.
 */
export function readSettings(given: Arguments): MockSettings {
  const text = (name: string) => given.get(name)?.[0];
  const has = (name: string) => given.has(name);
  if (has("stateless")) {
    const without = ["scenario", "state", "webhooks", "clock", "seed"].find(has);
    if (without !== undefined)
      throw new ArgumentError(`--stateless keeps nothing, so that --${without} has no effect.`);
  }
  const url = text("webhooks");
  const token = text("token");
  if (token !== undefined && url === undefined) throw new ArgumentError("--token needs --webhooks URL.");
  if (has("path") && url === undefined) throw new ArgumentError("--path needs --webhooks URL.");
  const paths = has("path") ? { paths: readPaths(given.get("path") ?? []) } : {};
  const mock = {
    port: readPort("port", text("port") ?? "4010"),
    depositPort: readPort("deposit-port", text("deposit-port") ?? "4011"),
    host: text("host") ?? "127.0.0.1",
    edition: (text("edition") ?? "latest") as Edition,
    stateless: has("stateless"),
    scenario: has("scenario"),
    state: text("state"),
    ...{ key: text("key"), keys: given.get("key") },
    ...(url === undefined
      ? {}
      : { webhooks: { url: readUrl(url), ...(token === undefined ? {} : { token: readToken(token) }), ...paths } }),
    seed: text("seed"),
    clock: readTime(text("clock")),
  };
  return { mock, isJson: has("json"), isQuiet: has("quiet") };
}

function readPort(name: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new ArgumentError(`--${name} takes a number from 0 to 65535.`);
}

function readToken(token: string): string {
  try {
    checkTarget({ url: "http://localhost", token }, { webhooks: [] });
  } catch (error) {
    throw error instanceof TargetError ? new ArgumentError(error.message) : error;
  }
  return token;
}

/** The message does not repeat the URL, which may hold a password. */
function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new ArgumentError("--webhooks takes a URL such as http://127.0.0.1:3000");
}

/** Whether there is such a webhook is checked when the plan is loaded. */
function readPaths(texts: readonly string[]): Record<string, string> {
  const entries = texts.map((text): [string, string] => {
    const [, name, path] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || path === undefined) {
      throw new ArgumentError("--path takes the name of a webhook and its path, such as orderStatus=/order-webhook");
    }
    try {
      checkPath(path);
    } catch (error) {
      throw new ArgumentError(`--path ${name}: ${(error as Error).message}`);
    }
    return [name, path];
  });
  return Object.fromEntries(entries);
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [date = ""] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  const time = Date.parse(text);
  if (Number.isNaN(time) || !/^(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text.slice(10)) || date === "") {
    throw new ArgumentError("--clock takes a time with its zone such as 2026-03-10T09:00:00Z, or a date.");
  }
  // JavaScript takes a day that a month does not have for one of the next month.
  if (new Date(date).toISOString().slice(0, 10) !== date) throw new ArgumentError(`--clock: there is no ${date}.`);
  return time;
}
