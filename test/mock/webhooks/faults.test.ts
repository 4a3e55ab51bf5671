import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { call, creations, mockWithReceiver } from "../endings.ts";

const folder = temporaryFolder();

const statusesOf = (bodies: readonly string[]) =>
  bodies.flatMap((text) => (/^\/sepa-transfer\S* .*"status":"(\w+)"/.exec(text) ?? []).slice(1));

describe("webhook faults", () => {
  it("deliver events in reverse order, each after the next one of its webhook", async () => {
    const { mock, bodies } = await mockWithReceiver();
    mock.faults.add({ webhook: "sepaTransfer", deliver: "reversed" });
    await creations.sepaTransfer?.(mock);
    await call(mock, "createTransfer", { amount: "1.00", currency: "eur" });
    await mock.clock.advance("1 minute");
    await creations.sepaTransfer?.(mock);
    await mock.clock.advance("1 minute");
    expect(statusesOf(bodies)).toEqual(["SUCCESSFUL", "IN_PROGRESS", "IN_PROGRESS", "SUCCESSFUL"]);
    expect(mock.deliveries.map(({ state }) => state)).not.toContain("pending");
  });

  it("hold back the given number of events, and deliver the newest first", async () => {
    const { mock, bodies } = await mockWithReceiver();
    mock.faults.add({ webhook: "sepaTransfer", deliver: "reversed", times: 3, delay: "1 hour" });
    await creations.sepaTransfer?.(mock);
    await mock.clock.advance("1 minute");
    mock.faults.add({ operation: "createPartnerSepaTransfer", ends: "FAILED" });
    await creations.sepaTransfer?.(mock);
    await mock.clock.advance("1 minute");
    expect(statusesOf(bodies)).toEqual(["FAILED", "IN_PROGRESS", "SUCCESSFUL", "IN_PROGRESS"]);
  });

  it("deliver a held-back event when no other follows", async () => {
    const { mock, bodies } = await mockWithReceiver();
    mock.faults.add({ webhook: "p2pTransfer", deliver: "reversed" });
    await creations.transfer?.(mock);
    await mock.clock.advance("1 minute");
    expect(bodies).toEqual([]);
    await mock.clock.advance("1 minute");
    expect(bodies).toHaveLength(1);
  });

  it("select events by user, body and number", async () => {
    const { mock, bodies } = await mockWithReceiver();
    mock.faults.add({ webhook: "sepaTransfer", body: { status: "SUCCESSFUL" }, deliver: "never", skip: 1 });
    mock.faults.add({ webhook: "p2pTransfer", user: "user-2", deliver: "never" });
    for (const _ of [1, 2, 3]) {
      await creations.sepaTransfer?.(mock);
      await creations.transfer?.(mock);
      await mock.clock.advance("1 minute");
    }
    expect(statusesOf(bodies)).toEqual(["IN_PROGRESS", "SUCCESSFUL", "IN_PROGRESS", "IN_PROGRESS", "SUCCESSFUL"]);
    expect(bodies.filter((text) => text.startsWith("/transfer-webhook "))).toHaveLength(2);
  });

  it("with a rate select the same events for the same seed", async () => {
    const deliverWithLoss = async () => {
      const { mock } = await mockWithReceiver();
      mock.faults.add({ deliver: "never", rate: 0.5 });
      for (let count = 0; count < 10; count += 1) await creations.sepaTransfer?.(mock);
      await mock.clock.advance("1 minute");
      return mock.deliveries.map(({ state }) => state).filter((state) => state !== "undelivered");
    };
    const firstStates = await deliverWithLoss();
    expect(new Set(firstStates)).toEqual(new Set(["lost", "delivered"]));
    expect(await deliverWithLoss()).toEqual(firstStates);
  });

  it("deliver an event twice, in addition to retries after a failure", async () => {
    const { mock, bodies } = await mockWithReceiver((count) => (count === 1 ? 500 : 200));
    mock.faults.add({ webhook: "p2pTransfer", deliver: "twice" });
    await creations.transfer?.(mock);
    await mock.clock.advance("1 minute");
    expect(bodies).toHaveLength(3);
    expect(mock.deliveries.at(-1)?.attempts.map(({ status }) => status)).toEqual([500, 200, 200]);
  });

  it("leave lost events to redelivery, and later events unaffected", async () => {
    const { mock, bodies } = await mockWithReceiver();
    mock.faults.add({ deliver: "never" });
    await creations.transfer?.(mock);
    await mock.clock.advance("1 minute");
    expect([bodies.length, mock.faults.list]).toEqual([0, []]);
    expect(await mock.redeliver(mock.deliveries.at(-1)?.number ?? 0)).toMatchObject({ state: "delivered" });
    expect(bodies).toHaveLength(1);
  });

  it("keep events lost, late and doubled after a restart", async () => {
    const options = { clock: "2026-04-01T07:00:00.000Z", state: join(folder, "state") };
    const bodies: string[] = [];
    const handler = async (request: Request) => {
      bodies.push(await request.text());
      return Response.json({});
    };
    const firstMock = await startMock(plan, { ...options, webhooks: { handler } });
    firstMock.faults.add({ deliver: "never" });
    firstMock.faults.add({ deliver: "late", delay: "1 hour" });
    for (const amount of ["1.00", "2.00"])
      firstMock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: null, amount });
    firstMock.users.create("user-1", { verified: true });
    await firstMock.settle();
    const statesBefore = firstMock.deliveries.map(({ state }) => state);
    await firstMock.close();
    const secondMock = await startMock(plan, { ...options, webhooks: { handler } });
    expect(secondMock.deliveries.map(({ state }) => state)).toEqual(statesBefore);
    expect(statesBefore.slice(0, 2)).toEqual(["lost", "pending"]);
    const lateBody = secondMock.deliveries[1]?.body;
    await secondMock.clock.advance("59 minutes");
    expect(bodies).not.toContain(lateBody);
    await secondMock.clock.advance("1 minute");
    expect(bodies).toContain(lateBody);
    await secondMock.close();
  });
});
