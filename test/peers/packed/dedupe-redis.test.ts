/** Defect 9: a delivery owns the event that it handles, in Redis. */
import { createRedisStore } from "partner-wallet-api/webhooks";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { controlled, post, receiver } from "../../packed/deliveries.ts";
import { type RedisServer, skipsRedis, startRedis } from "./redis-server.ts";

describe.skipIf(skipsRedis)("9: in Redis", () => {
  let server: RedisServer;
  let client: ReturnType<typeof createClient>;

  beforeAll(async () => {
    server = await startRedis();
    client = createClient({ url: server.url });
    await client.connect();
  });

  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it("9: a function slower than the claim is not run twice", async () => {
    const { runs, handle } = controlled();
    const make = () => receiver(handle, { dedupe: createRedisStore(client, { prefix: "slow:", claimMs: 1000 }) });
    const first = post(make());
    for (let redelivery = 0; redelivery < 5; redelivery += 1) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(await post(make())).toBe(503);
    }
    runs[0]?.succeed();
    expect([await first, await post(make()), runs.length]).toEqual([200, 200, 1]);
  });

  it("9: a failure after the claim was lost leaves the mark of another delivery", async () => {
    const { runs, handle } = controlled();
    const prefix = "lost:";
    const other = receiver(handle, { dedupe: createRedisStore(client, { prefix }) });
    const first = post(receiver(handle, { dedupe: createRedisStore(client, { prefix }) }));
    await vi.waitFor(() => expect(runs).toHaveLength(1), 10_000);
    // Instead of waiting until it expires.
    await client.del(prefix + runs[0]?.context.key);
    const second = post(other);
    await vi.waitFor(() => expect(runs).toHaveLength(2), 10_000);
    runs[0]?.fail();
    expect([await first, await post(other)]).toEqual([500, 503]);
    runs[1]?.succeed();
    expect([await second, await post(other), runs.length]).toEqual([200, 200, 2]);
  });

  it("9: a mark that fails after success is made in the end", async () => {
    const store = createRedisStore(client, { prefix: "mark:" });
    const complete = vi.fn(store.complete).mockRejectedValueOnce(new Error("connection reset"));
    const handle = vi.fn();
    const handler = receiver(handle, { dedupe: { ...store, complete } });
    expect([await post(handler), await post(handler)]).toEqual([200, 200]);
    expect(handle).toHaveBeenCalledOnce();
  });
});
