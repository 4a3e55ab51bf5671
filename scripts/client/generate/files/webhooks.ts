/** Generates the files `webhooks.ts`, the types and paths of events, and `webhook-examples.ts`. */
import type { Contract, OpenQuestions, Webhook } from "../../../contract/model/index.ts";
import { eventBodyOf } from "../reading/facts.ts";
import { demandValue } from "../reading/refusal.ts";
import { experimentalLines, provenanceLines } from "../writing/descriptions.ts";
import { generatedNotice, toKey, toLiteral, toMemberComment, toMembers } from "../writing/text.ts";

export function webhooksSource(contract: Contract, questions: OpenQuestions): string {
  const { webhooks, delivery } = contract;
  const events = webhooks.map((webhook) => {
    const { name, method } = webhook;
    const keys = [name, method, "requestBody", "content", eventBodyOf(webhook).mediaType];
    const type = `webhooks${keys.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
    return `${webhookComment(webhook, questions)}\n  ${toKey(name)}: ${type};`;
  });
  const paths = webhooks.map(({ name, path }) => [name, toLiteral(path)] as const);
  return `${generatedNotice}
import type { webhooks } from "./types.ts";

/** The body of every webhook, by the name of the webhook. */
export interface WebhookEvents {
${events.join("\n\n")}
}

/** The name of a webhook. */
export type WebhookName = keyof WebhookEvents;

/** The paths on the partner's server. \`paths\` of a handler overrides them. */
export const webhookPaths: Readonly<Record<WebhookName, string>> = {
${toMembers(paths)}
};

/** The path on the partner's server that the service checks; undefined when no path is known. */
export const healthPath: string | undefined = ${toLiteral(delivery?.healthPath)};
`;
}

function webhookComment(webhook: Webhook, questions: OpenQuestions): string {
  const { summary, path, pathProvenance } = webhook;
  const proposedNote = pathProvenance === "proposed" ? ", a proposed path" : "";
  return toMemberComment([
    ...experimentalLines(webhook),
    `${summary} (\`POST ${path}\` on the partner's server${proposedNote})`,
    "",
    ...webhook.description.trim().split("\n"),
    ...provenanceLines(webhook, questions),
  ]);
}

export function webhookExamplesSource(contract: Contract): string {
  // The first example is the usual event.
  const examples = contract.webhooks.map((webhook) => {
    const example = demandValue(
      eventBodyOf(webhook).examples[0],
      webhook.location,
      "The event has no example",
      "Add one",
    );
    return [webhook.name, toLiteral(example.value)] as const;
  });
  return `${generatedNotice}
export const webhookExamples: Readonly<Record<string, object>> = {
${toMembers(examples)}
};
`;
}
