/** Time to parse and validate a webhook, with this package and with validators that a partner might use. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError, type Webhook } from "../contract/index.ts";
import { compareInTurns, table, timesWithin } from "./figures.ts";
import { bundleProgram, generated } from "./workshop.ts";

const receiverNames = ["partner-wallet-api", "JSON.parse alone", "ajv", "zod", "zod without eval"] as const;
type ReceiverName = (typeof receiverNames)[number];

/** Returns the valid event; undefined when the body is not valid. */
type Receive = (path: string, body: string) => unknown;

/**
 * Measures every receiver on the first example of every webhook that has one and a path.
 *
 * @param folder the workshop.
 * @returns the table in Markdown.
 * @throws {UsageError} when a receiver refuses an example or accepts an array.
 */
export async function measureWebhooks(folder: string, all: readonly Webhook[]): Promise<string> {
  const webhooks = all.filter((webhook) => webhook.path !== "" && examplesOf(webhook).length > 0);
  const receivers = await loadReceivers(folder, webhooks);
  const others = receiverNames.slice(1);
  const rows: string[][] = [];
  for (const webhook of webhooks) {
    const body = JSON.stringify(examplesOf(webhook)[0]?.value);
    const runs = Object.fromEntries(
      receiverNames.map((name) => [name, () => receivers[name](webhook.path, body)]),
    ) as Record<ReceiverName, () => unknown>;
    const ratios = await compareInTurns(runs, "partner-wallet-api", { rounds: 60, runs: 400 });
    rows.push([webhook.name, ...others.map((name) => timesWithin(ratios[name].elapsed))]);
  }
  return `${table([["Webhook", ...others], ...rows])}

How many times as long as \`parseWebhook\` they take, from the text to a valid event: the median, and in brackets the middle half of the
rounds. \`parseWebhook\` also says how a body deviates that it accepts; the others refuse it. Ajv compiled its validators once, before. "Without eval" is zod where no code may be made at run time, as on edge workers;
Ajv does not run there at all.`;
}

async function loadReceivers(folder: string, webhooks: readonly Webhook[]): Promise<Record<ReceiverName, Receive>> {
  // Imported before the schemas, because zod reads its configuration when a schema is made.
  writeFileSync(join(folder, zodWithoutEval), `import { config } from "zod";\nconfig({ jitless: true });\n`);
  const programs = receiverPrograms(webhooks);
  const receivers: Partial<Record<ReceiverName, Receive>> = {};
  for (const name of receiverNames) {
    const file = await bundleProgram(folder, `receiver-${name.replaceAll(" ", "-")}`, programs[name]);
    const { receive } = (await import(pathToFileURL(file).href)) as { receive: Receive };
    if (name !== "JSON.parse alone") checkReceiver(name, receive, webhooks);
    receivers[name] = receive;
  }
  return receivers as Record<ReceiverName, Receive>;
}

/** Only receivers that accept the examples, and refuse what is no event at all, can be compared. */
function checkReceiver(name: string, receive: Receive, webhooks: readonly Webhook[]): void {
  for (const webhook of webhooks) {
    for (const example of examplesOf(webhook)) {
      if (receive(webhook.path, JSON.stringify(example.value)) === undefined) {
        throw new UsageError(`${name} refuses the example "${example.name}" of ${webhook.name}.`);
      }
    }
    const accepted = receive(webhook.path, "[]");
    if (accepted !== undefined) throw new UsageError(`${name} accepts an array as ${webhook.name}.`);
  }
}

function examplesOf({ requestBody }: Webhook) {
  return requestBody?.bodies[0]?.examples ?? [];
}

const zodWithoutEval = "zod-without-eval.ts";

/**
 * The programs of the receivers. Each exports `receive(path, body)`. Those of Ajv and zod are what a partner would write
 * around schemas that a tool derived from the contract, for the webhooks whose path is known.
 */
export function receiverPrograms(all: readonly Webhook[]): Record<ReceiverName, string> {
  const webhooks = all.filter(({ path }) => path !== "");
  const zod = zodProgram(webhooks);
  return {
    "partner-wallet-api": `import { parseWebhook } from "partner-wallet-api/webhooks";
export function receive(path: string, body: string) {
  const parsed = parseWebhook(path, body);
  return parsed.ok ? parsed.event : undefined;
}`,
    "JSON.parse alone": "export const receive = (_path: string, body: string) => JSON.parse(body);",
    ajv: ajvProgram(webhooks),
    zod,
    "zod without eval": `import "./${zodWithoutEval}";\n${zod}`,
  };
}

function ajvProgram(webhooks: readonly Webhook[]): string {
  const validators = webhooks.map(({ path, name }) => {
    const pointer = `contract#/webhooks/${name}/post/requestBody/content/application~1json/schema`;
    return `  ${JSON.stringify(path)}: ajv.compile({ $ref: ${JSON.stringify(pointer)} }),`;
  });
  return `import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import contract from "./${generated.webhookDocument}";
const ajv = new Ajv2020({ strict: false });
(addFormats as any)(ajv);
ajv.addSchema(contract, "contract");
const validators: Record<string, any> = {
${validators.join("\n")}
};
export function receive(path: string, body: string) {
  const event = JSON.parse(body);
  return validators[path](event) ? event : undefined;
}`;
}

function zodProgram(webhooks: readonly Webhook[]): string {
  const validators = webhooks.map(({ path, name }) => {
    const schema = `zPost${name.charAt(0).toUpperCase()}${name.slice(1)}WebhookRequest`;
    return `  ${JSON.stringify(path)}: schemas.${schema}.shape.body,`;
  });
  return `import * as schemas from "./${generated.zod}";
const validators: Record<string, any> = {
${validators.join("\n")}
};
export function receive(path: string, body: string) {
  const result = validators[path].safeParse(JSON.parse(body));
  return result.success ? result.data : undefined;
}`;
}
