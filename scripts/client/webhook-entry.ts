/** Generates the entry file of the webhooks and its examples, with their documentation for editors. */
import type { Contract, OpenQuestions, Webhook } from "../contract/index.ts";
import { experimentalLines, provenanceLines } from "./descriptions.ts";
import { generatedNotice, runtimePath, toLiteral, toMemberComment, toMembers } from "./text.ts";

/** Returns the text of `webhooks.ts`: the types of the events and the functions that receive them. */
export function webhooksSource(contract: Contract, questions: OpenQuestions): string {
  const { webhooks, delivery } = contract;
  const events = webhooks.map(
    (webhook) => `${webhookComment(webhook, questions)}
  ${webhook.name}: webhooks["${webhook.name}"]["post"]["requestBody"]["content"]["application/json"];`,
  );
  const rows = webhooks.map(({ name, path, dedupeKey }) => {
    const text = `{ path: ${toLiteral(path)}, schema: webhookSchemas.${name}, dedupeKey: ${toLiteral(dedupeKey)} }`;
    return [name, text] as const;
  });
  const paths = webhooks.map(({ name, path }) => [name, toLiteral(path)] as const);
  return `${generatedNotice}
import type { WebhookTable } from "${runtimePath}/webhooks/routes.ts";
import { makeTestEvent, type Parsed, parseEnvelope, parseWithTable } from "${runtimePath}/webhooks/events.ts";
import { createHandler, type WebhookHandler } from "${runtimePath}/webhooks/handler.ts";
import type { WebhookHandlerOptions } from "${runtimePath}/webhooks/options.ts";
import type { WebhookPaths } from "${runtimePath}/webhooks/routes.ts";
import type { webhooks } from "./types.ts";
import { webhookExamples } from "./webhook-examples.ts";
import { webhookSchemas } from "./webhook-schemas.ts";

/** The body of every webhook, by the name of the webhook. */
export interface WebhookEvents {
${events.join("\n\n")}
}

/** The name of a webhook. */
export type WebhookName = keyof WebhookEvents;

const table: WebhookTable = {
${toMembers(rows)}
};

/** The paths on the partner's server. \`paths\` of a handler overrides them. */
export const webhookPaths: Readonly<Record<WebhookName, string>> = {
${toMembers(paths)}
};

/** The path on the partner's server that the service checks; undefined when none is known. */
export const healthPath: string | undefined = ${toLiteral(delivery?.healthPath) ?? "undefined"};

/**
 * Creates a handler of webhook calls: a function from a standard Request to a standard Response.
 *
 * An event is delivered whenever it has the type that its function was promised. Other deviations from the contract (a
 * pattern, a format, a value or field that is not listed) are only reported to \`onDeviation\`.
 *
 * @throws {TypeError} when an option is unknown, missing or malformed: no token, or no policy for events without a function or
 * for those that break their type.
 */
export function createWebhookHandler(options: WebhookHandlerOptions<WebhookEvents>): WebhookHandler {
  return createHandler(table, healthPath, options);
}

/**
 * Compares a body with the type of a webhook. It does not check the token.
 *
 * @param name the webhook, such as "p2pTransfer".
 * @param body JSON text, or its bytes.
 * @throws {TypeError} when the body is not a text, such as the object that a body parser made of it.
 */
export function parseWebhook<Name extends WebhookName>(name: Name, body: string | Uint8Array): Parsed<Pick<WebhookEvents, Name>>;
/**
 * Finds the webhook of a path and compares the body with its type. It does not check the token.
 *
 * @param nameOrPath path of the call on the partner's server, or the name of a webhook, which has no slash.
 * @param body JSON text, or its bytes.
 * @param options.paths paths on the partner's server, where they differ from the contract.
 * @throws {TypeError} when the body is not a text, or \`options.paths\` names no webhook, holds no path, or gives one path to
 * two webhooks.
 */
export function parseWebhook(nameOrPath: string, body: string | Uint8Array, options?: { paths?: WebhookPaths<WebhookEvents> }): Parsed<WebhookEvents>;
export function parseWebhook(nameOrPath: string, body: string | Uint8Array, options: { paths?: WebhookPaths<WebhookEvents> } = {}): Parsed<WebhookEvents> {
  return parseWithTable(table, nameOrPath, body, options.paths);
}

/**
 * Compares an event with its type, where it comes from a queue and not from the service: the name of its webhook and its body, as
 * \`otherwise\` of a handler is given them.
 *
 * @param text JSON text of \`{ name, event }\`. Numbers have been written anew, so that \`exactNumbers\` refuses the event.
 * @throws {TypeError} when the text is no JSON of that form, or there is no such webhook.
 */
export function parseEvent(text: string): Parsed<WebhookEvents> {
  return parseEnvelope(table, text);
}

/**
 * Returns an event for tests: an example of the contract with some fields replaced.
 *
 * @param overrides fields that replace those of the example.
 * @throws {TypeError} when the overrides break the type of the event.
 */
export function testEvent<Name extends WebhookName>(name: Name, overrides: Partial<WebhookEvents[Name]> = {}): WebhookEvents[Name] {
  return makeTestEvent<WebhookEvents, Name>(table, webhookExamples, name, overrides);
}

export * from "${runtimePath}/webhooks/exports.ts";
`;
}

function webhookComment(webhook: Webhook, questions: OpenQuestions): string {
  return toMemberComment([
    ...experimentalLines(webhook),
    `${webhook.summary} (${placeOf(webhook)})`,
    "",
    ...webhook.description.trim().split("\n"),
    ...provenanceLines(webhook, questions),
  ]);
}

function placeOf({ path, pathProvenance }: Webhook): string {
  return `\`POST ${path}\` on the partner's server${pathProvenance === "proposed" ? ", a proposed path" : ""}`;
}

/** Returns the text of `webhook-examples.ts`: the first example of every webhook. */
export function webhookExamplesSource(contract: Contract): string {
  const examples = contract.webhooks.flatMap(({ name, requestBody }) => {
    const [example] = requestBody?.bodies[0]?.examples ?? [];
    return example === undefined ? [] : [[name, toLiteral(example.value)] as const];
  });
  return `${generatedNotice}
/** The first example of every webhook. */
export const webhookExamples: Readonly<Record<string, object>> = {
${toMembers(examples)}
};
`;
}
