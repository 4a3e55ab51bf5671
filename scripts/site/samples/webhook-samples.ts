/** The samples of a webhook: a receiver on node:http, and the command that sends each example. */
import type { Provenance, Webhook } from "../../contract/model/index.ts";
import { printingLine } from "./output.ts";
import { quote } from "./print-code.ts";

export const receiverPort = 3000;
const receiverToken = "token-of-this-sample";

/** A receiver of a webhook, and the command that sends an event to it. */
export interface WebhookSample {
  /** The name of the example. */
  name: string;
  title: string;
  /** A program in JavaScript, the same for all examples of a webhook. */
  receiver: string;
  /** The command that sends the event to the receiver. */
  command: string;
  /** The effective provenance of the example. */
  provenance: Provenance;
  /** The example's body; the command replaces its identifier and time. */
  event: unknown;
}

/** The samples of a webhook, one for each example, with the same receiver. */
export function webhookSamples(webhook: Webhook): WebhookSample[] {
  const receiver = receiverOf(webhook);
  const examples = (webhook.requestBody?.bodies ?? []).flatMap((body) => body.examples);
  return examples.map(({ name, summary = webhook.summary, value, effective }) => ({
    name,
    title: summary,
    receiver,
    command: commandFor(webhook, name),
    provenance: effective,
    event: value,
  }));
}

function receiverOf({ name, requestBody }: Webhook): string {
  const schemas = (requestBody?.bodies ?? []).map(({ schema }) => schema);
  return [
    'import { createServer } from "node:http";',
    'import { createWebhookHandler, toNodeListener } from "partner-wallet-api/webhooks";',
    "",
    "const handler = createWebhookHandler({",
    `  authorization: "${receiverToken}",`,
    "  on: {",
    `    ${name}: async (event) => {`,
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
