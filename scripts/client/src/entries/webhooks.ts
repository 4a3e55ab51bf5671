/** The entry point `partner-wallet-api/webhooks`: receives and parses webhook calls, and makes events for tests. */
import { webhookTable } from "../../../../generated/client/webhook-table.ts";
import { healthPath, type WebhookEvents } from "../../../../generated/client/webhooks.ts";
import { makeWebhookHandler, type WebhookHandler } from "../webhooks/handler.ts";
import type { WebhookHandlerOptions } from "../webhooks/options.ts";

export {
  healthPath,
  type WebhookEvents,
  type WebhookName,
  webhookPaths,
} from "../../../../generated/client/webhooks.ts";
export type { Deviation, OnDeviation, Violation } from "../checks/deviations.ts";
export { type ExactNumbers, exactNumbers } from "../exact/exact-numbers.ts";
export { toFastifyPlugin, toNodeListener } from "../webhooks/adapters.ts";
export type { EventKey } from "../webhooks/dedupe/keys.ts";
export { createMemoryStore, type MemoryStoreOptions } from "../webhooks/dedupe/memory.ts";
export { createRedisStore, type IoRedis, type NodeRedis, type RedisStoreOptions } from "../webhooks/dedupe/redis.ts";
export type { Claimed, DedupeStore } from "../webhooks/dedupe/store.ts";
export type { DeliveryContext } from "../webhooks/delivery.ts";
export type { Parsed } from "../webhooks/events.ts";
export type { WebhookHandler } from "../webhooks/handler.ts";
export {
  createPostgresInbox,
  createSqliteInbox,
  type EventInbox,
  type EventSql,
  inboxSql,
  type PostgresPool,
} from "../webhooks/inbox.ts";
export type {
  AnyEvent,
  NonconformingHandler,
  Refusal,
  UnknownCall,
  WebhookHandlerOptions,
} from "../webhooks/options.ts";
export type { WebhookPaths } from "../webhooks/routes.ts";
export type { Authorization } from "../webhooks/token.ts";
export { parseEvent, parseWebhook, testEvent } from "./events.ts";

/**
 * Creates a handler of webhook calls: a function from a standard Request to a standard Response.
 *
 * An event is passed to its function if it has the declared type. Other deviations from the contract (such as a pattern, a format, an
 * unlisted value or field) are only reported to `onDeviation`.
 *
 * Its responses:
 *
 * - 200 with a JSON object: the event was handled now or before, or `unknown` handled the call; with `acknowledge: "first"`, it will be
 *   handled; with `otherwise: "acknowledge"`, it is ignored. Also the response to a health check;
 * - 400: the body is not JSON, cannot be read, or does not have the declared type while `nonconforming` is `reject`; 401: the token is
 *   missing or wrong;
 * - 404: unknown path; 405: method other than POST;
 * - 408: the body arrived too late; 413: the body is too large; 415: the body is compressed;
 * - 500: a function or the inbox failed, a function took too long, or the body was read before it reached the handler;
 * - 503: another delivery is handling the event, the store failed, or `otherwise` is `reject`.
 *
 * The service is expected to deliver the event again after a 500 or 503.
 *
 * @throws {TypeError} when an option is unknown, missing or malformed. `authorization`, `on`, `otherwise` and `nonconforming` are required.
 */
export function createWebhookHandler(options: WebhookHandlerOptions<WebhookEvents>): WebhookHandler {
  return makeWebhookHandler(webhookTable, healthPath, options);
}
