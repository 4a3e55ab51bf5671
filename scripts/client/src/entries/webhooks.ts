/** The entry for webhooks: receiving, parsing and making events. */
import { webhookExamples } from "../../../../generated/client/webhook-examples.ts";
import { webhookTable } from "../../../../generated/client/webhook-table.ts";
import { healthPath, type WebhookEvents, type WebhookName } from "../../../../generated/client/webhooks.ts";
import { makeTestEvent, type Parsed, parseEnvelope, parseWithTable } from "../webhooks/events.ts";
import { createHandler, type WebhookHandler } from "../webhooks/handler.ts";
import type { WebhookHandlerOptions } from "../webhooks/options.ts";
import type { WebhookPaths } from "../webhooks/routes.ts";

/**
 * Creates a handler of webhook calls: a function from a standard Request to a standard Response.
 *
 * An event is passed to its function whenever it has the declared type. Other deviations from the contract (a pattern, a format, a value or
 * field that is not listed) are only reported to `onDeviation`.
 *
 * @throws {TypeError} when an option is unknown, missing or malformed: no token, or no policy for events without a function or
 * for those that break their type.
 */
export function createWebhookHandler(options: WebhookHandlerOptions<WebhookEvents>): WebhookHandler {
  return createHandler(webhookTable, healthPath, options);
}

/**
 * Compares a body with the type of a webhook. It does not check the token.
 *
 * @param name the webhook, such as "p2pTransfer".
 * @param body JSON text, or its bytes.
 * @throws {TypeError} when the body is not text, such as an object made by a body parser.
 */
export function parseWebhook<Name extends WebhookName>(
  name: Name,
  body: string | Uint8Array,
): Parsed<Pick<WebhookEvents, Name>>;
/**
 * Finds the webhook of a path and compares the body with its type. It does not check the token.
 *
 * @param nameOrPath path of the call on the partner's server, or the name of a webhook, which has no slash.
 * @param body JSON text, or its bytes.
 * @param options.paths paths on the partner's server, where they differ from the contract.
 * @throws {TypeError} when the body is not a text, or `options.paths` names no webhook, holds no path, or gives one path to
 * two webhooks.
 */
export function parseWebhook(
  nameOrPath: string,
  body: string | Uint8Array,
  options?: { paths?: WebhookPaths<WebhookEvents> },
): Parsed<WebhookEvents>;
export function parseWebhook(
  nameOrPath: string,
  body: string | Uint8Array,
  options: { paths?: WebhookPaths<WebhookEvents> } = {},
): Parsed<WebhookEvents> {
  return parseWithTable(webhookTable, nameOrPath, body, options.paths);
}

/**
 * Parses an event that was stored, for example in a queue: the name of its webhook and its body, as passed to `otherwise` of a handler.
 *
 * @param text JSON text of `{ name, event }`. Its numbers were serialized again, so `exactNumbers` refuses the event.
 * @throws {TypeError} when the text is not JSON of that form, or there is no such webhook.
 */
export function parseEvent(text: string): Parsed<WebhookEvents> {
  return parseEnvelope(webhookTable, text);
}

/**
 * Returns an event for tests: an example of the contract with some fields replaced.
 *
 * @param overrides fields that replace those of the example.
 * @throws {TypeError} when the overrides break the type of the event.
 */
export function testEvent<Name extends WebhookName>(
  name: Name,
  overrides: Partial<WebhookEvents[Name]> = {},
): WebhookEvents[Name] {
  return makeTestEvent<WebhookEvents, Name>(webhookTable, webhookExamples, name, overrides);
}

export {
  healthPath,
  type WebhookEvents,
  type WebhookName,
  webhookPaths,
} from "../../../../generated/client/webhooks.ts";
export * from "../webhooks/exports.ts";
