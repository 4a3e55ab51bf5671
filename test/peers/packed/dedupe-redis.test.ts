import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { Redis } from "ioredis";
import {
  createRedisStore,
  createWebhookHandler,
  type IoRedis,
  type NodeRedis,
  testEvent,
} from "partner-wallet-api/webhooks";
import { createClient, createCluster } from "redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { compareWithReference, storeOperations } from "../../client/packed/dedupe-reference.ts";
import { webhookCall, webhookToken } from "../../client/packed/deliveries.ts";
import { type RedisServer, skipsRedis, startRedis } from "./redis-server.ts";

interface ConnectedClient {
  client: IoRedis | NodeRedis;
  close(): unknown;
}

const connectNodeRedis =
  (options: object = {}) =>
  async (url: string): Promise<ConnectedClient> => {
    const client = createClient({ url, ...options }).on("error", () => undefined);
    await client.connect();
    return { client, close: () => client.destroy() };
  };

const connectIoRedis =
  (options: object = {}) =>
  async (url: string): Promise<ConnectedClient> => {
    const client = new Redis(url, options).on("error", () => undefined);
    return { client, close: () => client.disconnect() };
  };

const clients: [name: string, connect: (url: string) => Promise<ConnectedClient>][] = [
  ["redis", connectNodeRedis()],
  ["redis with RESP 2", connectNodeRedis({ RESP: 2 })],
  ["ioredis", connectIoRedis()],
  ["ioredis with a key prefix and numbers as texts", connectIoRedis({ keyPrefix: "app:", stringNumbers: true })],
];

describe.skipIf(skipsRedis)("the store in Redis", () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  });

  afterAll(() => server?.stop());

  describe.each(clients)("with a client of %s", (name, connect) => {
    let client: ConnectedClient["client"];
    let close: ConnectedClient["close"];

    beforeAll(async () => {
      ({ client, close } = await connect(server.url));
    });

    afterAll(() => close?.());

    const makeCall = () => webhookCall(testEvent("p2pTransfer"));

    const makeReceiver = (purpose: string, handle: () => void | Promise<void>) =>
      createWebhookHandler({
        authorization: webhookToken,
        on: { p2pTransfer: handle },
        otherwise: "reject",
        nonconforming: "reject",
        dedupe: createRedisStore(client, { prefix: `${name}:${purpose}:` }),
      });

    it("lets one of many simultaneous deliveries through", async () => {
      const handle = vi.fn();
      const handler = makeReceiver("many", handle);
      const responses = await Promise.all(Array.from({ length: 20 }, () => handler(makeCall())));
      const statuses = responses.map(({ status }) => status);
      expect(handle).toHaveBeenCalledOnce();
      expect(statuses).toContain(200);
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    });

    it("behaves like the reference store", async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(storeOperations(0), async (operations) => {
          run += 1;
          const store = createRedisStore(client, { prefix: `${name}:reference-${run}:` });
          await compareWithReference(store, 24 * 60 * 60 * 1000, operations, () => undefined);
        }),
        { numRuns: 50 },
      );
    });

    it("lets claims expire, and forgets handled events in time", async () => {
      // Each check is repeated, because a fixed wait could be too short for the expiry on a busy machine.
      const store = createRedisStore(client, { prefix: `${name}:time:`, claimMs: 1, keepMs: 1 });
      const claim = await store.claim("a");
      await vi.waitFor(async () => expect((await store.claim("a")).state).toBe("new"));
      if (claim.state !== "new") throw new Error("The key was claimed before.");
      expect([await store.extend("a", claim.token), await store.release("a", claim.token)]).toEqual([false, false]);
      await store.complete("b", "unknown-token");
      await vi.waitFor(async () => expect((await store.claim("b")).state).toBe("new"));
    });

    it("makes a claim expire its full duration after the extension", async () => {
      const prefix = `${name}:extended:`;
      const claim = await createRedisStore(client, { prefix }).claim("a");
      if (claim.state !== "new") throw new Error("The key was claimed before.");
      const shortClaimStore = createRedisStore(client, { prefix, claimMs: 1 });
      expect(await shortClaimStore.extend("a", claim.token)).toBe(true);
      await vi.waitFor(async () => expect((await shortClaimStore.claim("a")).state).toBe("new"));
    });
  });

  it("recognises a command that a client sent twice as its own", async () => {
    const client = createClient({ url: server.url });
    await client.connect();
    const resendingClient: NodeRedis = {
      eval: async (script, options) => {
        await client.eval(script, options);
        return client.eval(script, options);
      },
    };
    const store = createRedisStore(resendingClient, { prefix: "twice:" });
    expect((await store.claim("a")).state).toBe("new");
    await client.close();
  });
});

describe.skipIf(skipsRedis)("a Redis that ends while an event is handled", () => {
  it.each([
    ["redis", connectNodeRedis()],
    ["ioredis", connectIoRedis()],
  ])("does not keep a receiver with a client of %s from responding", async (_name, connect) => {
    const server = await startRedis();
    const { client, close } = await connect(server.url);
    const onError = vi.fn();
    const handler = createWebhookHandler({
      authorization: webhookToken,
      on: { p2pTransfer: () => server.stop() },
      otherwise: "reject",
      nonconforming: "reject",
      dedupe: createRedisStore(client, { claimMs: 1000 }),
      onError,
    });
    const deliver = async (event: object) => (await handler(webhookCall(event))).status;
    const event = testEvent("p2pTransfer");
    // Redis stops while the first event is handled. Without Redis, the receiver acknowledges only the event that it has handled itself.
    const startedAt = performance.now();
    expect([await deliver(event), await deliver(event)]).toEqual([200, 200]);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(await deliver({ ...event, id: randomUUID() })).toBe(503);
    expect(onError).toHaveBeenCalled();
    close();
  });
});

describe.skipIf(skipsRedis)("the store in a Redis cluster", () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1");
    const client = new Redis(server.url);
    await client.cluster("ADDSLOTSRANGE", 0, 16383);
    await vi.waitFor(async () => expect(await client.cluster("INFO")).toContain("cluster_state:ok"), 20_000);
    await client.quit();
  });

  afterAll(() => server?.stop());

  it.each([
    [
      "redis",
      async () => {
        const client = createCluster({ rootNodes: [{ url: server.url }] });
        await client.connect();
        return { client, close: () => client.close() } satisfies ConnectedClient;
      },
    ],
    [
      "ioredis",
      async () => {
        const client = new Redis.Cluster([{ host: "127.0.0.1", port: server.port }]);
        return { client, close: () => client.quit() } satisfies ConnectedClient;
      },
    ],
  ])("works with a client of %s", async (name, connect) => {
    const { client, close } = await connect();
    const store = createRedisStore(client, { prefix: `${name}:` });
    for (const key of ["a", "b", "c"]) {
      const claim = await store.claim(key);
      if (claim.state !== "new") throw new Error("The key was claimed before.");
      expect(await store.extend(key, claim.token)).toBe(true);
      expect(await store.claim(key)).toEqual({ state: "busy" });
      await store.complete(key, claim.token);
      expect(await store.release(key, claim.token)).toBe(false);
      expect(await store.claim(key)).toEqual({ state: "done" });
    }
    await close();
  });
});
