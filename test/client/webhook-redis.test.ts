/** The store in a real Redis, shared by two receivers. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedisStore, createWebhookHandler, testEvent, webhookPaths } from "partner-wallet-api/webhooks";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const program = [process.env.REDIS_SERVER, "/usr/bin/redis-server", "/opt/homebrew/bin/redis-server"].find(
  (file) => file !== undefined && existsSync(file),
);
if (program === undefined && !process.env.CI) {
  console.warn("The test of the Redis store is skipped: there is no Redis. Name its server with REDIS_SERVER.");
}

describe.skipIf(program === undefined && !process.env.CI)("the store in Redis", () => {
  let folder: string;
  let server: ChildProcess;
  let client: ReturnType<typeof createClient>;

  beforeAll(async () => {
    if (program === undefined) throw new Error("There is no Redis. Install it, or name its server with REDIS_SERVER.");
    folder = mkdtempSync(join(tmpdir(), "redis-"));
    const port = await findFreePort();
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"];
    server = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise<void>((resolve) => {
      server.stdout?.on("data", (text: Buffer) => text.includes("Ready to accept connections") && resolve());
    });
    client = createClient({ url: `redis://127.0.0.1:${port}` });
    await client.connect();
  });

  afterAll(async () => {
    await client?.close();
    if (server !== undefined) {
      server.kill();
      await once(server, "exit");
    }
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const call = () =>
    new Request(`https://partner.example${webhookPaths.p2pTransfer}`, {
      method: "POST",
      headers: { authorization: "token" },
      body: JSON.stringify(testEvent("p2pTransfer")),
    });

  /** A receiver as it would run in one of several processes. */
  const receiver = (prefix: string, handle: () => void) =>
    createWebhookHandler({
      authorization: "token",
      on: { p2pTransfer: handle },
      otherwise: "reject",
      nonconforming: "reject",
      dedupe: createRedisStore(client, { prefix }),
    });

  it("lets one of two receivers handle an event", async () => {
    let handled = 0;
    const receivers = [1, 2].map(() =>
      receiver("once:", () => {
        handled += 1;
      }),
    );
    const statuses = [];
    for (const handler of [...receivers, ...receivers]) statuses.push((await handler(call())).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(handled).toBe(1);
  });

  it("lets only one of many deliveries at the same time through", async () => {
    let handled = 0;
    const handler = receiver("many:", () => {
      handled += 1;
    });
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => handler(call())))).map(({ status }) => status);
    expect(handled).toBe(1);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });

  it("lets the next delivery try again after a failure", async () => {
    let calls = 0;
    const handler = receiver("again:", () => {
      calls += 1;
      if (calls === 1) throw new Error("down");
    });
    expect((await handler(call())).status).toBe(500);
    expect((await handler(call())).status).toBe(200);
    expect(calls).toBe(2);
  });

  it("lets claims lapse, and forgets in time", async () => {
    const prefix = "time:";
    const long = createRedisStore(client, { prefix });
    expect([await long.claim("a"), await long.claim("a")]).toEqual(["new", "busy"]);
    await long.complete("a");
    expect(await long.claim("a")).toBe("done");
    // Whatever the machine is busy with, what lapses after a millisecond has lapsed some time later.
    const short = createRedisStore(client, { prefix, claimMs: 1, keepMs: 1 });
    await short.claim("b");
    await vi.waitFor(async () => expect(await short.claim("b")).toBe("new"));
    await short.complete("c");
    await vi.waitFor(async () => expect(await short.claim("c")).toBe("new"));
  });
});

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
