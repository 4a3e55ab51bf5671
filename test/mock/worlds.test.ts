/** The world of an API key begins with the first change. A new world never ends another world. */
import { afterEach, describe, expect, it } from "vitest";
import { type CreateMockOptions, createMock, type InProcessMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

const mocks: InProcessMock[] = [];
afterEach(() => {
  for (const mock of mocks.splice(0)) mock.close();
});

function make(options: CreateMockOptions = {}): InProcessMock {
  const mock = createMock(plan, { edition: "test", clock: "2026-04-01T00:00:00Z", ...options });
  mocks.push(mock);
  return mock;
}

async function call(mock: InProcessMock, key: string, method: string, path: string, body?: object) {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const response = await mock.fetch(`${mock.baseUrl}${path}`, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  return { status: response.status, text: await response.text() };
}

const countWorlds = async (mock: InProcessMock) =>
  JSON.parse((await call(mock, "", "GET", "/__mock/health")).text).worlds;
const fund = (mock: InProcessMock, key: string) =>
  call(mock, key, "POST", "/__mock/partner", { funds: { eur: "1.00" } });
const readFunds = async (mock: InProcessMock, key: string) =>
  JSON.parse((await call(mock, key, "GET", "/__mock/partner")).text).funds;
const toText = JSON.stringify;

describe("a world", () => {
  it("does not begin with a read, a refusal, an unknown path, or a response that Prefer chooses", async () => {
    const mock = make({ scenario: true });
    const changingOperations: string[] = [];
    for (const operation of plan.operations) {
      if (operation.method !== "GET") continue;
      const worldsBefore = await countWorlds(mock);
      await send(mock, exampleCall(operation, operation.operationId));
      if ((await countWorlds(mock)) !== worldsBefore) changingOperations.push(operation.operationId);
    }
    // These GET operations create a lock, which is a change.
    expect(
      changingOperations.every((operationId) => /Lock$|Rate/.test(operationId)),
      changingOperations.join(),
    ).toBe(true);
    const count = await countWorlds(mock);
    expect((await call(mock, "nope", "POST", "/v1/nope", {})).status).toBe(404);
    expect((await call(mock, "bad", "POST", "/v1/transfer", {})).status).toBe(400);
    const transfer = exampleCall(operationNamed(plan, "createTransfer"), "refused", { amount: "999999.00" });
    expect((await send(mock, transfer)).status).toBe(400);
    expect((await send(mock, { ...transfer, key: "prefers" }, { prefer: "code=201" })).status).toBe(201);
    expect(
      (await call(mock, "checks", "POST", "/__mock/verify", { operation: "createTransfer", times: 0 })).status,
    ).toBe(200);
    expect((await call(mock, "settles", "POST", "/__mock/settle")).status).toBe(204);
    expect((await call(mock, "wrong", "POST", "/__mock/faults", { operation: "createTransfer" })).status).toBe(400);
    expect((await call(mock, "late", "POST", "/__mock/clock", { advance: "soon" })).status).toBe(400);
    expect(await countWorlds(mock)).toBe(count);
  });

  it.each([
    ["a call", "POST", "/v1/transfer", { destinationExternalUserId: "user-1042", amount: "1.00", currency: "eur" }],
    ["money", "POST", "/__mock/partner", { funds: { eur: "1.00" } }],
    ["a fault", "POST", "/__mock/faults", { operation: "createTransfer", code: "P501" }],
    ["another time", "POST", "/__mock/clock", { advance: "1 day" }],
    ["another assumption", "PATCH", "/__mock/assumptions", { delays: { transfer: 5 } }],
    ["a receiver of events", "PUT", "/__mock/webhooks", { url: "http://127.0.0.1:9" }],
  ])("begins with %s, if there is room", async (_, method, path, requestBody) => {
    const mock = make({ scenario: true, worlds: 1 });
    await fund(mock, "first");
    const stateBefore = (await call(mock, "second", "GET", "/__mock/state")).text;
    const { status, text } = await call(mock, "second", method, path, requestBody);
    expect(status, text).toBe(503);
    expect(text).toMatch(/no room for another world: 1 have data.* DELETE \/__mock\/world .* --worlds/);
    expect((await call(mock, "second", "GET", "/__mock/state")).text).toBe(stateBefore);
    expect((await call(mock, "first", "DELETE", "/__mock/world")).status).toBe(204);
    expect((await call(mock, "second", method, path, requestBody)).status).toBeLessThan(300);
    expect(await countWorlds(mock)).toBe(1);
  });

  it("makes room with a reset", async () => {
    const mock = make({ worlds: 1 });
    await fund(mock, "first");
    expect((await fund(mock, "second")).status).toBe(503);
    await call(mock, "first", "POST", "/__mock/reset");
    expect((await fund(mock, "second")).status).toBe(200);
  });

  it("does not end for any number of other keys", async () => {
    const mock = make({ worlds: 3 });
    await fund(mock, "own");
    for (let number = 0; number < 120; number += 1) await call(mock, `other-${number}`, "GET", "/v1/partner/balances");
    await fund(mock, "other-1");
    await fund(mock, "other-2");
    expect((await fund(mock, "other-3")).status).toBe(503);
    expect(await readFunds(mock, "own")).toEqual({ eur: "1.00" });
  });
});

describe("verify", () => {
  const verify = (mock: InProcessMock, key: string, times?: number) =>
    call(mock, key, "POST", "/__mock/verify", {
      operation: "getPartnerBalances",
      ...(times === undefined ? {} : { times }),
    });

  it("says that the count is unknown if the log of a key without data was dropped", async () => {
    const mock = make();
    const read = (key: string) => call(mock, key, "GET", "/v1/partner/balances");
    await read("reader");
    await read("owner");
    await fund(mock, "owner");
    // Each key without data has a log. Of more than 1,000 such logs, the mock drops those that were used least recently.
    for (let number = 0; number < 1001; number += 1) mock.tenant(`other-${number}`);
    expect(await verify(mock, "owner", 1)).toEqual({ status: 200, text: toText({ count: 1 }) });
    for (const times of [0, 1]) {
      const { status, text } = await verify(mock, "reader", times);
      expect([status, text]).toEqual([409, expect.stringContaining("Not known: the mock has dropped")]);
    }
    expect((await verify(mock, "never used", 0)).status).toBe(200);
    await call(mock, "reader", "POST", "/__mock/reset");
    expect((await verify(mock, "reader", 0)).status).toBe(200);
  });
});
