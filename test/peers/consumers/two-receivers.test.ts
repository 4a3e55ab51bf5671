import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { testEvent, webhookPaths } from "partner-wallet-api/webhooks";
import { createClient } from "redis";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "../bundle-program.ts";
import { type RedisServer, skipsRedis, startRedis } from "../packed/redis-server.ts";

interface Receiver {
  readonly port: number;
  kill(): Promise<void>;
}

const processesToKill: { kill(): Promise<void> }[] = [];
afterEach(() => Promise.all(processesToKill.splice(0).map((process) => process.kill())));

interface Line {
  readonly port?: number;
  readonly startedId?: string;
  readonly handledId?: string;
  readonly hasFailed?: true;
}

let program: string;
beforeAll(async () => {
  program = await bundleProgram(join(import.meta.dirname, "receiver-process.ts"));
});

async function startReceiver(url: string, workMs: number, lines: Line[]): Promise<Receiver> {
  const child: ChildProcess = fork(program, [url, String(workMs)]);
  child.on("message", (line: Line) => lines.push(line));
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  processesToKill.push({ kill });
  const [{ port = 0 }] = (await once(child, "message")) as [Line];
  return { port, kill };
}

async function deliver({ port }: Receiver, id: string): Promise<number> {
  const init = {
    method: "POST",
    headers: { authorization: "token" },
    body: JSON.stringify(testEvent("p2pTransfer", { id })),
  };
  const response = await fetch(`http://127.0.0.1:${port}${webhookPaths.p2pTransfer}`, init).catch(() => undefined);
  return response?.status ?? 0;
}

async function deliverUntilAccepted(receivers: readonly Receiver[], id: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if ((await deliver(receivers[attempt % receivers.length] as Receiver, id)) === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`The event ${id} was never taken.`);
}

const newIds = (count: number) => Array.from({ length: count }, () => randomUUID());

function countHandled(ids: readonly string[], lines: readonly Line[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const id of ids) {
    const times = lines.filter(({ handledId }) => handledId === id).length;
    const name = ["never", "once", "twice"][times] ?? "more often";
    tally[name] = (tally[name] ?? 0) + 1;
  }
  return tally;
}

describe.skipIf(skipsRedis)("two receivers with one Redis", () => {
  async function start(workMs: number) {
    const redis: RedisServer = await startRedis();
    processesToKill.push({ kill: () => redis.stop() });
    const lines: Line[] = [];
    const receivers = await Promise.all([1, 2].map(() => startReceiver(redis.url, workMs, lines)));
    return { redis, lines, receivers: receivers as [Receiver, Receiver] };
  }

  it("handle each of 100 events once, although each is delivered to both, twice", async () => {
    const { lines, receivers } = await start(20);
    const ids = newIds(100);
    await Promise.all(ids.flatMap((id) => [...receivers, ...receivers].map((receiver) => deliver(receiver, id))));
    await Promise.all(ids.map((id) => deliverUntilAccepted(receivers, id)));
    expect(countHandled(ids, lines)).toEqual({ once: 100 });
  });

  it("lose none of 40 events when one receiver is killed, and complete none twice", async () => {
    const { lines, receivers } = await start(1_500);
    const [first, second] = receivers;
    const ids = newIds(40);
    const deliveries = ids.map((id, index) => deliver(receivers[index % 2] as Receiver, id));
    await expect.poll(() => lines.filter(({ startedId }) => startedId).length).toBe(40);
    await first.kill();
    const statuses = await Promise.all(deliveries);
    const acceptedCount = statuses.filter((status) => status === 200).length;
    await Promise.all(ids.map((id) => deliverUntilAccepted([second], id)));
    expect([acceptedCount, countHandled(ids, lines)]).toEqual([20, { once: 40 }]);
    // The handler started twice for the 20 events of the killed process.
    expect(lines.filter(({ startedId }) => startedId)).toHaveLength(60);
  });

  it("acknowledge 40 handled events when Redis is killed, and mark them when it returns empty", async () => {
    const { redis, lines, receivers } = await start(1_500);
    const ids = newIds(40);
    const deliveries = ids.map((id, index) => deliver(receivers[index % 2] as Receiver, id));
    await expect.poll(() => lines.filter(({ startedId }) => startedId).length).toBe(40);
    const killedAt = performance.now();
    await redis.stop();
    expect(new Set(await Promise.all(deliveries))).toEqual(new Set([200]));
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    const restartedRedis = await startRedis("--port", String(redis.port));
    processesToKill.push({ kill: () => restartedRedis.stop() });
    // The processes mark the handled events in the new Redis, so that neither process handles a later delivery again.
    const redisClient = createClient({ url: redis.url });
    await redisClient.connect();
    await expect.poll(() => redisClient.dbSize(), { timeout: 20_000 }).toBe(40);
    redisClient.destroy();
    await Promise.all(ids.map((id, index) => deliverUntilAccepted([receivers[(index + 1) % 2] as Receiver], id)));
    expect(countHandled(ids, lines)).toEqual({ once: 40 });
    expect(lines.filter(({ hasFailed }) => hasFailed)).toEqual([]);
  });
});
