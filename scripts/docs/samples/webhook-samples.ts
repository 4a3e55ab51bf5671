/** The samples of a webhook: a receiver on node:http, and for each named example the command that sends it. */
import type { Edition, Webhook } from "../../contract/index.ts";
import { receiverPort, receiverToken } from "./constants.ts";
import type { SampleContext, Snippet, WebhookSample } from "./index.ts";
import { isOpen, printingLines } from "./output.ts";
import { quote } from "./print-code.ts";
import { packageEntry } from "./typescript.ts";

/** What stands above a receiver whose path is the reader's own. */
function pathNote(webhook: Webhook): string {
  return `No path is known for this webhook. ${ownPath(webhook)} stands for the one that you agree with the service.`;
}

/** The samples of a webhook, one for each of its examples. The receiver is the same in all of them. */
export function webhookSamples(webhook: Webhook, { edition }: SampleContext): WebhookSample[] {
  const isPathKnown = webhook.path !== "";
  const receiver = receiverOf(webhook, edition);
  const bodies = webhook.requestBody?.bodies ?? [];
  // Of a body that the edition does not show, the command knows examples by other names.
  const examples = bodies.flatMap((body) =>
    body.examples.map((example) => ({ ...example, isShown: !isOpen(body.schema) })),
  );
  return examples.map(({ name, summary, value, isShown }) => ({
    name,
    title: isShown && summary !== undefined ? summary : webhook.summary,
    note: isPathKnown ? undefined : pathNote(webhook),
    receiver,
    send: { label: "Send the event", highlight: "bash", code: commandFor(webhook, isShown ? name : undefined) },
    event: isShown ? value : undefined,
  }));
}

/** A path for a webhook whose own is not known, which cannot be taken for one of the service. */
function ownPath({ name }: Webhook): string {
  return `/my-path/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function receiverOf(webhook: Webhook, edition: Edition): Snippet {
  const { name, path, requestBody } = webhook;
  const schemas = (requestBody?.bodies ?? []).map(({ schema }) => schema);
  const code = [
    'import { createServer } from "node:http";',
    `import { createWebhookHandler, toNodeListener } from "${packageEntry(edition, "webhooks")}";`,
    "",
    "const handler = createWebhookHandler({",
    `  authorization: "${receiverToken}",`,
    ...(path === "" ? [`  paths: { ${name}: "${ownPath(webhook)}" },`] : []),
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

function commandFor(webhook: Webhook, example: string | undefined): string {
  const chosen = example === undefined ? "" : ` --example ${quote(example)}`;
  const path = webhook.path === "" ? ` \\\n  --path ${quote(ownPath(webhook))}` : "";
  const target = `--to http://127.0.0.1:${receiverPort} --token ${receiverToken}`;
  return `npx partner-wallet-api webhook ${webhook.name}${chosen} \\\n  ${target}${path}`;
}
