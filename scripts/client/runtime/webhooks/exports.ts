/** What the package exports from its entry for webhooks besides the generated functions and types. */
export type { Deviation, OnDeviation, Violation } from "../deviations.ts";
export { toFastifyPlugin, toNodeListener } from "./adapters.ts";
export { createMemoryStore, createRedisStore, type DedupeStore, type RedisCommands } from "./dedupe.ts";
export type { Parsed } from "./events.ts";
export type { WebhookHandler } from "./handler.ts";
export type { AnyEvent, NonconformingHandler, Refusal, UnknownCall, WebhookHandlerOptions } from "./options.ts";
export type { WebhookPaths } from "./routes.ts";
export type { Authorization } from "./token.ts";
