/** The partner's own balances, wallets and master balance. */
import { describe, expect, it } from "vitest";
import { service } from "../../../scripts/mock/behaviours/funds.ts";
import { tenantForEach } from "./tenant.ts";

const tenant = tenantForEach();

const createWallet = (currency: string) => tenant.call("createPartnerWallet", { body: { currency } });
const walletIn = (name: string) =>
  tenant.balances(null).cryptoBalances.find((balance: { name: string }) => balance.name === name).wallet;

describe("the balances of the partner", () => {
  it("exist from the start, with an active account and no wallets, and cause no event", () => {
    const balances = tenant.balances(null);
    expect(balances.fiatBalances).toMatchObject([{ name: "eur", amount: "0.00", status: "ACTIVE" }]);
    expect(balances.cryptoBalances.map(({ wallet }: { wallet: unknown }) => wallet)).toEqual(Array(5).fill(null));
    expect(tenant.balances(null)).toEqual(balances);
    expect(tenant.world.outbox.events).toEqual([]);
  });
});

describe("a wallet of the partner", () => {
  it("comes later, with its event", () => {
    expect(createWallet("LTC")).toMatchObject({ status: 201, body: { message: "Wallet creation started" } });
    expect(walletIn("ltc")).toBeNull();
    tenant.pass(1);
    const wallet = walletIn("ltc");
    expect(wallet).toMatch(/^tltc1q/);
    expect(tenant.events("walletCreated")).toEqual([{ externalUserId: null, currency: "ltc", network: "ltc", wallet }]);
  });

  it("comes once", () => {
    createWallet("usdc");
    createWallet("usdc");
    tenant.pass(1);
    createWallet("usdc");
    tenant.pass(1);
    expect(tenant.events("walletCreated")).toHaveLength(1);
  });
});

describe("a transfer to the master balance", () => {
  const move = (amount: unknown, currency = "eur") =>
    tenant.call("transferToMasterBalance", { body: { amount, currency } });

  it("takes the amount from the partner's balance, exactly", () => {
    tenant.fund(null, "1000.10");
    const { status, body } = move("1000.09");
    expect(status).toBe(201);
    expect(tenant.euro(null)).toBe("0.01");
    tenant.pass(1);
    expect(tenant.euro(null)).toBe("0.01");
    expect(tenant.world.ledger.balance(service, "eur")).toBe(100_009n);
    expect(tenant.history(null)[1]).toMatchObject({
      id: body.transferId,
      type: "transfer",
      amount: -1000.09,
      status: "SUCCESSFUL",
    });
    tenant.expectSound(null);
  });

  it("fails later when the balance does not cover it", () => {
    move("0.0015", "btc");
    tenant.pass(1);
    expect(tenant.history(null)[0]).toMatchObject({ amount: -0.0015, currency: "btc", status: "UNSUCCESSFUL" });
    tenant.expectSound(null);
  });
});
