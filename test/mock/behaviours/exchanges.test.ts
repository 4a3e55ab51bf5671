/** Exchanges of users and of the partner at locked rates. */
import { describe, expect, it } from "vitest";
import { type Body, tenantForEach } from "./tenant.ts";

const user = "user-1";
const pair = { currencyFrom: "eur", currencyTo: "usdc" };
const tenant = tenantForEach((fresh) => {
  fresh.addUser(user);
  fresh.fund(user, "1000.00");
});

/** The same operations for users and for the partner. */
const levels = [
  [
    "a user",
    { owner: user, named: { externalUserId: user }, operation: (name: string) => `${name.replace("Partner", "")}` },
  ],
  ["the partner", { owner: null, named: {}, operation: (name: string) => name }],
] as const;

const lock = (changes: object = {}) =>
  tenant.call("createExchangeRateLock", { query: { externalUserId: user, ...pair, amount: "200.00", ...changes } });
const exchange = (lockId: string, changes: object = {}) =>
  tenant.call("createExchange", { body: { externalUserId: user, amount: "200.00", ...pair, lockId, ...changes } });
const details = (exchangeId: string) => tenant.call("getExchangeDetails", { path: { exchangeId } });
const newLock = (): string => lock().body.lockId;
const amountOf = (owner: string | null, currency: string): string =>
  tenant.balances(owner).cryptoBalances.find(({ name }: Body) => name === currency).amount;

describe("a rate", () => {
  it.each([
    ["eur", "usdc", 1.08],
    ["btc", "eur", 64000],
    ["usdc", "eur", 0.925],
    ["EUR", "BTC", 0.000015625],
    ["btc", "usdc", 69189.18918918919],
  ])("from %s to %s is %d, for users and the partner", (currencyFrom, currencyTo, rate) => {
    for (const operationId of ["getExchangeRate", "getPartnerExchangeRate"]) {
      const { status, body } = tenant.call(operationId, { query: { currencyFrom, currencyTo } });
      expect(status).toBe(200);
      expect(body).toEqual({ currencyFrom: currencyFrom.toLowerCase(), currencyTo: currencyTo.toLowerCase(), rate });
    }
  });
});

describe("a lock", () => {
  it("holds the rate for 40 seconds and moves no money", () => {
    const { status, body } = lock();
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ lockId: expect.any(String), ...pair, rate: 1.08, amountFrom: 200, amountTo: 216 },
      expiresAt: "2026-04-01T07:00:41Z",
    });
    expect(tenant.euro(user)).toBe("1000.00");
  });

  it("ends at the second that it shows", () => {
    tenant.pass(0.7);
    const { lockId, expiresAt } = lock().body;
    expect(expiresAt).toBe("2026-04-01T07:00:41Z");
    tenant.world.clock.freeze(Date.parse(expiresAt));
    expect(exchange(lockId)).toMatchObject({ code: "P403", notes: [expect.stringContaining("expired")] });
  });
});

describe.each(levels)("an exchange of %s", (_level, { owner, named, operation }) => {
  const lockOf = (about: object): string =>
    tenant.call(operation("createPartnerExchangeRateLock"), { query: { ...named, ...about } }).body.lockId;
  const create = (about: object) => tenant.call(operation("createPartnerExchange"), { body: { ...named, ...about } });
  const show = (exchangeId: string) => tenant.call(operation("getPartnerExchangeDetails"), { path: { exchangeId } });

  it("holds what is given, and completes later, to the last unit", () => {
    if (owner === null) tenant.fund(null, "1000.00");
    const createdAt = new Date(tenant.world.clock.now).toISOString();
    const lockId = lockOf({ ...pair, amount: "200.00" });
    const { status, body } = create({ ...pair, amount: "200.00", lockId });
    expect(status).toBe(201);
    const { exchangeId } = body;
    const shown = {
      ...{ exchangeId, ...named, status: "IN_PROGRESS", amountFrom: "200.00", currencyFrom: "eur" },
      ...{ amountTo: "216.000000", currencyTo: "usdc", rate: 1.08, createdAt },
    };
    expect(show(exchangeId).body).toEqual(shown);
    expect([tenant.euro(owner), amountOf(owner, "usdc")]).toEqual(["800.00", "0.000000"]);
    expect(tenant.events("exchange")).toEqual([]);

    tenant.pass(tenant.world.plan.assumptions.delays.exchange);
    expect(show(exchangeId).body).toEqual({ ...shown, status: "COMPLETED" });
    expect(tenant.events("exchange")).toEqual([{ ...shown, status: "COMPLETED" }]);
    expect([tenant.euro(owner), amountOf(owner, "usdc")]).toEqual(["800.00", "216.000000"]);
    expect(tenant.history(owner)[1]).toEqual({
      ...{ id: expect.any(String), createdAt, type: "exchange", amount: 216, currency: "usdc", status: "SUCCESSFUL" },
      ...{ amountFrom: -200, currencyFrom: "eur", exchangeId, btId: expect.any(String) },
    });
  });

  it("is accepted without funds and fails later, and nothing moves", () => {
    const about = { currencyFrom: "btc", currencyTo: "eur", amount: "0.01" };
    const { exchangeId } = create({ ...about, amount: 0.01, lockId: lockOf(about) }).body;
    const before = tenant.world.ledger.postings.length;
    tenant.pass(tenant.world.plan.assumptions.delays.exchange);
    expect(show(exchangeId).body).toMatchObject({
      ...{ status: "FAILED", amountFrom: "0.01000000", amountTo: "640.00", rate: 64000 },
    });
    expect(tenant.events("exchange")).toEqual([show(exchangeId).body]);
    expect(tenant.history(owner).at(-1)).toMatchObject({ amount: 640, amountFrom: -0.01, status: "UNSUCCESSFUL" });
    expect(tenant.world.ledger.postings).toHaveLength(before);
  });

  it("takes a whole balance", () => {
    if (owner === null) tenant.fund(null, "1000.00");
    const whole = { ...pair, amount: "1000.00" };
    const { exchangeId } = create({ ...whole, lockId: lockOf(whole) }).body;
    tenant.pass(tenant.world.plan.assumptions.delays.exchange);
    expect([show(exchangeId).body.status, tenant.euro(owner)]).toEqual(["COMPLETED", "0.00"]);
  });

  it("is not found by the operation of the other level, nor with an unknown id", () => {
    const about = { ...pair, amount: "1.00" };
    const { exchangeId } = create({ ...about, lockId: lockOf(about) }).body;
    const other = owner === null ? "getExchangeDetails" : "getPartnerExchangeDetails";
    expect(tenant.call(other, { path: { exchangeId } })).toMatchObject({ status: 404, code: undefined });
    expect(show("00000000-0000-4000-8000-000000000000").status).toBe(404);
  });
});

it("a lock expires after its time", () => {
  const lockId = newLock();
  const status = () => tenant.world.records.get("exchangeLock", lockId).states.status;
  tenant.pass(39);
  expect(status()).toBe("alive");
  tenant.pass(1);
  expect(status()).toBe("expired");
});

it.each(["suspended", "deleted"])("an exchange of a user who is %s meanwhile fails, and is given back", (access) => {
  const { exchangeId } = exchange(newLock()).body;
  tenant.access(user, access);
  tenant.pass(60);
  expect(details(exchangeId).body.status).toBe("FAILED");
  expect(tenant.world.ledger.balance(`user ${user}`, "eur")).toBe(100_000n);
});
