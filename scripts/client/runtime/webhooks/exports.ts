/** What the package exports from its entry for webhooks besides the generated functions and types. */
export { toFastifyPlugin, toNodeListener } from "./adapters.ts";
export { createMemoryStore, createRedisStore, type DedupeStore, type RedisCommands } from "./dedupe.ts";
export type { Parsed } from "./events.ts";
export type { AnyEvent, WebhookHandler, WebhookHandlerOptions } from "./handler.ts";
export type { Authorization } from "./token.ts";
