/** The entry point `partner-wallet-api/webhooks`: receives and parses webhook calls, and makes events for tests. */
export {
  healthPath,
  type WebhookEvents,
  type WebhookName,
  webhookPaths,
} from "../../../../generated/client/webhooks.ts";
export type { Deviation, OnDeviation, Violation } from "../deviations.ts";
export { type ExactNumbers, exactNumbers } from "../exact-numbers.ts";
export { toFastifyPlugin, toNodeListener } from "../webhooks/adapters.ts";
export type { EventKey } from "../webhooks/dedupe/keys.ts";
export { createMemoryStore, type MemoryStoreOptions } from "../webhooks/dedupe/memory.ts";
export { createRedisStore, type IoRedis, type NodeRedis, type RedisStoreOptions } from "../webhooks/dedupe/redis.ts";
export type { Claimed, DedupeStore } from "../webhooks/dedupe/store.ts";
export type { DeliveryContext } from "../webhooks/delivery.ts";
export { type Parsed, parseEvent, parseWebhook, testEvent } from "../webhooks/events.ts";
export { createWebhookHandler, type WebhookHandler } from "../webhooks/handler.ts";
export type {
  AnyEvent,
  NonconformingHandler,
  Refusal,
  UnknownCall,
  WebhookHandlerOptions,
} from "../webhooks/options.ts";
export type { WebhookPaths } from "../webhooks/routes.ts";
export type { Authorization } from "../webhooks/token.ts";
