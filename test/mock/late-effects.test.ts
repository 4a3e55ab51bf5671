import { join } from "node:path";
import { createPartnerClient } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { createMock, startMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { mockForPayments, user } from "./endings.ts";

const folder = temporaryFolder();
const clock = "2026-04-01T07:00:00.000Z";
const body = { destinationExternalUserId: "user-1", currency: "eur", amount: "10.00" } as const;

function make() {
  const path = { externalUserId: user, month: "04", year: "2026" };
  const payments = mockForPayments("test");
  return { ...payments, history: async () => (await payments.client.getUserTransactionHistory({ path })).data };
}

describe("a delayed effect", () => {
  it.each([
    [{ lose: "response" }, undefined],
    [{ code: "P501" }, 400],
    [{ status: 502 }, 502],
    [{ status: 504, carriedOut: true }, 504],
    [{ code: "P500", cut: true }, 400],
  ] as const)("happens when the world's clock reaches it: %j", async (effect, status) => {
    const { mock, pay, funds, history } = make();
    mock.faults.add({ operation: "createTransfer", ...effect, effectAfter: "5 seconds" });
    expect((await pay()).status).toBe(status);
    expect(mock.requests.at(-1)?.notes.at(-1)).toMatch(/^Takes effect after 5 s; the response was (lost|replaced|cut)/);
    await mock.clock.advance(4_999);
    expect([funds(), await history()]).toEqual(["25.00", []]);
    await mock.clock.advance(1);
    expect([funds(), await history()]).toMatchObject(["15.00", [{ createdAt: "2026-04-01T07:00:05.000Z" }]]);
    await mock.clock.advance("1 minute");
    expect([funds(), await history()]).toMatchObject(["15.00", [{ amount: 10, status: "SUCCESSFUL" }]]);
    expect(mock.deliveries.map(({ webhook }) => webhook)).toContain("p2pTransfer");
  });

  it("does not happen when the money or the user is gone by then", async () => {
    const { mock, client, pay, funds, history } = make();
    mock.faults.add({ operation: "createTransfer", code: "P501", effectAfter: "5 seconds", times: 2 });
    await pay();
    await pay();
    expect([(await pay()).status, (await pay()).status, (await pay()).error?.errorCode]).toEqual([201, 201, "P433"]);
    await mock.clock.advance("1 minute");
    expect([funds(), (await history())?.length]).toEqual(["5.00", 2]);
    mock.partner.fund({ eur: "100.00" });
    mock.faults.add({ operation: "createTransfer", code: "P501", effectAfter: "5 seconds" });
    await pay();
    await client.deleteUser({ path: { externalUserId: user } });
    await mock.clock.advance("1 minute");
    expect(funds()).toBe("105.00");
  });

  it("does not happen for a request that breaks its schema", async () => {
    const { mock } = make();
    mock.faults.add({ operation: "createTransfer", status: 502, effectAfter: "5 seconds" });
    const headers = { "x-api-key": mock.apiKey, "content-type": "application/json" };
    await mock.fetch(`${mock.baseUrl}/v1/transfer`, { method: "POST", headers, body: '{"amount":true}' });
    expect(mock.requests.at(-1)?.notes.at(-1)).toBe(
      "Refused with P424, without an effect; the response was replaced by a fault.",
    );
    expect(mock.state().jobs.map(({ name }) => name)).not.toContain("takeEffect");
  });

  it("is part of the state; a malformed one has no effect", async () => {
    const { mock, pay } = make();
    mock.faults.add({ operation: "createTransfer", status: 502, effectAfter: "5 seconds" });
    await pay();
    const state = mock.state();
    const otherMock = createMock(plan, { clock, edition: "test", state });
    await otherMock.clock.advance("1 minute");
    expect(otherMock.partner.fund({}).eur).toBe("15.00");
    for (const [operationId, call] of [
      ...["", "null", '{"body":{}}', '{"body":{"amount":1,"currency":"eur"}}'].map((text) => ["createTransfer", text]),
      ["flyToTheMoon", "{}"],
    ] as [string, string][]) {
      const jobValues = { operationId, call, overrides: "{}" };
      otherMock.restore({ ...state, jobs: [{ ...(state.jobs[0] as (typeof state.jobs)[0]), about: jobValues }] });
      await otherMock.clock.advance("1 minute");
      expect([otherMock.partner.fund({}).eur, otherMock.state().jobs]).toEqual(["25.00", []]);
    }
  });

  it("happens after a restart too", async () => {
    const state = join(folder, "state");
    const firstMock = await startMock(plan, { clock, state });
    firstMock.users.create("user-1", { verified: true });
    firstMock.partner.fund({ eur: "25.00" });
    const delays = { effectAfter: "5 seconds", historyAfter: "1 hour" };
    firstMock.faults.add({ operation: "createTransfer", lose: "response", ...delays });
    const { url: baseUrl, depositUrl: depositBaseUrl, apiKey } = firstMock;
    const client = createPartnerClient({ baseUrl, depositBaseUrl, apiKey, retries: 0 });
    expect((await client.createTransfer({ body })).status).toBeUndefined();
    await firstMock.close();
    const secondMock = await startMock(plan, { clock, state });
    expect(secondMock.partner.fund({}).eur).toBe("25.00");
    await secondMock.clock.advance("1 minute");
    expect(secondMock.partner.fund({}).eur).toBe("15.00");
    const records = secondMock.state().entities.filter(({ resource }) => resource === "transaction");
    const visibleTimes = records.map(({ data }) => (data as { visibleAt?: number }).visibleAt);
    expect(visibleTimes).toContain(Date.parse(clock) + 3_605_000);
    await secondMock.close();
  });
});

describe("a history record", () => {
  it("appears later for one call with historyAfter", async () => {
    const { mock, pay, history, funds } = make();
    mock.faults.add({ operation: "createTransfer", historyAfter: "10 minutes" });
    expect((await pay()).status).toBe(201);
    await pay();
    await mock.clock.advance("1 minute");
    expect([funds(), (await history())?.length]).toEqual(["5.00", 1]);
    await mock.clock.advance("9 minutes");
    expect((await history())?.length).toBe(2);
  });

  it("appears later for all calls by an assumption, unless a fault gives the delay", async () => {
    const { mock, pay, history } = make();
    mock.assume({ history: { delaySeconds: 60 } });
    mock.faults.add({ operation: "createTransfer", historyAfter: 0 });
    await pay();
    await pay();
    expect((await history())?.length).toBe(1);
    await mock.clock.advance("1 minute");
    expect((await history())?.length).toBe(2);
  });

  it("has its identifiers always, sometimes or never, repeatably", async () => {
    const { mock, pay, history } = make();
    mock.partner.fund({ eur: "1000.00" });
    for (let call = 0; call < 40; call += 1) await pay();
    await mock.clock.advance("1 minute");
    const readIdentifierPresence = async () => (await history())?.map(({ btId }) => btId !== undefined) ?? [];
    expect(new Set(await readIdentifierPresence())).toEqual(new Set([true]));
    mock.assume({ history: { identifiers: "sometimes" } });
    const firstPresence = await readIdentifierPresence();
    expect([new Set(firstPresence), await readIdentifierPresence()]).toEqual([new Set([true, false]), firstPresence]);
    mock.assume({ history: { identifiers: "never" } });
    expect(new Set(await readIdentifierPresence())).toEqual(new Set([false]));
    expect(() => mock.assume({ history: { identifiers: "rarely" as never } })).toThrow(
      "must be always, sometimes or never",
    );
  });
});
