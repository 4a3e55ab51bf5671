/** Crypto deposits: they arrive, may wait, and are credited to the last unit or not at all. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountOf } from "../../../scripts/mock/behaviours/funds.ts";
import { HappeningError } from "../../../scripts/mock/behaviours/happening.ts";
import { happenings } from "../../../scripts/mock/behaviours/index.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import type { AcceptedCall, Session } from "../../../scripts/mock/tenants/session.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { sessionWithVerified } from "./verified-users.ts";

const start = Date.parse("2026-04-07T06:50:00.000Z");
const wallet = "0x52908400098527886e0f7030069857d2e4169ee7";
let plan: Plan;
let session: Session;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  session = sessionWithVerified(["user-1", "user-2"], plan, "deposits", start);
  const { world } = session;
  world.at(start, () => {
    world.records.add("wallet", {
      id: wallet,
      owner: "user-1",
      createdAt: start,
      data: { currency: "usdc", network: "polygon" },
    });
  });
});

function call(operationId: string, about: Partial<AcceptedCall> = {}) {
  const operation = plan.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(operationId);
  return session.act({ operation, path: {}, query: {}, body: undefined, amounts: {}, files: {}, ...about });
}

function happen(name: string, about: Record<string, unknown>) {
  const { world, clock } = session;
  world.runJobs(clock.now);
  return world.at(clock.now, () => happenings[`cryptoDeposit.${name}`]?.(world, about)) ?? expect.fail(name);
}

function pass(seconds: number) {
  session.clock.set(session.clock.now + seconds * 1000);
  session.world.runJobs(session.clock.now);
}

const balance = (owner: string | null, currency: string) => session.world.ledger.balance(accountOf(owner), currency);
const events = () =>
  session.world.outbox.events.filter(({ webhook }) => webhook === "cryptoDeposit").map(({ body }) => JSON.parse(body));
const records = (owner: string | null) => session.world.records.ownedBy("transaction", owner);
const details = (externalId: string) => call("getCryptoDepositDetails", { query: { externalId } });
const naturalPerson = { name: "Piotr Lis", walletType: "NON_CUSTODIAL", senderType: "NATURAL" };
const updateTravelRule = (cryptoDepositId: string) =>
  call("updateTravelRule", { path: { cryptoDepositId }, body: naturalPerson });

describe("a deposit that is sent", () => {
  it("is credited by itself, to the last unit, and then told", () => {
    const { id } = happen("depositArrives", { wallet, amount: "100.000001" });
    expect(balance("user-1", "usdc")).toBe(0n);
    expect(records("user-1")[0]?.states.status).toBe("IN_PROGRESS");
    expect(events()).toEqual([]);

    pass(plan.assumptions.delays.cryptoDeposit - 1);
    expect(balance("user-1", "usdc")).toBe(0n);
    pass(1);

    expect(balance("user-1", "usdc")).toBe(100_000_001n);
    expect(session.world.ledger.total("usdc")).toBe(0n);
    const [record] = records("user-1");
    expect(record?.states.status).toBe("SUCCESSFUL");
    expect(record?.data).toMatchObject({ type: "cryptoDeposit", currency: "usdc", units: 100_000_001n });
    expect(record?.data.fields.btId).toBeDefined();
    expect(events()).toEqual([
      {
        externalUserId: "user-1",
        cryptoDepositId: id,
        amount: 100.000001,
        currency: "usdc",
        status: "SUCCESSFUL",
        transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        createdAt: "2026-04-07T06:50:00.000Z",
      },
    ]);
  });

  it("shows its details on the address for deposits", () => {
    const from = "bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c";
    const transactionHash = "9a7d093eab3b3c900d6fe7adfbf72f3689ef81cce6f7b4256fffdc588da3e8fb";
    const about = { externalUserId: "user-1", currency: "BTC", amount: 0.042, from, transactionHash };
    const { id } = happen("depositArrives", about);
    pass(60);
    const { status, body } = details(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      externalId: id,
      status: "SUCCESSFUL",
      amount: "0.04200000",
      currency: "BTC",
      from,
      fee: "0.00000000",
      transactionHash,
      createdAt: "2026-04-07T06:50:00.000Z",
    });
  });

  it.each(["suspended", "deleted"])("fails for a user who is %s meanwhile", (access) => {
    happen("depositArrives", { wallet });
    const { world } = session;
    world.at(session.clock.now, () => world.move(world.records.get("user", "user-1"), access, "access"));
    pass(60);
    expect(balance("user-1", "usdc")).toBe(0n);
    expect(records("user-1")[0]?.states.status).toBe("UNSUCCESSFUL");
    expect(events().map(({ status }) => status)).toEqual(["UNSUCCESSFUL"]);
  });

  it("fails when it is smaller than the network's smallest", () => {
    happen("depositArrives", { wallet, amount: "1.999999" });
    happen("depositArrives", { wallet, amount: "2" });
    pass(60);
    expect(events().map(({ status }) => status)).toEqual(["UNSUCCESSFUL", "SUCCESSFUL"]);
    expect(balance("user-1", "usdc")).toBe(2_000_000n);
  });

  it("can be the partner's", () => {
    happen("depositArrives", { externalUserId: null, currency: "ltc", amount: "3" });
    pass(60);
    expect(balance(null, "ltc")).toBe(300_000_000n);
    expect(events()[0]).toMatchObject({ externalUserId: null, amount: 3, currency: "ltc" });
  });

  it("is decided from outside before it would be credited", () => {
    const { id } = happen("depositArrives", { wallet });
    happen("depositIsDecided", { cryptoDepositId: id, status: "UNSUCCESSFUL" });
    pass(60);
    expect(events().map(({ status }) => status)).toEqual(["UNSUCCESSFUL"]);
    expect(balance("user-1", "usdc")).toBe(0n);
  });
});

describe("a deposit that waits for travel rule data", () => {
  it("is released by the data, and credited after that", () => {
    const { id } = happen("depositArrives", { wallet, amount: "50", status: "WAITING_FOR_TR_DATA" });
    expect(records("user-1")[0]?.states.status).toBe("IN_PROGRESS_TR_DATA");
    expect(details(id).body).toMatchObject({ status: "WAITING_FOR_TR_DATA", transactionHash: null });
    pass(3600);
    expect(balance("user-1", "usdc")).toBe(0n);

    const example = plan.operations
      .find(({ operationId }) => operationId === "updateTravelRule")
      ?.answers.find(({ status }) => status === 200)?.body;
    const { status, body } = updateTravelRule(id);
    expect({ status, body }).toEqual({ status: 200, body: JSON.parse(example ?? "") });
    pass(plan.assumptions.delays.travelRule);
    expect(details(id).body).toMatchObject({ status: "SENT", transactionHash: expect.any(String) });
    expect(records("user-1")[0]?.states.status).toBe("IN_PROGRESS");
    pass(plan.assumptions.delays.cryptoDeposit);
    expect(balance("user-1", "usdc")).toBe(50_000_000n);
    expect(events().map((event) => event.status)).toEqual(["WAITING_FOR_TR_DATA", "SUCCESSFUL"]);
  });

  it("can wait for a verification after the data, as in the story", () => {
    const { id } = happen("depositArrives", { wallet, status: "WAITING_FOR_TR_DATA" });
    updateTravelRule(id);
    happen("depositIsChecked", { cryptoDepositId: id, status: "WAITING_FOR_VERIFICATION" });
    pass(3600);
    expect(details(id).body).toMatchObject({ status: "WAITING_FOR_VERIFICATION" });
    happen("depositIsReleased", { cryptoDepositId: id });
    pass(60);
    expect(events().map(({ status }) => status)).toEqual([
      "WAITING_FOR_TR_DATA",
      "WAITING_FOR_VERIFICATION",
      "SUCCESSFUL",
    ]);
  });

  it("takes the data twice and is credited once", () => {
    const { id } = happen("depositArrives", { wallet, amount: "50", status: "WAITING_FOR_TR_DATA" });
    updateTravelRule(id);
    updateTravelRule(id);
    pass(60);
    expect(updateTravelRule(id).status).toBe(200);
    pass(60);
    expect(balance("user-1", "usdc")).toBe(50_000_000n);
    expect(events()).toHaveLength(2);
  });
});

describe("refusals", () => {
  it.each(["getCryptoDepositDetails", "updateTravelRule"])(
    "%s answers 404 without a code for an unknown deposit",
    (id) => {
      const unknown = "00000000-0000-4000-8000-000000000000";
      const about = { path: { cryptoDepositId: unknown }, query: { externalId: unknown }, body: naturalPerson };
      const { status, code, body } = call(id, about);
      expect({ status, code }).toEqual({ status: 404, code: undefined });
      expect(body).not.toHaveProperty("errorCode");
      expect(body).toHaveProperty("timestamp", "2026-04-07T06:50:00.000Z");
      expect(session.world.jobs.waiting).toEqual([]);
    },
  );

  it.each([
    [{}, "externalUserId"],
    [{ externalUserId: "user-9" }, "user-9"],
    [{ wallet: "0x00" }, "0x00"],
    [{ wallet, currency: "btc" }, "usdc"],
    [{ externalUserId: "user-1", currency: "eur" }, "btc"],
    [{ externalUserId: "user-1", currency: "usdc", network: "btc" }, "polygon"],
    [{ wallet, amount: "0" }, "amount"],
    [{ wallet, amount: "1.0000001" }, "6 decimal places"],
    [{ wallet, amount: "much" }, "amount"],
    [{ wallet, status: "SUCCESSFUL" }, "WAITING_FOR_VERIFICATION"],
  ])("a deposit cannot arrive for %j", (about, named) => {
    const run = () => happen("depositArrives", about);
    expect(run).toThrow(HappeningError);
    expect(run).toThrow(named);
    expect(records("user-1")).toEqual([]);
    expect(session.world.ids.count).toBe(0);
  });

  it("a step against the lifecycle is refused and leaves no trace", () => {
    const { id } = happen("depositArrives", { wallet });
    pass(60);
    const before = session.world.outbox.events.length;
    for (const name of ["depositIsChecked", "depositIsReleased", "depositIsDecided"]) {
      expect(() => happen(name, { cryptoDepositId: id })).toThrow("is SUCCESSFUL and cannot become");
    }
    expect(() => happen("depositIsReleased", { cryptoDepositId: "none" })).toThrow("whose cryptoDepositId is none");
    expect(() => happen("depositIsReleased", {})).toThrow("There is no cryptoDeposit that can become SENT");
    expect(session.world.outbox.events).toHaveLength(before);
  });
});
