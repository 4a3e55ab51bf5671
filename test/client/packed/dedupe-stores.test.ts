import { createMemoryStore, createRedisStore, type DedupeStore } from "partner-wallet-api/webhooks";
import { describe, expect, it, vi } from "vitest";
import { makeTransferReceiver, post } from "./deliveries.ts";

describe("a store of the partner", () => {
  it.each([undefined, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "60"])(
    "with %s as claimMs is refused when the handler is made",
    (claimMs) => {
      const dedupe = { ...createMemoryStore(), claimMs: claimMs as number };
      expect(() => makeTransferReceiver(() => undefined, { dedupe })).toThrow(/claimMs of dedupe/);
    },
  );

  it.each(["new", undefined, null, {}, { state: "new" }, { state: "other" }])(
    "whose claim resolves to %j makes the handler respond 503 without handling",
    async (claimResult) => {
      const handle = vi.fn();
      const errors: unknown[] = [];
      const dedupe = { ...createMemoryStore(), claim: async () => claimResult as never };
      const handler = makeTransferReceiver(handle, { dedupe, onError: (error) => void errors.push(error) });
      expect(await post(handler)).toBe(503);
      expect(handle).not.toHaveBeenCalled();
      expect(errors).toEqual([expect.any(TypeError)]);
    },
  );

  it("can be an instance of a class", async () => {
    class Store implements DedupeStore {
      readonly #store = createMemoryStore();
      readonly claimMs = 60_000;
      claim(key: string) {
        return this.#store.claim(key);
      }
      extend(key: string, token: string) {
        return this.#store.extend(key, token);
      }
      complete(key: string, token: string) {
        return this.#store.complete(key, token);
      }
      release(key: string, token: string) {
        return this.#store.release(key, token);
      }
    }
    const handle = vi.fn().mockRejectedValueOnce(new Error("boom"));
    const handler = makeTransferReceiver(handle, { dedupe: new Store() });
    expect([await post(handler), await post(handler), await post(handler)]).toEqual([500, 200, 200]);
    expect(handle).toHaveBeenCalledTimes(2);
  });

  it.each([
    { claimMs: 0 },
    { keepMs: Number.NaN },
    { claimMs: Number.POSITIVE_INFINITY },
    { limit: 1.5 },
    { limit: -1 },
  ])("cannot be made in memory with %j", (options) => {
    expect(() => createMemoryStore(options)).toThrow(/must be a whole number above 0/);
  });

  const client = { eval: async () => 0 };

  it.each<[string, () => unknown, RegExp]>([
    ["prefx", () => createRedisStore(client, { prefx: "a:" } as object), /no option "prefx".*keepMs, claimMs, prefix/],
    ["ttl", () => createMemoryStore({ ttl: 1 } as object), /no option "ttl".*keepMs, claimMs, limit/],
    ["keepms", () => createMemoryStore({ keepms: 1 } as object), /no option "keepms"/],
    ["null in memory", () => createMemoryStore(null as never), /must be an object with some of keepMs/],
    ["null in Redis", () => createRedisStore(client, null as never), /must be an object with some of keepMs/],
    ["a prefix of null", () => createRedisStore(client, { prefix: null as never }), /prefix must be a text/],
    ...[undefined, null, {}, () => client, { set: () => null, get: () => null, del: () => 0 }].map(
      (wrongClient): [string, () => unknown, RegExp] => [
        `${typeof wrongClient} for the client`,
        () => createRedisStore(wrongClient as never),
        /needs a client of the package ioredis, or redis/,
      ],
    ),
  ])("cannot be made with %s", (_name, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

it.each(["claim", "extend", "complete", "release"] as const)(
  "a store in Redis that fails rejects %s",
  async (method) => {
    const store = createRedisStore({ eval: async () => Promise.reject(new Error("down")) } as never);
    await expect(store[method]?.("key", "token")).rejects.toThrow("down");
  },
);

it("a claim is extended and released only while it is held, in the memory store and in Redis", async () => {
  const store = createMemoryStore();
  const claim = await store.claim("key");
  const token = claim.state === "new" ? claim.token : "";
  expect([await store.extend("key", token), await store.extend("key", "other")]).toEqual([true, false]);
  for (const [reply, expected] of [
    [1, true],
    [0, false],
  ] as const) {
    const redisStore = createRedisStore({ eval: async () => reply } as never);
    const replies = [await redisStore.extend("key", "token"), await redisStore.release("key", "token")];
    expect(replies).toEqual([expected, expected]);
  }
});
