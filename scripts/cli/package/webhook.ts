/** The command that sends a single event to a receiver. It needs nothing but a plan, so that the package can publish it. */

import { ControlError } from "../../mock/control/error.ts";
import type { Plan } from "../../mock/plan/plan.ts";
import { acknowledged, attempt, type Outcome } from "../../mock/webhooks/send.ts";
import { findWebhook, makeEvent } from "../../mock/webhooks/single-event.ts";
import { addressOf, checkTarget, type Target } from "../../mock/webhooks/target.ts";
import { ArgumentError, type Arguments, type Command, helpOf, readArguments } from "../kit/arguments.ts";
import { readMember } from "./members.ts";

type WebhookPlan = Pick<Plan, "webhooks" | "resources">;

export interface WebhookCommandOptions {
  /** How the command is called, for its help: `npm run webhook --`. */
  readonly usage: string;
  /** Called when it is needed, so that a mistake on the command line is reported at once. */
  readonly loadPlan: () => Promise<WebhookPlan>;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

const form: Omit<Command, "usage"> = {
  operands: "NAME [member=value …]",
  text: `Sends a webhook to your receiver, made from an example of the contract with a fresh identifier and time.
A point leads into an object: currency.network=btc.

Ends with 0 when the event was acknowledged with 200 (with --unauthorised: refused with 401), otherwise with 1;
with 2, and nothing sent, for a mistake on the command line.`,
  options: [
    { name: "to", value: "URL", text: "address of the receiver; the paths of the webhooks are below its path" },
    { name: "token", value: "TOKEN", text: "value of the Authorization header" },
    { name: "path", value: "PATH", text: "path of this webhook, instead of that of the contract" },
    { name: "example", value: "NAME", text: "the example to start from", otherwise: "the first one" },
    { name: "duplicate", text: "sends the event a second time, as after a lost response" },
    { name: "corrupt", text: "puts a value of the wrong type into the body" },
    { name: "unauthorised", text: "sends a wrong token: 401 is then what is expected" },
    { name: "list", text: "names the webhooks, with their paths and examples" },
  ],
};

/**
 * Runs the command.
 *
 * @param args what stands behind its name on the command line.
 * @returns its exit code: 0 when every event was answered as expected, 2 for a mistake on the command line, otherwise 1.
 */
export async function runWebhookCommand(args: readonly string[], about: WebhookCommandOptions): Promise<0 | 1 | 2> {
  const command = { ...form, usage: about.usage };
  try {
    const given = readArguments(command, args);
    if (given.has("help")) about.print(helpOf(command));
    else if (given.has("list")) printList(await about.loadPlan(), about.print);
    else if (given.operands[0] === undefined) {
      throw new ArgumentError(`Name a webhook; --list shows all of them.\n\n${helpOf(command)}`);
    } else return await send(await about.loadPlan(), given, about);
    return 0;
  } catch (error) {
    // The messages repeat no value of --token.
    if (!(error instanceof ArgumentError || error instanceof ControlError)) throw error;
    about.printError(error.message);
    return 2;
  }
}

function printList({ webhooks }: WebhookPlan, print: (line: string) => void): void {
  const width = (key: "name" | "path") => Math.max(...webhooks.map((webhook) => webhook[key].length));
  for (const { name, path, examples } of webhooks) {
    print([name.padEnd(width("name")), path.padEnd(width("path")), Object.keys(examples).join(", ")].join("  "));
  }
}

async function send(
  plan: WebhookPlan,
  { has, text, operands: [name = "", ...operands] }: Arguments,
  { print, printError }: WebhookCommandOptions,
): Promise<0 | 1> {
  const webhook = findWebhook(plan, name);
  const url = text("to");
  if (url === undefined) throw new ArgumentError("Say where your receiver is: --to http://127.0.0.1:3000");
  const isUnauthorised = has("unauthorised");
  const token = isUnauthorised ? "wrong-token" : text("token");
  const target: Target = { url, token, paths: { [name]: text("path") } };
  checkTarget(target, plan);
  const members = operands.map(readMember);
  const { body, notes } = makeEvent(plan, webhook, { example: text("example"), members, isCorrupt: has("corrupt") });
  for (const note of notes) printError(`Note: ${note}`);
  const path = text("path") ?? webhook.path;
  let code: 0 | 1 = 0;
  for (let left = has("duplicate") ? 2 : 1; left > 0; left -= 1) {
    const start = performance.now();
    const outcome = await attempt({ target, path, body });
    const took = (performance.now() - start).toFixed(0);
    print(`${name} → POST ${addressOf(target, path).pathname}: ${meaningOf(outcome, isUnauthorised)} (${took} ms)`);
    if (!isAsExpected(outcome, isUnauthorised)) code = 1;
  }
  return code;
}

const meanings: readonly (readonly [statuses: RegExp, meaning: string])[] = [
  [/^200$/, "acknowledged"],
  [/^2/, "not acknowledged: only 200 does that"],
  [/^3/, "a redirect, which is not followed: give the final address"],
  [/^4(00|22)$/, "refused the body"],
  [/^40[13]$/, "refused the token: give the one that the receiver expects with --token"],
  [/^404$/, "no such path: give --path, or the base path of the receiver"],
  [/^405$/, "takes no POST on this path: give --path"],
  [/^(429|503)$/, "cannot take it now: the service would deliver it again"],
  [/^5/, "failed: the service would deliver it again, see the log of the receiver"],
];

const advice: Readonly<Record<string, string>> = {
  "connection refused": "is the receiver running, and is its port right?",
  "no TLS connection": "does the receiver want http://?",
  "the response is no HTTP": "does the receiver want https://?",
};

/** Whether the receiver did what is expected of it. */
function isAsExpected({ status }: Outcome, isUnauthorised: boolean): boolean {
  return isUnauthorised ? status === 401 || status === 403 : status === acknowledged;
}

/** What became of an attempt, in words. @param isUnauthorised whether the token was wrong on purpose. */
export function meaningOf({ status, problem = "no response" }: Outcome, isUnauthorised = false): string {
  if (status === undefined) return [problem, advice[problem] ?? []].flat().join(": ");
  if (isUnauthorised && isAsExpected({ status }, true)) return `${status}, refused the wrong token, as it should`;
  if (isUnauthorised && status === acknowledged) return `${status}, accepted a wrong token: it should answer 401`;
  const [, meaning = "not acknowledged"] = meanings.find(([statuses]) => statuses.test(String(status))) ?? [];
  return `${status}, ${meaning}`;
}
