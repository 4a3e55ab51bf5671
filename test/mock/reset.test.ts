import { createPartnerClient } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { controlOf } from "./control/document.ts";

const startTime = "2026-03-10T09:00:00.000Z";

async function startWaitingAdvance() {
  let respond = () => {};
  let isHanging = false;
  const handler = async () => {
    if (isHanging) await new Promise<void>((resolve) => (respond = resolve));
    return new Response("{}");
  };
  const mock = createMock(plan, { clock: startTime, webhooks: { handler } });
  const client = createPartnerClient(mock.clientOptions);
  mock.users.create("u", { verified: true });
  mock.partner.fund({ eur: "100" });
  await mock.settle();
  const savedState = mock.state();
  isHanging = true;
  await client.createTransfer({ body: { destinationExternalUserId: "u", amount: "1", currency: "eur" } });
  const advance = mock.clock.advance("30 days");
  await expect
    .poll(() => mock.deliveries.some(({ attempts, state }) => state === "pending" && attempts.length === 0))
    .toBe(true);
  const endAdvance = async () => {
    isHanging = false;
    respond();
    await advance;
  };
  return { mock, client, savedState, endAdvance };
}

describe.each(["reset", "restore"] as const)("%s during an advance that waits for a receiver", (action) => {
  it("does not change the time, the jobs and the events of the new world", async () => {
    const { mock, client, savedState, endAdvance } = await startWaitingAdvance();
    if (action === "reset") mock.reset();
    else mock.restore(savedState);
    mock.users.create("v", { verified: true });
    mock.partner.fund({ eur: "5" });
    const { data } = await client.createTransfer({
      body: { destinationExternalUserId: "v", amount: "5", currency: "eur" },
    });
    const stateBefore = mock.state();
    await endAdvance();
    expect(mock.clock.now.toISOString()).toBe(startTime);
    expect(mock.state()).toEqual(stateBefore);
    const { data: details } = await client.getTransferDetails({ path: { transferId: data?.transferId ?? "" } });
    expect(details?.status).toBe("IN_PROGRESS");
    expect(mock.deliveries.every(({ at }) => at <= Date.parse(startTime))).toBe(true);
    mock.close();
  });
});

it("the next use of a removed world's key starts a new world without data of the old one", async () => {
  const { mock, endAdvance } = await startWaitingAdvance();
  expect((await controlOf(mock)("DELETE", "/world")).status).toBe(204);
  expect(mock.state()).toMatchObject({ entities: [], clock: { frozenAt: Date.parse(startTime) } });
  await endAdvance();
  expect(mock.clock.now.toISOString()).toBe(startTime);
  mock.users.create("v");
  mock.end();
  expect([mock.users.list, mock.requests]).toEqual([[], []]);
  mock.close();
});

describe("a receiver that does not respond", () => {
  it("is named by the clock during the wait, and given up after webhookTimeout", async () => {
    const handler = () => new Promise<Response>(() => {});
    const mock = createMock(plan, { clock: startTime, webhooks: { handler }, webhookTimeout: "50 ms" });
    const readClock = async () => (await controlOf(mock)("GET", "/clock")).body;
    expect(await readClock()).not.toHaveProperty("waitsFor");
    mock.users.create("u", { verified: true });
    await expect.poll(readClock).toMatchObject({ waitsFor: [{ number: 0 }] });
    await mock.settle();
    expect(mock.deliveries[0]?.attempts[0]).toMatchObject({ problem: "no response within 0.05 s" });
    mock.close();
  });
});
