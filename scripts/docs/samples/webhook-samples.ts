/** The samples of a webhook: a receiver on node:http, and for each named example the command that sends it. */
import type { Webhook } from "../../contract/index.ts";
import { receiverPort, receiverToken } from "./constants.ts";
import type { Snippet, WebhookSample } from "./index.ts";
import { printingLines } from "./output.ts";
import { quote } from "./print-code.ts";

/** The samples of a webhook, one for each of its examples. The receiver is the same in all of them. */
export function webhookSamples(webhook: Webhook): WebhookSample[] {
  const receiver = receiverOf(webhook);
  const examples = (webhook.requestBody?.bodies ?? []).flatMap((body) => body.examples);
  return examples.map(({ name, summary = webhook.summary, value }) => ({
    name,
    title: summary,
    receiver,
    send: { label: "Send the event", highlight: "bash", code: commandFor(webhook, name) },
    event: value,
  }));
}

function receiverOf({ name, requestBody }: Webhook): Snippet {
  const schemas = (requestBody?.bodies ?? []).map(({ schema }) => schema);
  const code = [
    'import { createServer } from "node:http";',
    'import { createWebhookHandler, toNodeListener } from "partner-wallet-api/webhooks";',
    "",
    "const handler = createWebhookHandler({",
    `  authorization: "${receiverToken}",`,
    "  on: {",
    `    ${name}: async (event) => {`,
    ...printingLines(schemas, "event").map((line) => `      ${line}`),
    ...["    },", "  },"],
    "  // What is not handled above is answered 200 and does not come again: keep it, for a person to look at.",
    '  otherwise: async ({ name }) => console.log("Another webhook:", name),',
    '  nonconforming: async (name) => console.log("A body that lacks what its type promises:", name),',
    '  unknown: async ({ path }) => console.log("A path that is no webhook\'s:", path),',
    "});",
    "",
    `createServer(toNodeListener(handler)).listen(${receiverPort});`,
  ].join("\n");
  return { language: "typescript", label: "Receiver", highlight: "typescript", code };
}

function commandFor({ name }: Webhook, example: string): string {
  const target = `--to http://127.0.0.1:${receiverPort} --token ${receiverToken}`;
  return `npx partner-wallet-api webhook ${name} --example ${quote(example)} \\\n  ${target}`;
}
