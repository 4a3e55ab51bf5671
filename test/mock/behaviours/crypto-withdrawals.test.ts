/** Crypto withdrawals: amount and fee are held, then sent or returned. */
import { describe, expect, it } from "vitest";
import { accountOf, externalAccount } from "../../../scripts/mock/behaviours/funds.ts";
import { tenantForEach } from "./tenant.ts";

const address = "0xde709f2102306220921060314715629080e2fb77";
const funds = { usdc: 216_000_000n, btc: 4_050_000n };
const tenant = tenantForEach((fresh) => {
  for (const user of ["user-1042", "user-2"]) fresh.addVerified(user);
  const { world } = fresh;
  for (const owner of ["user-1042", null]) {
    for (const [currency, units] of Object.entries(funds)) {
      const posting = {
        reference: "start",
        at: world.now,
        from: externalAccount,
        to: accountOf(owner),
        currency,
        units,
      };
      fresh.at(() => world.ledger.move(posting));
    }
  }
});

const receiver = {
  walletAddress: address,
  name: "Camille Laurent",
  walletType: "NON_CUSTODIAL",
  receiverType: "NATURAL",
};
const toPerson = { currency: "usdc", amount: 100, network: "polygon", ...receiver };

function withdraw(changes: object = {}) {
  return tenant.call("createCryptoWithdrawal", {
    body: { sourceExternalUserId: "user-1042", ...toPerson, ...changes },
  });
}

const idOf = ({ body }: { body: { withdrawalId: string } }) => body.withdrawalId;
const events = (webhook = "cryptoWithdrawal") => tenant.events(webhook);
const details = (withdrawalId: string) => tenant.call("getCryptoWithdrawalDetails", { path: { withdrawalId } });

describe("a withdrawal of a user", () => {
  it("is reported as in the scenario", () => {
    const created = withdraw();
    expect(created.status).toBe(201);
    const id = idOf(created);
    const createdAt = "2026-04-01T07:00:00.000Z";
    expect(created.body).toEqual({ withdrawalId: id });
    expect(details(id).body).toEqual({ ...tenant.example("getCryptoWithdrawalDetails", "inProgress"), id, createdAt });
    expect(events()).toEqual([details(id).body]);
    expect(tenant.units("user-1042", "usdc")).toBe(115_600_000n);
    expect(tenant.records("user-1042")[0]?.states.status).toBe("IN_PROGRESS");

    tenant.pass(tenant.world.plan.assumptions.delays.cryptoWithdrawal - 1);
    expect(events()).toHaveLength(1);
    tenant.pass(1);

    const transactionHash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(details(id).body).toEqual({
      ...tenant.example("getCryptoWithdrawalDetails", "successful"),
      id,
      createdAt,
      transactionHash,
    });
    expect(events()[1]).toEqual(details(id).body);
    const [record] = tenant.records("user-1042");
    expect(record?.states.status).toBe("SUCCESSFUL");
    expect(record?.data).toMatchObject({
      type: "cryptoWithdrawal",
      currency: "usdc",
      units: -100_400_000n,
      held: null,
    });
    expect(tenant.units("user-1042", "usdc")).toBe(115_600_000n);
    expect(tenant.world.ledger.balance("service", "usdc")).toBe(400_000n);
  });

  it.each([
    ["the funds do not cover the fee", { amount: "215.600001" }],
    ["the amount is below the network's smallest", { amount: "4.999999" }],
  ])("fails later when %s", (_reason, changes) => {
    const created = withdraw(changes);
    expect(created.status).toBe(201);
    tenant.pass(60);
    expect(details(idOf(created)).body).toMatchObject({ status: "UNSUCCESSFUL", transactionHash: null });
    expect(tenant.units("user-1042", "usdc")).toBe(funds.usdc);
    expect(tenant.records("user-1042")[0]?.data.units).toBe(-BigInt(changes.amount.replace(".", "")));
    expect(tenant.records("user-1042")[0]?.states.status).toBe("UNSUCCESSFUL");
    expect(events().map(({ status }) => status)).toEqual(["IN_PROGRESS", "UNSUCCESSFUL"]);
  });

  it("takes everything that is there, from the network's smallest amount on, and not one unit more", () => {
    const created = [withdraw({ amount: "5" }), withdraw({ amount: "210.2" })];
    expect(tenant.units("user-1042", "usdc")).toBe(0n);
    created.push(withdraw({ amount: "5" }));
    tenant.pass(60);
    const statuses = created.map((one) => details(idOf(one)).body.status);
    expect(statuses).toEqual(["SUCCESSFUL", "SUCCESSFUL", "UNSUCCESSFUL"]);
  });

  it("fails for a user who is suspended meanwhile", () => {
    withdraw();
    tenant.access("user-1042", "suspended");
    tenant.pass(60);
    expect(tenant.units("user-1042", "usdc")).toBe(funds.usdc);
    expect(events().map(({ status }) => status)).toEqual(["IN_PROGRESS", "UNSUCCESSFUL"]);
  });

  it("without a network goes to Ethereum, or to the only network of its currency", () => {
    const { network: _network, ...withoutNetwork } = { sourceExternalUserId: "user-1042", ...toPerson };
    const stablecoin = tenant.call("createCryptoWithdrawal", { body: withoutNetwork });
    const bitcoin = tenant.call("createCryptoWithdrawal", {
      body: { ...withoutNetwork, currency: "btc", amount: "0.01" },
    });
    expect(details(idOf(stablecoin)).body).toMatchObject({ currency: { network: "ethereum" }, fee: 2.37 });
    expect(details(idOf(bitcoin)).body).toMatchObject({ currency: { network: "btc" }, fee: 0.0001215 });
    expect(tenant.units("user-1042", "btc")).toBe(4_050_000n - 1_000_000n - 12_150n);
  });

  it.each([address, `0x${address.slice(2).toUpperCase()}`])(
    "to %s, the wallet of another user, arrives there",
    (to) => {
      tenant.addWallet("user-2", address);
      withdraw({ walletAddress: to });
      tenant.pass(60);
      expect(tenant.units("user-2", "usdc")).toBe(100_000_000n);
      expect(events("cryptoDeposit")).toEqual([
        expect.objectContaining({
          externalUserId: "user-2",
          amount: 100,
          transactionHash: events()[1].transactionHash,
        }),
      ]);
    },
  );
});

describe("a withdrawal of the partner", () => {
  it("is told without a user", () => {
    const { status, body } = tenant.call("createPartnerCryptoWithdrawal", { body: toPerson });
    expect(status).toBe(201);
    tenant.pass(60);
    const withdrawal = details((body as { withdrawalId: string }).withdrawalId).body;
    expect(withdrawal).toMatchObject({ status: "SUCCESSFUL", amount: 100, fee: 0.4 });
    expect(withdrawal).not.toHaveProperty("user");
    expect(tenant.units(null, "usdc")).toBe(115_600_000n);
    expect(tenant.records(null)[0]?.data.units).toBe(-100_400_000n);
  });
});

describe("the network fee", () => {
  it.each([
    [{ currency: "usdc", network: "polygon" }, "polygon"],
    [{ currency: "btc", network: "btc" }, "bitcoin"],
    [{ currency: "usdc" }, "withoutNetwork"],
  ])("of %j is as the example %s says", (query, example) => {
    expect(tenant.call("getNetworkFee", { query })).toMatchObject({
      status: 200,
      body: tenant.example("getNetworkFee", example),
    });
  });
});
