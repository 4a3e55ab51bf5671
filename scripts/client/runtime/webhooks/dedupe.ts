/** Detects repeated deliveries: the service may send an event more than once. */

/**
 * Stores which events were handled. A claim that is neither completed nor released must expire, so that an event is not
 * lost when the process that claimed it ends.
 */
export interface DedupeStore {
  /** `new`: the key is now claimed by this call. `busy`: another call holds the claim. `done`: the event was handled. */
  claim(key: string): Promise<"new" | "busy" | "done">;
  /** Marks the event as handled. */
  complete(key: string): Promise<void>;
  /** Releases the claim of an event that was not handled, so that the next delivery can claim it. */
  release(key: string): Promise<void>;
}

/** How long the service repeats a delivery is not known; a day is assumed to be longer. */
const defaultKeepMs = 24 * 60 * 60 * 1000;
const defaultClaimMs = 60_000;

/**
 * Creates a store in the memory of this process. It is lost when the process ends and not shared between processes: use
 * a persistent store for events that move money.
 *
 * @param options.keepMs milliseconds after which a handled event expires; a day by default.
 * @param options.claimMs milliseconds after which a claim expires; a minute by default.
 * @param options.limit maximum number of events; the oldest are removed first. 100,000 by default.
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

/** The commands of a Redis client that {@link createRedisStore} uses, as in the `redis` package. */
export interface RedisCommands {
  set(key: string, value: string, options: { NX?: true; PX: number }): Promise<unknown>;
  get(key: string): Promise<unknown>;
  del(key: string): Promise<unknown>;
}

/**
 * Creates a store in Redis, which processes can share.
 *
 * @param client a connected client of the `redis` package.
 * @param options.keepMs milliseconds after which a handled event expires; a day by default.
 * @param options.claimMs milliseconds after which a claim expires; a minute by default.
 * @param options.prefix prefix of every key; `webhook:` by default.
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
 * The deduplication key of an event: the name of its webhook and the values of the identifying fields.
 *
 * @param fields the identifying fields, from the contract.
 * @returns undefined when the contract names no such fields, or a value of the event identifies nothing: absent, blank, or a
 * number that JavaScript cannot hold exactly. Then a repeated delivery cannot be distinguished from a new event.
 */
export function dedupeKeyOf(name: string, fields: readonly string[], event: unknown): string | undefined {
  const values = fields.map((field) => (event as Record<string, unknown> | null)?.[field]);
  if (values.length === 0 || !values.every(identifies)) return undefined;
  return `${name}:${JSON.stringify(values)}`;
}

function identifies(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;
}

/** A store bound to the key of one event. */
export type Claimable = { [Method in keyof DedupeStore]: () => ReturnType<DedupeStore[Method]> };

/** Binds a store to the key of one event. */
export function claimable(store: DedupeStore, key: string): Claimable {
  return { claim: () => store.claim(key), complete: () => store.complete(key), release: () => store.release(key) };
}
