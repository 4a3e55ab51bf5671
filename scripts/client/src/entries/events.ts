/** Functions that parse and make events. Several entry points export them. */
import { webhookExamples } from "../../../../generated/client/webhook-examples.ts";
import { webhookTable } from "../../../../generated/client/webhook-table.ts";
import type { WebhookEvents, WebhookName } from "../../../../generated/client/webhooks.ts";
import { makeEvent, type Parsed, parseCall, parseStored } from "../webhooks/events.ts";
import type { WebhookPaths } from "../webhooks/routes.ts";

/**
 * Checks a body against the type of a webhook. Does not check the token.
 *
 * @param name the webhook, such as "p2pTransfer".
 * @param body JSON text, or its bytes.
 * @returns the event, or the HTTP status and the reason for a refusal.
 * @throws {TypeError} when there is no such webhook, or the body is neither text nor bytes, such as an object made by a body parser.
 */
export function parseWebhook<Name extends WebhookName>(
  name: Name,
  body: string | Uint8Array,
): Parsed<Pick<WebhookEvents, Name>>;
/**
 * Finds the webhook by its name or by the path of a call, and checks the body against the type of the webhook. Does not check the token.
 *
 * @param nameOrPath path of the call on the partner's server, or the name of a webhook, which has no slash.
 * @param body JSON text, or its bytes.
 * @param options.paths paths on the partner's server, if they differ from the contract.
 * @returns the event, or the HTTP status and the reason for a refusal.
 * @throws {TypeError} when the body is neither text nor bytes, a name without a slash is not the name of a webhook, or `options.paths` has
 * an unknown webhook, a malformed path, or one path for two webhooks.
 */
export function parseWebhook(
  nameOrPath: string,
  body: string | Uint8Array,
  options?: { paths?: WebhookPaths<WebhookEvents> },
): Parsed<WebhookEvents>;
export function parseWebhook(
  nameOrPath: string,
  body: string | Uint8Array,
  { paths }: { paths?: WebhookPaths<WebhookEvents> } = {},
): Parsed<WebhookEvents> {
  return parseCall(webhookTable, nameOrPath, body, paths) as Parsed<WebhookEvents>;
}

/**
 * Parses an event that was stored, for example in a queue: the name of its webhook and its body, as passed to `otherwise` of a handler.
 *
 * @param text JSON text of `{ name, event }`. Its numbers were serialized again, so `exactNumbers` refuses an event that has numbers.
 * @returns the event, or the reason for a refusal when it does not have the type of the webhook.
 * @throws {TypeError} when the text is not JSON of that form, or there is no such webhook.
 */
export function parseEvent(text: string): Parsed<WebhookEvents> {
  return parseStored(webhookTable, text) as Parsed<WebhookEvents>;
}

/**
 * Returns an event for tests: an example of the contract with some fields replaced.
 *
 * @param overrides fields that replace fields of the example.
 * @throws {TypeError} when there is no such webhook, or the event with the overrides violates its type.
 */
export function testEvent<Name extends WebhookName>(
  name: Name,
  overrides: Partial<WebhookEvents[Name]> = {},
): WebhookEvents[Name] {
  return makeEvent(webhookTable, webhookExamples[name] ?? {}, name, overrides) as WebhookEvents[Name];
}
