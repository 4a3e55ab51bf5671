/** The command that sends single events to a receiver. It needs nothing but a plan, so that the package can publish it. */
import { parseArgs } from "node:util";
import type { Plan } from "../plan/plan.ts";
import { isAsExpected, meaningOf } from "./meaning.ts";
import { attempt, mostAtOnce, type Outcome, type Send } from "./send.ts";
import { findWebhook, makeEvent, WebhookError } from "./single-event.ts";
import { addressOf, checkPath, checkTarget, type Target, TargetError } from "./target.ts";

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

const options = {
  to: { type: "string" },
  token: { type: "string" },
  path: { type: "string" },
  example: { type: "string" },
  set: { type: "string", multiple: true },
  duplicate: { type: "boolean" },
  burst: { type: "string" },
  corrupt: { type: "boolean" },
  unauthorised: { type: "boolean" },
  force: { type: "boolean" },
  list: { type: "boolean" },
  help: { type: "boolean" },
} as const;

const helpText = (usage: string) => `Usage: ${usage} <name> --to <URL> [options]

Sends a webhook to your receiver, made from an example of the contract with a fresh identifier and time.

  --to <URL>           address of the receiver; the paths of the webhooks are below its path
  --token <token>      value of the Authorization header
  --path <path>        path of this webhook, instead of that of the contract
  --example <name>     the example to start from (--list names them); default: the first one
  --set <field>=<value>
                       sets a field, and can be repeated; "currency.network=btc" leads into an object, "null" is null
  --duplicate          sends the event a second time, as after a lost answer
  --burst <number>     sends so many events, ${mostAtOnce} at once, each with its own identifier
  --corrupt            puts a value of the wrong type into the body
  --unauthorised       sends a wrong token: 401 is then what is expected
  --force              sends a body that breaks the contract because of --set
  --list               names the webhooks, with their paths and examples
  --help               shows this help

Ends with 0 when every event was acknowledged with 200 (with --unauthorised: refused with 401), otherwise with 1;
with 2, and nothing sent, for a mistake on the command line.`;

/**
 * Runs the command.
 *
 * @param args what stands behind its name on the command line.
 * @returns its exit code: 0 when every event was answered as expected, 2 for a mistake on the command line, otherwise 1.
 */
export async function runWebhookCommand(args: readonly string[], about: WebhookCommandOptions): Promise<0 | 1 | 2> {
  try {
    const given = read(args);
    if (given.values.help) {
      about.print(helpText(about.usage));
      return 0;
    }
    if (!given.values.list && given.name === undefined) {
      throw new WebhookError(`Name a webhook; --list shows all of them.\n\n${helpText(about.usage)}`);
    }
    const plan = await about.loadPlan();
    if (given.name === undefined || given.values.list) {
      for (const line of listOf(plan)) about.print(line);
      return 0;
    }
    return await sendAll(jobOf(plan, given.name, given), about);
  } catch (error) {
    if (!isMistake(error)) throw error;
    about.printError(error.message);
    return 2;
  }
}

/** Whether somebody has called the command wrongly. The messages repeat no value of `--token`. */
function isMistake(error: unknown): error is Error {
  if (error instanceof WebhookError || error instanceof TargetError) return true;
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("ERR_PARSE_ARGS");
}

type Given = ReturnType<typeof read>;

function read(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name, ...more] = positionals;
  if (more.some((text) => !text.includes("="))) {
    throw new WebhookError("More than one webhook is named. Quote values with blanks, and give options their values.");
  }
  return { name, values, sets: [...(values.set ?? []), ...more].map(readAssignment) };
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

function jobOf(plan: Pick<Plan, "webhooks" | "resources">, wanted: string, { values, sets }: Given): Job {
  const webhook = findWebhook(plan, wanted);
  const { to, token, corrupt: isCorrupt, unauthorised: isUnauthorised = false } = values;
  if (to === undefined) throw new WebhookError("Say where your receiver is: --to http://127.0.0.1:3000");
  if (values.path !== undefined) checkPath(values.path);
  const paths = { [webhook.name]: values.path };
  const target: Target = { url: to, token: isUnauthorised ? wrongToken(token) : token, paths };
  checkTarget(target, plan);
  const path = values.path ?? webhook.path;
  const { example } = values;
  const events = Array.from({ length: countOf(values.burst) }, () =>
    makeEvent(plan, webhook, { example, set: sets, isCorrupt }),
  );
  const [{ findings, notes } = { findings: [], notes: [] }] = events;
  if (findings.length > 0 && !values.force && !isCorrupt) {
    const lines = findings.map((finding) => `  ${finding}`).join("\n");
    throw new WebhookError(`The event would break the contract:\n${lines}\nSend it all the same with --force.`);
  }
  const bodies = events.map(({ body }) => body);
  const times = values.duplicate ? 2 : 1;
  return {
    name: webhook.name,
    target,
    path,
    times,
    bodies,
    notes: [...notes, ...findings],
    isUnauthorised,
  };
}

/** A token that is not the given one. */
function wrongToken(token: string | undefined): string {
  return token === "wrong-token" ? "another-wrong-token" : "wrong-token";
}

function countOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= mostEvents) return count;
  throw new WebhookError(`--burst takes a number from 1 to ${mostEvents}.`);
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
