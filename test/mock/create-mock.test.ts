import { createPartnerClient } from "partner-wallet-api";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type CreateMockOptions, createMock, type InProcessMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, send, withValues } from "./codes/calls.ts";

const startTime = "2026-04-01T07:00:00.000Z";

function make(options: CreateMockOptions = {}): InProcessMock {
  return createMock(plan, { clock: startTime, edition: "test", ...options });
}

function clientOf(mock: InProcessMock, apiKey = mock.apiKey) {
  return createPartnerClient({ ...mock.clientOptions, edition: "test", apiKey });
}

const person = exampleCall(operationNamed(plan, "createUserAccount"), "", { externalUserId: "user-1" }).body as never;

describe("the mock in the process", () => {
  it("answers the client: a user is created, and a second creation refused", async () => {
    const mock = make();
    const client = clientOf(mock);
    const firstResult = await client.createUserAccount({ body: person });
    expect(firstResult.status).toBe(201);
    const secondResult = await client.createUserAccount({ body: person });
    expect(secondResult).toMatchObject({ status: 400, error: { errorCode: "P411" } });
    expect(mock.requests).toMatchObject([
      { number: 0, operation: "createUserAccount", status: 201, code: undefined, at: startTime },
      { number: 1, operation: "createUserAccount", status: 400, code: "P411" },
    ]);
  });

  it("ends a call when its signal aborts, also during a delay by a fault", async () => {
    const mock = make();
    mock.faults.add({ delay: "10 minutes" });
    const client = clientOf(mock);
    const abortedResult = await client.getPartnerBalances({ signal: AbortSignal.timeout(20) });
    expect(abortedResult.status).toBeUndefined();
    const signal = AbortSignal.abort(new Error("not wanted"));
    await expect(mock.fetch(mock.baseUrl, { signal })).rejects.toThrow("not wanted");
    await expect(mock.fetch("https://elsewhere.example/")).rejects.toThrow("the mock answers");
    expect((await mock.fetch(`${mock.baseUrl}/__mock/health`, { method: "HEAD" })).body).toBeNull();
  });

  it("ends a delay by a fault when fake timers advance", async () => {
    vi.useFakeTimers();
    try {
      const mock = make();
      mock.faults.add({ delay: "2 seconds" });
      let status: number | undefined;
      void clientOf(mock)
        .getPartnerBalances()
        .then((result) => {
          status = result.status;
        });
      await vi.advanceTimersByTimeAsync(1900);
      expect(status).toBeUndefined();
      await vi.advanceTimersByTimeAsync(200);
      await vi.waitFor(() => expect(status).toBe(200));
    } finally {
      vi.useRealTimers();
    }
  });

  it("creates users with the given attributes", async () => {
    const mock = make();
    const user = mock.users.create("user-1", { verified: true, funds: { eur: "100.00", usdc: "0.000001" } });
    expect(user).toEqual({
      externalUserId: "user-1",
      verification: "verified",
      access: "active",
      funds: { eur: "100.00", usdc: "0.000001" },
    });
    expect(mock.users.extend("user-1").verification).toBe("extended");
    const { data } = await clientOf(mock).getUserBalances({ path: { externalUserId: "user-1" } });
    expect(data?.fiatBalances?.[0]).toMatchObject({ name: "eur", amount: "100.00" });
    expect(() => mock.users.fund("user-1", { doubloons: "1" })).toThrow("Possible are eur, usdc");
    expect(() => mock.users.fund("user-1", { eur: "0.001" })).toThrow("at most 2 decimal places");
    expect(() => mock.users.create("user-2", { attributes: { email: "no" } })).toThrow(
      "The user: email must be an e-mail address",
    );
    const { country } = plan.assumptions.countries.forbidden.map((code) => ({ country: code }))[0] ?? {};
    expect(() => mock.users.create("user-2", { attributes: { country } })).toThrow("P431 Forbidden country: ");
    expect(mock.users.create("user-2").funds).toEqual({});
  });

  it("keeps the digits of amounts", async () => {
    const mock = make();
    mock.users.create("user-1", { verified: true, funds: { btc: "1" } });
    mock.users.create("user-2", { verified: true });
    const attributes = {
      sourceExternalUserId: "user-1",
      destinationExternalUserId: "user-2",
      amount: 1e-7,
      currency: "btc",
    };
    const call = exampleCall(operationNamed(plan, "createTransfer"), mock.apiKey);
    expect((await send(mock, withValues(call, attributes))).status).toBe(201);
    await mock.clock.advance("1 hour");
    expect(mock.users.fund("user-2", {}).funds).toEqual({ btc: "0.00000010" });
  });

  it("has a world for each key", async () => {
    const mock = make({ keys: ["other"] });
    const otherTenant = mock.tenant("other");
    mock.users.create("user-1");
    expect((await clientOf(mock, "other").createUserAccount({ body: person })).status).toBe(201);
    expect(otherTenant.users.verify("user-1").verification).toBe("verified");
    expect(mock.users.fund("user-1", {}).verification).toBe("unverified");
    expect((await clientOf(mock, "of-a-stranger").createUserAccount({ body: person })).status).toBe(401);
    expect(() => mock.tenant("of-a-stranger")).toThrow("does not accept");
  });

  it("has the same responses and state for the same seed and calls, also after a reset", async () => {
    const play = async (mock: InProcessMock) => {
      const client = clientOf(mock);
      const { data } = await client.createUserAccount({ body: person });
      mock.users.create("user-1", { verified: true, funds: { eur: "5.00" } });
      await mock.clock.advance("2 days");
      return JSON.stringify([data, mock.state()]);
    };
    const mock = make();
    const firstText = await play(mock);
    mock.reset();
    expect(mock.requests).toEqual([]);
    expect(await play(mock)).toBe(firstText);
    expect(await play(make())).toBe(firstText);
    expect(await play(make({ seed: "another" }))).not.toBe(firstText);
  });
});

describe("time", () => {
  it("passes, and jobs run when they are due", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const mock = createMock(plan);
    mock.users.create("user-1", { verified: true });
    mock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "user-1", amount: "10.00" });
    const milliseconds = plan.assumptions.delays.sepaDeposit * 1000;
    const jobNames = () => mock.state().jobs.map((job) => (job as { name: string }).name);
    await vi.advanceTimersByTimeAsync(milliseconds - 10);
    expect(jobNames()).toContain("endSepaDeposit");
    await vi.advanceTimersByTimeAsync(20);
    expect(jobNames()).not.toContain("endSepaDeposit");
    mock.close();
  });

  it("brings each event to its receiver by itself, also after the clock was frozen", async () => {
    const mock = createMock(plan, { clock: "2026-04-01T07:00:00Z", assume: { delays: { sepaDeposit: 0 } } });
    mock.users.create("user-1", { verified: true });
    const handler = vi.fn(async () => new Response("{}"));
    await mock.settle();
    mock.sendWebhooksTo({ handler });
    await mock.clock.run();
    for (const deposits of [1, 2, 3]) {
      mock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "user-1", amount: "10.00" });
      await expect.poll(() => handler.mock.calls.length, { interval: 5 }).toBeGreaterThanOrEqual(deposits);
    }
    mock.close();
  });

  it("stops when the mock is closed, also during an advance", async () => {
    const mock = createMock(plan, { assume: { delays: { sepaDeposit: 0.03 } } });
    mock.users.create("user-1", { verified: true });
    await mock.settle();
    const handler = vi.fn(async () => new Response());
    mock.sendWebhooksTo({ handler });
    mock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "user-1", amount: "10.00" });
    const advance = mock.clock.advance(1);
    mock.close();
    await advance;
    const callsBefore = handler.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(handler).toHaveBeenCalledTimes(callsBefore);
  });
});

describe("faults", () => {
  it("return the documented body, which names what was sent", async () => {
    const mock = make();
    const client = clientOf(mock);
    mock.faults.add({ operation: "getUserBalances", code: "P412" });
    mock.users.create("user-7", { verified: true });
    const refusedResult = await client.getUserBalances({ path: { externalUserId: "user-7" } });
    expect(refusedResult).toMatchObject({ status: 404, error: { errorCode: "P412" } });
    expect(refusedResult.error?.errorMessage).toBe("User not exist: externalUserId user-7");
    expect((await client.getUserBalances({ path: { externalUserId: "user-7" } })).status).toBe(200);
    expect(mock.requests[0]?.notes).toEqual(["Chosen by a fault with P412."]);
    mock.faults.add({ operation: "createUserAccount", code: "P411" });
    const { error } = await client.createUserAccount({ body: person });
    expect(error?.errorMessage).toBe(`${plan.codes.P411?.meaning}: externalUserId user-1`);
  });

  it("return any code of the catalogue where the contract allows other codes", async () => {
    const mock = make();
    const { openStatuses, responses } = operationNamed(plan, "getPartnerBalances");
    expect([openStatuses, responses.map(({ code }) => code)]).not.toContain("P433");
    mock.faults.add({ operation: "getPartnerBalances", code: "P433" });
    const { error } = await clientOf(mock).getPartnerBalances();
    expect(error).toMatchObject({ errorCode: "P433", errorMessage: plan.codes.P433?.meaning });
    mock.faults.add({ code: "P433" });
    expect((await clientOf(mock).getPartnerBalances()).status).toBe(200);
  });
});
