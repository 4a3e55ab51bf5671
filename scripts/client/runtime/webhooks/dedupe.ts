/** Recognises repeated deliveries: the service may send an event more than once. */

/**
 * Remembers which events were handled. A claim that is neither completed nor released must lapse by itself, so that an
 * event is not lost when its receiver dies.
 */
export interface DedupeStore {
  /** `new` claims the key for this receiver; `busy` says that another one holds it; `done` that the event was handled. */
  claim(key: string): Promise<"new" | "busy" | "done">;
  /** The event was handled. */
  complete(key: string): Promise<void>;
  /** The event was not handled; the next delivery may try again. */
  release(key: string): Promise<void>;
}

/** Long enough for every repetition that the service is known to make. */
const defaultKeepMs = 24 * 60 * 60 * 1000;
const defaultClaimMs = 60_000;

/**
 * A store in the memory of one process. It forgets when the process ends and is not shared between processes: for
 * anything that moves money, use a store that survives both.
 *
 * @param options.keepMs milliseconds for which a handled event is remembered; a day by default.
 * @param options.claimMs milliseconds after which a claim lapses; a minute by default.
 * @param options.limit how many events are remembered at most; the oldest go first. 100,000 by default.
 */
export function createMemoryStore(options: { keepMs?: number; claimMs?: number; limit?: number } = {}): DedupeStore {
  const { keepMs = defaultKeepMs, claimMs = defaultClaimMs, limit = 100_000 } = options;
  const entries = new Map<string, { state: "busy" | "done"; until: number }>();
  const remember = (key: string, state: "busy" | "done", forMs: number) => {
    entries.delete(key);
    entries.set(key, { state, until: Date.now() + forMs });
    for (const oldest of entries.keys()) {
      if (entries.size <= limit) break;
      entries.delete(oldest);
    }
  };
  return {
    async claim(key) {
      const entry = entries.get(key);
      if (entry !== undefined && entry.until > Date.now()) return entry.state;
      remember(key, "busy", claimMs);
      return "new";
    },
    async complete(key) {
      remember(key, "done", keepMs);
    },
    async release(key) {
      entries.delete(key);
    },
  };
}

/** The commands of a Redis client that {@link createRedisStore} needs. The `redis` package has them. */
export interface RedisCommands {
  set(key: string, value: string, options: { NX?: true; PX: number }): Promise<unknown>;
  get(key: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/**
 * A store in Redis, shared between processes.
 *
 * @param client a connected client of the `redis` package.
 * @param options.prefix put in front of every key; `webhook:` by default.
 */
export function createRedisStore(
  client: RedisCommands,
  options: { keepMs?: number; claimMs?: number; prefix?: string } = {},
): DedupeStore {
  const { keepMs = defaultKeepMs, claimMs = defaultClaimMs, prefix = "webhook:" } = options;
  return {
    async claim(key) {
      const claimed = await client.set(prefix + key, "busy", { NX: true, PX: claimMs });
      if (claimed !== null) return "new";
      return (await client.get(prefix + key)) === "done" ? "done" : "busy";
    },
    async complete(key) {
      await client.set(prefix + key, "done", { PX: keepMs });
    },
    async release(key) {
      await client.del(prefix + key);
    },
  };
}

/**
 * The key of an event: the name of its webhook and the fields that tell it from others. Undefined when the contract knows
 * no such fields, or the event lacks one: then nothing tells a repetition from a new event.
 */
export function dedupeKeyOf(name: string, fields: readonly string[], event: unknown): string | undefined {
  const values = fields.map((field) => (event as Record<string, unknown>)[field] ?? undefined);
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return `${name}:${JSON.stringify(values)}`;
}
