import { checkStoreOptions, type DedupeStore, storeDefaults } from "./store.ts";

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /** Milliseconds after which a handled event is forgotten. Default: a day. */
  keepMs?: number;
  /** Milliseconds after which a claim expires unless it is extended. Default: a minute. */
  claimMs?: number;
  /** Maximum number of handled events; the oldest are forgotten first. Default: 100,000. */
  limit?: number;
}

interface Entry {
  readonly token?: string;
  /** Time of expiry in milliseconds of `performance.now()`, which changes of the system clock do not affect. */
  readonly expiry: number;
}

/**
 * Creates a store in the memory of this process. Its content is lost when the process ends, and not shared between processes: use a
 * persistent store for events that move money. Its tokens are decimal numbers that grow with every claim.
 *
 * @throws {TypeError} when an option is unknown or not a whole number above 0.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): DedupeStore {
  const { keepMs, claimMs, limit } = checkStoreOptions(options, { ...storeDefaults, limit: 100_000 });
  // Claims have their own map, which has no limit: if a claim were removed, its event could be handled twice at the same time.
  const claims = new Map<string, Entry>();
  const handledEvents = new Map<string, Entry>();
  let lastToken = 0;
  const holdsClaim = (key: string, token: string) => claims.get(key)?.token === token && isLive(claims.get(key));
  return {
    claimMs,
    async claim(key) {
      if (isLive(handledEvents.get(key))) return { state: "done" };
      if (isLive(claims.get(key))) return { state: "busy" };
      lastToken += 1;
      const token = `${lastToken}`;
      append(claims, key, { token, expiry: performance.now() + claimMs });
      return { state: "new", token };
    },
    async extend(key, token) {
      if (!holdsClaim(key, token)) return false;
      append(claims, key, { token, expiry: performance.now() + claimMs });
      return true;
    },
    async complete(key) {
      claims.delete(key);
      append(handledEvents, key, { expiry: performance.now() + keepMs }, limit);
    },
    async release(key, token) {
      return holdsClaim(key, token) && claims.delete(key);
    },
  };
}

function isLive(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.expiry > performance.now();
}

/** Appends an entry, and removes expired and surplus entries from the front, where the oldest entries are. */
function append(entries: Map<string, Entry>, key: string, entry: Entry, limit = Number.POSITIVE_INFINITY): void {
  entries.delete(key);
  entries.set(key, entry);
  for (const [oldestKey, oldestEntry] of entries) {
    if (entries.size <= limit && isLive(oldestEntry)) return;
    entries.delete(oldestKey);
  }
}
