/** Parsing and validating webhooks: how many a second. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Webhook } from "../contract/contract.ts";
import { UsageError } from "../contract/usage-error.ts";
import { bundle } from "./bundle.ts";
import { table, timesWithin } from "./markdown.ts";
import { compareInTurns } from "./rounds.ts";
import { type ReceiverName, receiverNames, webhookPrograms, zodWithoutEval } from "./webhook-programs.ts";

type Receive = (path: string, body: string) => unknown;

/** Measures every receiver on the first example of every webhook, and returns the table. */
export async function measureWebhooks(folder: string, webhooks: readonly Webhook[]): Promise<string> {
  writeFileSync(join(folder, "zod-without-eval.ts"), zodWithoutEval);
  const programs = webhookPrograms(webhooks);
  const receivers = new Map<ReceiverName, Receive>();
  for (const name of receiverNames) {
    const file = await bundle(folder, `receiver-${name.replaceAll(" ", "-")}`, programs[name], {});
    const { receive } = (await import(pathToFileURL(file).href)) as { receive: Receive };
    if (name !== "JSON.parse alone") checkVerdicts(name, receive, webhooks);
    receivers.set(name, receive);
  }
  const others = receiverNames.slice(1);
  const rows: string[][] = [];
  for (const { name, path, requestBody } of webhooks) {
    const body = JSON.stringify(requestBody.bodies[0]?.examples[0]?.value);
    const runs = Object.fromEntries(
      [...receivers].map(([receiver, receive]) => [receiver, () => receive(path, body)]),
    ) as Record<ReceiverName, () => unknown>;
    const ratios = await compareInTurns(runs, "partner-wallet-api", { rounds: 60, runs: 400 });
    rows.push([name, ...others.map((receiver) => timesWithin(ratios[receiver]))]);
  }
  return `${table([["Webhook", ...others], ...rows])}

How many times as long as \`parseWebhook\` they take, from the text to a valid event: the median, and in brackets the middle half of the
rounds. Ajv compiled its validators once, before. "Without eval" is zod where no code may be made at run time, as on edge workers;
Ajv does not run there at all.`;
}

/** Only receivers that accept and refuse the same things can be compared. */
function checkVerdicts(name: string, receive: Receive, webhooks: readonly Webhook[]): void {
  for (const { name: webhook, path, requestBody } of webhooks) {
    for (const { name: example, value } of requestBody.bodies[0]?.examples ?? []) {
      if (receive(path, JSON.stringify(value)) === undefined) {
        throw new UsageError(`${name} refuses the example "${example}" of ${webhook}.`);
      }
    }
    if (receive(path, "{}") !== undefined) throw new UsageError(`${name} accepts an empty object as ${webhook}.`);
  }
}
