/** The command that sends single events to a receiver. It needs nothing but a plan, so that the package can publish it. */
import { ArgumentError, type Arguments, type Command, helpOf, readArguments } from "../command/arguments.ts";
import type { Plan } from "../plan/plan.ts";
import { acknowledged, attempt, mostAtOnce, type Outcome, type Send } from "./send.ts";
import { findWebhook, makeEvent, WebhookError } from "./single-event.ts";
import { addressOf, checkTarget, type Target, TargetError } from "./target.ts";

export interface WebhookCommandOptions {
  /** How the command is called, for its help: `npm run webhook --`. */
  readonly usage: string;
  /** Called when it is needed, so that a mistake on the command line is reported at once. */
  readonly loadPlan: () => Promise<Pick<Plan, "webhooks" | "resources">>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
  /** Default: by HTTP. */
  readonly send?: Send;
}

const mostEvents = 1_000;

/** The command, as it is called. */
function commandOf(usage: string): Command {
  return {
    usage,
    operands: "NAME [FIELD=VALUE …]",
    text: `Sends a webhook to your receiver, made from an example of the contract with a fresh identifier and time.

Ends with 0 when every event was acknowledged with 200 (with --unauthorised: refused with 401), otherwise with 1;
with 2, and nothing sent, for a mistake on the command line.`,
    options: [
      { name: "to", value: "URL", text: "address of the receiver; the paths of the webhooks are below its path" },
      { name: "token", value: "TOKEN", text: "value of the Authorization header" },
      { name: "path", value: "PATH", text: "path of this webhook, instead of that of the contract" },
      {
        name: "example",
        value: "NAME",
        text: "the example to start from (--list names them)",
        otherwise: "the first one",
      },
      {
        ...{ name: "set", value: "FIELD=VALUE", isRepeatable: true },
        text: 'sets a field; "currency.network=btc" leads into an object, "null" is null',
      },
      { name: "duplicate", text: "sends the event a second time, as after a lost answer" },
      {
        ...{ name: "burst", value: "NUMBER", initial: "1" },
        text: `sends so many events, ${mostAtOnce} at once, each with its own identifier`,
        check: (text) =>
          /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= mostEvents
            ? undefined
            : `a number from 1 to ${mostEvents}`,
      },
      { name: "corrupt", text: "puts a value of the wrong type into the body" },
      { name: "unauthorised", text: "sends a wrong token: 401 is then what is expected" },
      { name: "force", text: "sends a body that breaks the contract because of --set" },
      { name: "list", text: "names the webhooks, with their paths and examples" },
    ],
  };
}

/**
 * Runs the command.
 *
 * @param args what stands behind its name on the command line.
 * @returns its exit code: 0 when every event was answered as expected, 2 for a mistake on the command line, otherwise 1.
 */
export async function runWebhookCommand(args: readonly string[], about: WebhookCommandOptions): Promise<0 | 1 | 2> {
  try {
    const command = commandOf(about.usage);
    const given = readArguments(command, args);
    if (given.has("help")) {
      about.print(helpOf(command));
      return 0;
    }
    const [name, ...fields] = given.operands;
    if (fields.some((text) => !text.includes("="))) {
      throw new WebhookError(
        "More than one webhook is named. Quote values with blanks, and give options their values.",
      );
    }
    if (given.has("list")) {
      for (const line of listOf(await about.loadPlan())) about.print(line);
      return 0;
    }
    if (name === undefined) {
      throw new WebhookError(`Name a webhook; --list shows all of them.\n\n${helpOf(command)}`);
    }
    const set = [...given.texts("set"), ...fields].map(readAssignment);
    return await sendAll(jobOf(await about.loadPlan(), name, given, set), about);
  } catch (error) {
    if (!isMistake(error)) throw error;
    about.printError(error.message);
    return 2;
  }
}

/** Whether somebody has called the command wrongly. The messages repeat no value of `--token`. */
function isMistake(error: unknown): error is Error {
  return [WebhookError, TargetError, ArgumentError].some((kind) => error instanceof kind);
}

function readAssignment(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new WebhookError("--set takes a field and its value: --set status=SUCCESSFUL.");
  return [text.slice(0, at), text.slice(at + 1)];
}

function listOf({ webhooks }: Pick<Plan, "webhooks">): string[] {
  const width = Math.max(...webhooks.map(({ name }) => name.length));
  const pathWidth = Math.max(...webhooks.map(({ path }) => path.length));
  return webhooks.map(({ name, path, examples }) =>
    [name.padEnd(width), path.padEnd(pathWidth), Object.keys(examples).join(", ")].join("  "),
  );
}

/** What is to be sent where. */
interface Job {
  readonly name: string;
  readonly target: Target;
  readonly path: string;
  /** Each body is sent so often, one after the other. */
  readonly times: number;
  readonly bodies: readonly string[];
  readonly notes: readonly string[];
  readonly isUnauthorised: boolean;
}

function jobOf(
  plan: Pick<Plan, "webhooks" | "resources">,
  wanted: string,
  { has, text, required }: Arguments,
  set: readonly (readonly [string, string])[],
): Job {
  const webhook = findWebhook(plan, wanted);
  const [to, token, path, example] = ["to", "token", "path", "example"].map(text);
  if (to === undefined) throw new WebhookError("Say where your receiver is: --to http://127.0.0.1:3000");
  const isUnauthorised = has("unauthorised");
  const target: Target = {
    url: to,
    token: isUnauthorised ? wrongToken(token) : token,
    paths: { [webhook.name]: path },
  };
  checkTarget(target, plan);
  const isCorrupt = has("corrupt");
  const events = Array.from({ length: Number(required("burst")) }, () =>
    makeEvent(plan, webhook, { example, set, isCorrupt }),
  );
  const [{ findings, notes } = { findings: [], notes: [] }] = events;
  if (findings.length > 0 && !has("force") && !isCorrupt) {
    const lines = findings.map((finding) => `  ${finding}`).join("\n");
    throw new WebhookError(`The event would break the contract:\n${lines}\nSend it all the same with --force.`);
  }
  return {
    name: webhook.name,
    target,
    path: path ?? webhook.path,
    times: has("duplicate") ? 2 : 1,
    bodies: events.map(({ body }) => body),
    notes: [...notes, ...findings],
    isUnauthorised,
  };
}

/** A token that is not the given one. */
function wrongToken(token: string | undefined): string {
  return token === "wrong-token" ? "another-wrong-token" : "wrong-token";
}

/** Sends the events, some at once, and prints a line for each call. */
async function sendAll(
  { bodies, times, ...job }: Job,
  { print, printError, send }: WebhookCommandOptions,
): Promise<0 | 1> {
  for (const note of job.notes) printError(`Note: ${note}`);
  const { pathname } = addressOf(job.target, job.path);
  const call = async (body: string): Promise<boolean> => {
    const start = performance.now();
    const outcome: Outcome = await attempt({ ...job, body }, send === undefined ? {} : { send });
    const milliseconds = (performance.now() - start).toFixed(0);
    print(`${job.name} → POST ${pathname}: ${meaningOf(outcome, job.isUnauthorised)} (${milliseconds} ms)`);
    return isAsExpected(outcome, job.isUnauthorised);
  };
  const waiting = bodies.values();
  const results: boolean[] = [];
  const work = async () => {
    for (const body of waiting) {
      for (let time = 0; time < times; time += 1) results.push(await call(body));
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
  const failures = results.filter((isExpected) => !isExpected).length;
  if (results.length > 1) print(`${results.length - failures} of ${results.length} as expected.`);
  return failures === 0 ? 0 : 1;
}

const meanings: readonly (readonly [statuses: RegExp, meaning: string])[] = [
  [/^200$/, "acknowledged"],
  [/^2/, "not acknowledged: only 200 does that"],
  [/^3/, "a redirect, which is not followed: give the final address with --to or --path"],
  [/^400$/, "refused the body"],
  [/^40[13]$/, "refused the token: give the one that the receiver expects with --token"],
  [/^404$/, "no such path: give --path, or the base path of the receiver with --to"],
  [/^405$/, "takes no POST on this path: give --path"],
  [/^413$/, "refused the body as too large"],
  [/^415$/, "refused the media type application/json"],
  [/^422$/, "refused the body"],
  [/^429$/, "has too much to do: the service would deliver it again"],
  [/^503$/, "cannot take it now: the service would deliver it again"],
  [/^5/, "failed: the service would deliver it again, see the log of the receiver"],
];

const advice: Readonly<Record<string, string>> = {
  "connection refused": "is the receiver running, and is the port of --to right?",
  "no such host": "check --to",
  "no TLS connection": "does the receiver want http:// in --to?",
  "the answer is no HTTP": "does the receiver want https:// in --to?",
};

/** Whether the receiver did what is expected of it. */
export function isAsExpected({ status }: Outcome, isUnauthorised: boolean): boolean {
  return isUnauthorised ? status === 401 || status === 403 : status === acknowledged;
}

/** The status, if there is one, and what it means. */
export function meaningOf({ status, problem }: Outcome, isUnauthorised: boolean): string {
  if (status === undefined) {
    const reason = problem ?? "no answer";
    return Object.hasOwn(advice, reason) ? `${reason}: ${advice[reason]}` : reason;
  }
  if (isUnauthorised && isAsExpected({ status }, true)) return `${status}, refused the wrong token, as it should`;
  if (isUnauthorised && status === acknowledged) return `${status}, accepted a wrong token: it should answer 401`;
  const [, meaning] = meanings.find(([statuses]) => statuses.test(String(status))) ?? [];
  return `${status}, ${meaning ?? "not acknowledged"}`;
}
