/** The hand-written exports of the `webhooks` entry. */
export type { Deviation, OnDeviation, Violation } from "../deviations.ts";
export { type ExactNumbers, exactNumbers } from "../exact-numbers.ts";
export { toFastifyPlugin, toNodeListener } from "./adapters.ts";
export type { EventKey } from "./dedupe/keys.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./dedupe/memory.ts";
export { createRedisStore, type IoRedis, type NodeRedis, type RedisStoreOptions } from "./dedupe/redis.ts";
export type { Claimed, DedupeStore } from "./dedupe/store.ts";
export type { DeliveryContext } from "./delivery.ts";
export type { Parsed } from "./events.ts";
export type { WebhookHandler } from "./handler.ts";
export type { AnyEvent, NonconformingHandler, Refusal, UnknownCall, WebhookHandlerOptions } from "./options.ts";
export type { WebhookPaths } from "./routes.ts";
export type { Authorization } from "./token.ts";
