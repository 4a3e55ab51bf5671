import { ControlError, readTime } from "../../mock/checks/index.ts";
import { checkOptions, type StartMockOptions, startMockChecks } from "../../mock/host/index.ts";
import { type Edition, editions } from "../../mock/plan/index.ts";
import type { UrlTarget } from "../../mock/webhooks/index.ts";
import {
  ArgumentError,
  type Arguments,
  assertDistinct,
  type Command,
  type Option,
  portOption,
  refuseWith,
} from "../kit/arguments.ts";
import { readAnswers } from "./answers.ts";

export interface MockSettings {
  readonly options: StartMockOptions & {
    readonly webhooks?: UrlTarget;
    readonly edition: Edition;
    readonly stateless: boolean;
  };
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

export const hostOption: Option = { name: "host", value: "HOST", text: "host to listen on", defaultValue: "127.0.0.1" };

export const addressOptions: readonly Option[] = [
  portOption("port", "the main address", 4010),
  portOption("deposit-port", "the deposit address", 4011),
  hostOption,
];

export function editionOption(defaultValue: Edition): Option {
  const text = "edition to serve: latest, or test, which includes proposed operations";
  return { name: "edition", value: "NAME", text, choices: editions, defaultValue };
}

const options: readonly Option[] = [
  ...addressOptions,
  editionOption("latest"),
  { name: "stateless", text: "respond with the documented examples, and store nothing" },
  { name: "empty", text: "start without the users and records of the documented examples" },
  { name: "state", value: "FILE", text: "keep everything that changes in a file, and start from it the next time" },
  { name: "assume", value: "FILE", text: "read assumptions from a YAML or JSON file in the form of openapi/mock.yaml" },
  {
    name: "answer",
    value: "QUESTION=ANSWER",
    text: "run another answer to an open question than the assumed one",
    isRepeatable: true,
  },
  { name: "answers", value: "list", text: "list the open questions and their answers", choices: ["list"] },
  { name: "key", value: "KEY", text: "accept this API key only", isRepeatable: true, defaultText: "every key" },
  {
    name: "worlds",
    value: "N",
    text: "maximum number of API keys with data; a change with a further key gets 503",
    defaultText: "1000",
  },
  { name: "webhooks", value: "URL", text: "deliver events to your server, each to its path below the URL" },
  { name: "token", value: "TOKEN", text: "the Authorization header of the events" },
  {
    name: "webhook-timeout",
    value: "TIME",
    text: "how long your server may take to respond to an event",
    defaultText: "10 seconds",
  },
  {
    name: "path",
    value: "NAME=/PATH",
    text: "path of a webhook below the URL, if it differs from the contract",
    isRepeatable: true,
  },
  { name: "seed", value: "TEXT", text: "determines the identifiers, so that a run can be repeated" },
  {
    name: "clock",
    value: "TIME",
    text: "freeze the clock of the mock at a time, such as 2026-07-01T09:00:00Z; with the examples, not before their last day",
  },
  {
    name: "allow-origin",
    value: "ORIGIN",
    text: "let pages of this origin use the control interface",
    isRepeatable: true,
    defaultText: "its own pages only",
  },
  {
    name: "allow-webhook-host",
    value: "HOST",
    text: "let the control interface choose this host as the receiver of events",
    isRepeatable: true,
    defaultText: "this machine only",
  },
  { name: "json", text: "print one JSON object per line" },
  { name: "quiet", text: "print no line for a request" },
  { name: "version", text: "show the version" },
];

export function mockCommand(usage: string): Command {
  return {
    usage,
    text: "Runs a mock of the service, with its state and its rules, on the two addresses of the contract until it is stopped.\nEach API key has separate users and records.",
    options,
    examples: [
      ["", "with the users and records of the documentation, on the ports 4010 and 4011"],
      ["--empty", "without users, and at the current time"],
      ["--webhooks http://127.0.0.1:3000 --token my-token", "with events for your server"],
      ["--state mock.json --seed demo", "continues where it was stopped"],
      ["--answer Q-webhook-authentication=Neither", "in a world where events have no token"],
      ["--port 0 --deposit-port 0 --json", "for a program that starts it: the first line says where it listens"],
    ],
  };
}

/** The options without an effect in a mock that stores nothing, and so has neither events nor the control interface. */
const statefulOptions =
  "empty state assume answer seed clock worlds webhooks webhook-timeout allow-origin allow-webhook-host".split(" ");

export function readSettings(parsedArgs: Arguments): MockSettings {
  const { has, text, texts } = parsedArgs;
  refuseWith(parsedArgs, "stateless", statefulOptions);
  for (const name of ["token", "path"]) {
    if (has(name) && !has("webhooks")) throw new ArgumentError(`--${name} needs --webhooks URL.`);
  }
  const url = text("webhooks");
  const token = text("token");
  const paths = has("path") ? { paths: readPaths(texts("path")) } : {};
  const webhooks = url === undefined ? undefined : { url, ...(token === undefined ? {} : { token }), ...paths };
  const clock = text("clock");
  const mockOptions = {
    ...readAddressOptions(parsedArgs),
    stateless: has("stateless"),
    scenario: !has("empty") && !has("stateless"),
    state: text("state"),
    worlds: has("worlds") ? Number(text("worlds")) : undefined,
    allowOrigin: texts("allow-origin"),
    allowWebhookHost: texts("allow-webhook-host"),
    key: text("key"),
    keys: has("key") ? texts("key") : undefined,
    ...(webhooks === undefined ? {} : { webhooks }),
    ...(has("answer") ? { answers: readAnswers(texts("answer")) } : {}),
    seed: text("seed"),
    webhookTimeout: text("webhook-timeout"),
  };
  try {
    const nameOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    // The names of webhooks are checked later, because the plan is not loaded yet.
    checkOptions<StartMockOptions>(mockOptions, startMockChecks, nameOf);
    const frozenAt = clock === undefined ? undefined : readTime(clock, "--clock");
    return { options: { ...mockOptions, clock: frozenAt }, isJson: has("json"), isQuiet: has("quiet") };
  } catch (error) {
    throw error instanceof ControlError ? new ArgumentError(error.message) : error;
  }
}

export function readAddressOptions({ requiredText, choice }: Arguments): {
  port: number;
  depositPort: number;
  host: string;
  edition: Edition;
} {
  return {
    port: Number(requiredText("port")),
    depositPort: Number(requiredText("deposit-port")),
    host: requiredText("host"),
    edition: choice("edition", editions),
  };
}

function readPaths(texts: readonly string[]): Record<string, string> {
  const entries = texts.map((text): [string, string] => {
    const [, name = "", path = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (path !== "") return [name, path];
    throw new ArgumentError("--path takes the name of a webhook and its path, such as orderStatus=/order-webhook");
  });
  assertDistinct(entries.map(([name]) => name));
  return Object.fromEntries(entries);
}
