import { ControlError } from "../../mock/checks/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import {
  addressOf,
  attempt,
  checkTarget,
  describeOutcome,
  isExpectedStatus,
  type Target,
} from "../../mock/webhooks/index.ts";
import { ArgumentError, type Arguments, type Command, helpOf } from "../kit/arguments.ts";
import { type Output, runCommand } from "../kit/run-command.ts";
import { parseMembers } from "./members.ts";
import { findWebhook, makeEvent } from "./single-event.ts";

type WebhookPlan = Pick<Plan, "webhooks" | "resources">;

export interface WebhookCommandOptions extends Output {
  readonly usage: string;
  /** Called after the options have been parsed: an unknown or malformed option is reported without loading the plan. */
  readonly loadPlan: () => Promise<WebhookPlan>;
}

const commandHelp: Omit<Command, "usage"> = {
  operands: "NAME [member=value …]",
  maxOperands: Number.POSITIVE_INFINITY,
  text: `Sends a webhook to your receiver, made from an example of the contract with a fresh identifier and time.
A point separates the levels of an object: currency.network=btc.

Exit code: 0 the event was acknowledged with 200 (with --unauthorised: refused with 401), 1 it was not,
2 a mistake on the command line, and nothing was sent.`,
  options: [
    { name: "to", value: "URL", text: "address of the receiver; the paths of the webhooks are below its path" },
    { name: "token", value: "TOKEN", text: "value of the Authorization header" },
    { name: "path", value: "PATH", text: "path of this webhook, instead of that of the contract" },
    { name: "example", value: "NAME", text: "the example to start from", defaultText: "the first one" },
    { name: "duplicate", text: "sends the event a second time, as after a lost response" },
    { name: "corrupt", text: "puts a value of the wrong type into the body" },
    {
      name: "unauthorised",
      text: "sends a wrong token in place of --token, to which the receiver must respond with 401",
    },
    { name: "list", text: "names the webhooks, with their paths and examples" },
  ],
};

export async function runWebhookCommand(
  args: readonly string[],
  options: WebhookCommandOptions,
): Promise<number | undefined> {
  const command = { ...commandHelp, usage: options.usage };
  const action = async (parsedArgs: Arguments): Promise<0 | 1> => {
    if (parsedArgs.has("list")) {
      printList(await options.loadPlan(), options.print);
      return 0;
    }
    if (parsedArgs.operands[0] === undefined)
      throw new ArgumentError(`Name a webhook; --list shows all of them.\n\n${helpOf(command)}`);
    return send(await options.loadPlan(), parsedArgs, options);
  };
  return runCommand(command, args, action, options);
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
  if (url === undefined) throw new ArgumentError("Give the address of your receiver: --to http://127.0.0.1:3000");
  const isUnauthorised = has("unauthorised");
  const token = isUnauthorised ? "wrong-token" : text("token");
  const target: Target = { url, token, paths: { [name]: text("path") } };
  try {
    checkTarget(target, plan);
  } catch (error) {
    throw error instanceof ControlError ? new ArgumentError(error.message) : error;
  }
  const members = parseMembers(operands);
  const { body, notes } = makeEvent(plan, webhook, { example: text("example"), members, isCorrupt: has("corrupt") });
  for (const note of notes) printError(`Note: ${note}`);
  const path = text("path") ?? webhook.path;
  let code: 0 | 1 = 0;
  for (let remainingAttempts = has("duplicate") ? 2 : 1; remainingAttempts > 0; remainingAttempts -= 1) {
    const startMs = performance.now();
    const outcome = await attempt({ target, path, body });
    const durationText = (performance.now() - startMs).toFixed(0);
    print(
      `${name} → POST ${addressOf(target, path).pathname}: ${describeOutcome(outcome, isUnauthorised)} (${durationText} ms)`,
    );
    if (!isExpectedStatus(outcome, isUnauthorised)) code = 1;
  }
  return code;
}
