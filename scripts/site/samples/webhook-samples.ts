import type { Provenance, Webhook } from "../../contract/model/index.ts";
import { bodiesOf } from "../content/subjects.ts";
import { printingLine } from "./output.ts";
import { quote } from "./print-code.ts";

export const receiverPort = 3000;
const receiverToken = "token-of-this-sample";

export interface WebhookSample {
  name: string;
  title: string;
  receiver: string;
  command: string;
  provenance: Provenance;
  /** The body of the example. The command replaces its times, and its identifier unless that is a user's. */
  event: unknown;
}

export function webhookSamples(webhook: Webhook): WebhookSample[] {
  const receiver = receiverOf(webhook);
  const examples = bodiesOf(webhook).flatMap((body) => body.examples);
  return examples.map(({ name, summary = webhook.summary, value, effectiveProvenance }) => ({
    name,
    title: summary,
    receiver,
    command: commandFor(webhook, name),
    provenance: effectiveProvenance,
    event: value,
  }));
}

function receiverOf(webhook: Webhook): string {
  const schemas = bodiesOf(webhook).map(({ schema }) => schema);
  return [
    'import { createServer } from "node:http";',
    'import { createWebhookHandler, toNodeListener } from "partner-wallet-api/webhooks";',
    "",
    "const handler = createWebhookHandler({",
    `  authorization: "${receiverToken}",`,
    "  on: {",
    `    ${webhook.name}: async (event) => {`,
    `      ${printingLine(schemas, "event")}`,
    ...["    },", "  },"],
    "  // What is not handled above is answered 200 and does not come again: keep it, for a person to look at.",
    '  otherwise: async ({ name }) => console.log("Another webhook:", name),',
    '  nonconforming: async (name) => console.log("A body that lacks what its type promises:", name),',
    '  unknown: async ({ path }) => console.log("A path that is no webhook\'s:", path),',
    "});",
    "",
    `createServer(toNodeListener(handler)).listen(${receiverPort});`,
  ].join("\n");
}

function commandFor({ name }: Webhook, example: string): string {
  const target = `--to http://127.0.0.1:${receiverPort} --token ${receiverToken}`;
  return `npx partner-wallet-api webhook ${name} --example ${quote(example)} \\\n  ${target}`;
}
