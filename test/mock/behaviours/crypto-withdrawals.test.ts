/** Crypto withdrawals: the amount and the fee are held, and then sent or given back. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountOf, outside } from "../../../scripts/mock/behaviours/funds.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import type { Session } from "../../../scripts/mock/tenants/session.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { sessionWithVerified } from "./verified-users.ts";

const start = Date.parse("2026-04-09T07:01:00.000Z");
const address = "0xde709f2102306220921060314715629080e2fb77";
const funds = { usdc: 216_000_000n, btc: 4_050_000n };
let plan: Plan;
let session: Session;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  session = sessionWithVerified(["user-1042", "user-2"], plan, "withdrawals", start);
  const { world } = session;
  world.at(start, () => {
    for (const owner of ["user-1042", null]) {
      for (const [currency, units] of Object.entries(funds)) {
        world.ledger.move(outside, accountOf(owner), currency, units, { reference: "start", at: start });
      }
    }
  });
});

function call(
  operationId: string,
  about: { path?: Record<string, string>; query?: Record<string, string>; body?: object } = {},
) {
  const operation = plan.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(operationId);
  const fields = Object.entries(about.body ?? {});
  const amounts = Object.fromEntries(
    fields.filter(([name]) => name === "amount").map(([name, value]) => [name, String(value)]),
  );
  return session.act({ operation, path: {}, query: {}, body: undefined, files: {}, ...about, amounts });
}

const receiver = {
  walletAddress: address,
  name: "Camille Laurent",
  walletType: "NON_CUSTODIAL",
  receiverType: "NATURAL",
};
const toPerson = { currency: "usdc", amount: 100, network: "polygon", ...receiver };

function withdraw(changes: object = {}) {
  return call("createCryptoWithdrawal", { body: { sourceExternalUserId: "user-1042", ...toPerson, ...changes } });
}

function pass(seconds: number) {
  session.clock.set(session.clock.now + seconds * 1000);
  session.world.runJobs(session.clock.now);
}

const idOf = ({ body }: { body: unknown }) => (body as { withdrawalId: string }).withdrawalId;
const balance = (owner: string | null, currency: string) => session.world.ledger.balance(accountOf(owner), currency);
const events = (webhook = "cryptoWithdrawal") =>
  session.world.outbox.events.filter((event) => event.webhook === webhook).map(({ body }) => JSON.parse(body));
const records = (owner: string | null) => session.world.records.ownedBy("transaction", owner);
const details = (withdrawalId: string) => call("getCryptoWithdrawalDetails", { path: { withdrawalId } });
const answerOf = (operationId: string, example: string) =>
  JSON.parse(
    plan.operations
      .find((operation) => operation.operationId === operationId)
      ?.answers.find((answer) => answer.example === example)?.body ?? "",
  );

describe("a withdrawal of a user", () => {
  it("is told as the story tells it", () => {
    const created = withdraw();
    expect(created.status).toBe(201);
    const id = idOf(created);
    expect(created.body).toEqual({ withdrawalId: id });
    expect(details(id).body).toEqual({ ...answerOf("getCryptoWithdrawalDetails", "inProgress"), id });
    expect(events()).toEqual([details(id).body]);
    expect(balance("user-1042", "usdc")).toBe(115_600_000n);
    expect(records("user-1042")[0]?.states.status).toBe("IN_PROGRESS");

    pass(plan.assumptions.delays.cryptoWithdrawal - 1);
    expect(events()).toHaveLength(1);
    pass(1);

    const transactionHash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(details(id).body).toEqual({ ...answerOf("getCryptoWithdrawalDetails", "successful"), id, transactionHash });
    expect(events()[1]).toEqual(details(id).body);
    const [record] = records("user-1042");
    expect(record?.states.status).toBe("SUCCESSFUL");
    expect(record?.data).toMatchObject({
      type: "cryptoWithdrawal",
      currency: "usdc",
      units: -100_400_000n,
      held: null,
    });
    expect(balance("user-1042", "usdc")).toBe(115_600_000n);
    expect(session.world.ledger.balance("service", "usdc")).toBe(400_000n);
    expect(session.world.ledger.total("usdc")).toBe(0n);
  });

  it.each([
    ["the funds do not cover the fee", { amount: "215.600001" }],
    ["the amount is below the network's smallest", { amount: "4.999999" }],
  ])("fails later when %s", (_reason, changes) => {
    const created = withdraw(changes);
    expect(created.status).toBe(201);
    pass(60);
    expect(details(idOf(created)).body).toMatchObject({ status: "UNSUCCESSFUL", transactionHash: null });
    expect(balance("user-1042", "usdc")).toBe(funds.usdc);
    expect(records("user-1042")[0]?.data.units).toBe(-BigInt(changes.amount.replace(".", "")));
    expect(records("user-1042")[0]?.states.status).toBe("UNSUCCESSFUL");
    expect(events().map(({ status }) => status)).toEqual(["IN_PROGRESS", "UNSUCCESSFUL"]);
  });

  it("takes everything that is there, and not one unit more", () => {
    const created = withdraw({ amount: "215.6" });
    expect(balance("user-1042", "usdc")).toBe(0n);
    const second = withdraw({ amount: "5" });
    pass(60);
    expect(details(idOf(created)).body).toMatchObject({ status: "SUCCESSFUL" });
    expect(details(idOf(second)).body).toMatchObject({ status: "UNSUCCESSFUL" });
  });

  it("fails for a user who is suspended meanwhile", () => {
    withdraw();
    const { world } = session;
    world.at(start, () => world.move(world.records.get("user", "user-1042"), "suspended", "access"));
    pass(60);
    expect(balance("user-1042", "usdc")).toBe(funds.usdc);
    expect(events().map(({ status }) => status)).toEqual(["IN_PROGRESS", "UNSUCCESSFUL"]);
  });

  it("without a network goes to Ethereum, or to the only network of its currency", () => {
    const { network: _network, ...withoutNetwork } = { sourceExternalUserId: "user-1042", ...toPerson };
    const stablecoin = call("createCryptoWithdrawal", { body: withoutNetwork });
    const bitcoin = call("createCryptoWithdrawal", { body: { ...withoutNetwork, currency: "btc", amount: "0.01" } });
    expect(details(idOf(stablecoin)).body).toMatchObject({ currency: { network: "ethereum" }, fee: 2.37 });
    expect(details(idOf(bitcoin)).body).toMatchObject({ currency: { network: "btc" }, fee: 0.0001215 });
    expect(balance("user-1042", "btc")).toBe(4_050_000n - 1_000_000n - 12_150n);
  });

  it("to the wallet of another user arrives there", () => {
    const { world } = session;
    const data = { currency: "usdc", network: "polygon" };
    world.at(start, () => world.records.add("wallet", { id: address, owner: "user-2", createdAt: start, data }));
    withdraw();
    pass(60);
    expect(balance("user-2", "usdc")).toBe(100_000_000n);
    expect(events("cryptoDeposit")).toEqual([
      expect.objectContaining({ externalUserId: "user-2", amount: 100, transactionHash: events()[1].transactionHash }),
    ]);
    expect(world.ledger.total("usdc")).toBe(0n);
  });
});

describe("a withdrawal of the partner", () => {
  it("is told without a user", () => {
    const { status, body } = call("createPartnerCryptoWithdrawal", { body: toPerson });
    expect(status).toBe(201);
    pass(60);
    const withdrawal = details((body as { withdrawalId: string }).withdrawalId).body;
    expect(withdrawal).toMatchObject({ status: "SUCCESSFUL", amount: 100, fee: 0.4 });
    expect(withdrawal).not.toHaveProperty("user");
    expect(balance(null, "usdc")).toBe(115_600_000n);
    expect(records(null)[0]?.data.units).toBe(-100_400_000n);
  });
});

describe("refusals", () => {
  it.each([
    [{ currency: "doge" }, "P403"],
    [{ currency: "eur" }, "P403"],
    [{ network: "btc" }, "P403"],
    [{ amount: 0 }, "P403"],
    [{ amount: "-1" }, "P403"],
    [{ amount: "1.0000001" }, "P403"],
    [{ sourceExternalUserId: "user-9" }, "P412"],
  ])("%j gives %s and leaves no trace", (changes, code) => {
    const before = session.world.ids.count;
    const refused = withdraw(changes);
    expect(refused.code).toBe(code);
    expect(refused.body).toMatchObject({ errorCode: code, timestamp: "2026-04-09T07:01:00.000Z" });
    expect(JSON.stringify(refused.body)).not.toMatch(/Camille|0xde70/);
    expect(session.world.ids.count).toBe(before);
    expect(records("user-1042")).toEqual([]);
    expect(session.world.jobs.waiting).toEqual([]);
    expect(balance("user-1042", "usdc")).toBe(funds.usdc);
  });

  it("a user who is not verified gives P459", () => {
    const { world } = session;
    const data = {
      userId: "u",
      attributes: {},
      poaRequiredForExtended: false,
      documentNumber: null,
      attempts: 0,
      verifiedUntil: null,
      files: [],
    };
    world.at(start, () => world.create("user", { id: "user-3", owner: "user-3", data }));
    expect(withdraw({ sourceExternalUserId: "user-3" }).code).toBe("P459");
  });

  it("an unknown withdrawal gives 404 without a code", () => {
    expect(details("00000000-0000-4000-8000-000000000000")).toMatchObject({ status: 404, code: undefined });
  });
});

describe("the network fee", () => {
  it.each([
    [{ currency: "usdc", network: "polygon" }, "polygon"],
    [{ currency: "btc", network: "btc" }, "bitcoin"],
    [{ currency: "usdc" }, "withoutNetwork"],
  ])("of %j is as the example %s says", (query, example) => {
    expect(call("getNetworkFee", { query })).toMatchObject({ status: 200, body: answerOf("getNetworkFee", example) });
  });

  it.each([
    [{ currency: "doge" }, "doge"],
    [{ currency: "eur" }, "eur"],
    [{ currency: "btc" }, "btc is on btc, not on ethereum"],
    [{ currency: "usdc", network: "btc" }, "usdc is on ethereum, polygon, not on btc"],
  ])("of %j gives P410", (query, detail) => {
    const { status, code, notes } = call("getNetworkFee", { query });
    expect({ status, code, notes }).toEqual({ status: 400, code: "P410", notes: [detail] });
  });
});
