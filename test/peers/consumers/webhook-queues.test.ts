import { randomUUID } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { Queue } from "bullmq";
import { createWebhookHandler, type WebhookHandler } from "partner-wallet-api/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post as deliver, webhookToken } from "../../client/packed/deliveries.ts";
import { newEvent } from "../../client/packed/receivers.ts";
import { type RedisServer, skipsRedis, startRedis } from "../packed/redis-server.ts";
import { runProgram } from "./guide-program.ts";

/** A store that recognises no duplicates, so that every delivery reaches the handler. */
const forgetfulStore = {
  claimMs: 60_000,
  claim: async () => ({ state: "new" as const, token: randomUUID() }),
  extend: async () => true,
  complete: async () => undefined,
  release: async () => true,
};
const policies = {
  authorization: webhookToken,
  otherwise: "reject",
  nonconforming: "reject",
  dedupe: forgetfulStore,
} as const;

describe.skipIf(skipsRedis)("a BullMQ queue", () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await startRedis();
  });

  afterAll(() => server?.stop());

  it("has one job, under the event's key, for all deliveries of an event", async () => {
    const connection = { host: "127.0.0.1", port: server.port };
    const variables = { Queue, createWebhookHandler, connection, policies };
    const program = runProgram("webhook-frameworks", "bullmq", variables, "{ handler, queue }");
    const { handler, queue } = program as { handler: WebhookHandler; queue: Queue };
    const [event, other] = [newEvent(), newEvent()];
    const statuses = [];
    for (const body of [event, other, event, event]) statuses.push(await deliver(handler, body));
    expect(statuses).toEqual([200, 200, 200, 200]);
    const jobs = await queue.getJobs();
    expect(jobs.map(({ name, data }) => [name, data.id]).sort()).toEqual(
      [event, other].map(({ id }) => ["p2pTransfer", id]).sort(),
    );
    for (const { id } of jobs) expect(id).toMatch(/^p2pTransfer-[0-9a-f]{64}$/);
    await queue.close();
  });
});

describe("a unique index", () => {
  it("makes an effect happen once, despite simultaneous deliveries and failures", async () => {
    const database = await PGlite.create();
    await database.exec(
      "create table handled_events (key text primary key); create table bookings (transfer text, amount numeric check (amount < 1000))",
    );
    const variables = { createWebhookHandler, database, policies };
    const handler = runProgram("webhook-frameworks", "handled_events", variables, "handler") as WebhookHandler;
    const events = Array.from({ length: 5 }, newEvent);
    const statuses = await Promise.all([...events, ...events, ...events].map((event) => deliver(handler, event)));
    expect([...new Set(statuses)]).toEqual([200]);
    const readBookedTransfers = async () =>
      (await database.query<{ transfer: string }>("select transfer from bookings")).rows;
    expect((await readBookedTransfers()).map(({ transfer }) => transfer).sort()).toEqual(
      events.map(({ id }) => id).sort(),
    );
    // The effect fails after the key was written. The transaction rolls back the key too, so the next delivery is handled.
    const failingEvent = newEvent();
    await database.exec("alter table bookings add constraint closed check (false) not valid");
    expect(await deliver(handler, failingEvent)).toBe(500);
    await database.exec("alter table bookings drop constraint closed");
    expect([await deliver(handler, failingEvent), await deliver(handler, failingEvent)]).toEqual([200, 200]);
    expect((await readBookedTransfers()).filter(({ transfer }) => transfer === failingEvent.id)).toHaveLength(1);
    await database.close();
  });
});
