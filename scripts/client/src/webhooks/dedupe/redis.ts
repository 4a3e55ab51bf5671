import { type Claimed, checkStoreOptions, type DedupeStore, storeDefaults } from "./store.ts";

/** The methods of an `ioredis` client or cluster that {@link createRedisStore} uses. */
export interface IoRedis {
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** The methods of a client or cluster of the package `redis` (versions 4 to 6) that {@link createRedisStore} uses. */
export interface NodeRedis {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** Options of {@link createRedisStore}. */
export interface RedisStoreOptions {
  /** Milliseconds after which a handled event is forgotten. Default: a day. */
  keepMs?: number;
  /**
   * Milliseconds after which a claim expires unless it is extended. If the process that handles an event ends, deliveries of the event get
   * the response 503 for this time. Default: a minute.
   */
  claimMs?: number;
  /**
   * Prefix of every key. If several receivers or environments share a Redis, each needs its own prefix: otherwise each skips events that
   * another has handled. All processes of a receiver use the same prefix. Default: `webhook:`.
   */
  prefix?: string;
}

// The value of a key is the token of a claim, or "done". Each script runs atomically, and returns a number, which some clients convert to
// text.

/** Claims a key for a token. If the client resends the command after a lost connection, the script finds the token of its first run. */
const claimScript = `local v = redis.call("GET", KEYS[1])
if v == "done" then return 2 end
if v and v ~= ARGV[1] then return 1 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 0`;

const completeScript = `redis.call("SET", KEYS[1], "done", "PX", ARGV[1])
return 1`;

const scriptIfHeld = (command: string) =>
  `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call(${command}) end
return 0`;
const extendScript = scriptIfHeld('"PEXPIRE", KEYS[1], ARGV[2]');
const releaseScript = scriptIfHeld('"DEL", KEYS[1]');

/**
 * Creates a store in Redis, which processes can share. Its tokens are random UUIDs. Redis replicates asynchronously: a claim can be lost in
 * a failover.
 *
 * @param client a connected client of the package `ioredis` or `redis`.
 * @throws {TypeError} when the client is neither, or an option is unknown or malformed.
 */
export function createRedisStore(client: IoRedis | NodeRedis, options: RedisStoreOptions = {}): DedupeStore {
  const { keepMs, claimMs, prefix } = checkStoreOptions(options, { ...storeDefaults, prefix: "webhook:" });
  const evaluate = evaluatorOf(client);
  const runScript = async (script: string, key: string, ...args: (string | number)[]) =>
    Number(await evaluate(script, prefix + key, args.map(String)));
  return {
    claimMs,
    async claim(key) {
      const token = crypto.randomUUID();
      const states: readonly Claimed[] = [{ state: "new", token }, { state: "busy" }, { state: "done" }];
      return states[await runScript(claimScript, key, token, claimMs)] as Claimed;
    },
    extend: async (key, token) => (await runScript(extendScript, key, token, claimMs)) === 1,
    complete: async (key) => void (await runScript(completeScript, key, keepMs)),
    release: async (key, token) => (await runScript(releaseScript, key, token)) === 1,
  };
}

/** Returns a function that runs a script. A client with the method `call` is from `ioredis`; its `eval` takes other parameters. */
function evaluatorOf(client: IoRedis | NodeRedis): (script: string, key: string, args: string[]) => Promise<unknown> {
  // Every function has a `call`, so only objects are accepted: a function that returns the client is refused.
  const { call, eval: evaluate } = (typeof client === "object" && client ? client : {}) as Partial<IoRedis & NodeRedis>;
  if (typeof call === "function") return (script, key, args) => call.call(client, "eval", script, "1", key, ...args);
  if (typeof evaluate === "function") {
    return (script, key, args) => evaluate.call(client, script, { keys: [key], arguments: args });
  }
  throw new TypeError(
    "createRedisStore needs a client of the package ioredis, or redis (version 4 or later), not a function.",
  );
}
