/** Crypto deposits: they arrive, may wait, and are credited exactly or not at all. */
import { describe, expect, it } from "vitest";
import { tenantForEach } from "./tenant.ts";

const wallet = "0x52908400098527886e0f7030069857d2e4169ee7";
const tenant = tenantForEach((fresh) => {
  fresh.addVerified("user-1");
  fresh.addWallet("user-1", wallet);
});

const triggerEvent = (name: string, about: Record<string, unknown>) =>
  tenant.triggerEvent(`cryptoDeposit.${name}`, about);
const events = () => tenant.events("cryptoDeposit");
const details = (externalId: string) => tenant.call("getCryptoDepositDetails", { query: { externalId } });
const naturalPerson = { name: "Piotr Lis", walletType: "NON_CUSTODIAL", senderType: "NATURAL" };
const updateTravelRule = (cryptoDepositId: string) =>
  tenant.call("updateTravelRule", { path: { cryptoDepositId }, body: naturalPerson });

describe("a deposit that is sent", () => {
  it("is credited by itself, to the last unit, and then told", () => {
    const { id } = triggerEvent("depositArrives", { wallet, amount: "100.000001" });
    expect(tenant.units("user-1", "usdc")).toBe(0n);
    expect(tenant.records("user-1")[0]?.states.status).toBe("IN_PROGRESS");
    expect(events()).toEqual([]);

    tenant.pass(tenant.world.plan.assumptions.delays.cryptoDeposit - 1);
    expect(tenant.units("user-1", "usdc")).toBe(0n);
    tenant.pass(1);

    expect(tenant.units("user-1", "usdc")).toBe(100_000_001n);
    const [record] = tenant.records("user-1");
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
        createdAt: "2026-04-01T07:00:00.000Z",
      },
    ]);
  });

  it("shows its details on the address for deposits", () => {
    const from = "tb1qqjq06snns7tfypapf2a4dgj7wk8ellytfjvc47";
    const transactionHash = "9a7d093eab3b3c900d6fe7adfbf72f3689ef81cce6f7b4256fffdc588da3e8fb";
    const about = { externalUserId: "user-1", currency: "BTC", amount: 0.042, from, transactionHash };
    const { id } = triggerEvent("depositArrives", about);
    tenant.pass(60);
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
      createdAt: "2026-04-01T07:00:00.000Z",
    });
  });

  it.each(["suspended", "deleted"])("fails for a user who is %s meanwhile", (access) => {
    triggerEvent("depositArrives", { wallet });
    tenant.access("user-1", access);
    tenant.pass(60);
    expect(tenant.units("user-1", "usdc")).toBe(0n);
    expect(tenant.records("user-1")[0]?.states.status).toBe("UNSUCCESSFUL");
    expect(events().map(({ status }) => status)).toEqual(["UNSUCCESSFUL"]);
  });

  it("fails when it is smaller than the network's smallest", () => {
    triggerEvent("depositArrives", { wallet, amount: "1.999999" });
    triggerEvent("depositArrives", { wallet, amount: "2" });
    tenant.pass(60);
    expect(events().map(({ status }) => status)).toEqual(["UNSUCCESSFUL", "SUCCESSFUL"]);
    expect(tenant.units("user-1", "usdc")).toBe(2_000_000n);
  });

  it("can be the partner's", () => {
    triggerEvent("depositArrives", { externalUserId: null, currency: "ltc", amount: "3" });
    tenant.pass(60);
    expect(tenant.units(null, "ltc")).toBe(300_000_000n);
    expect(events()[0]).toMatchObject({ externalUserId: null, amount: 3, currency: "ltc" });
  });
});

describe("a deposit that waits for travel rule data", () => {
  it("is released by the data, and credited after that", () => {
    const { id } = triggerEvent("depositArrives", { wallet, amount: "50", status: "WAITING_FOR_TR_DATA" });
    expect(tenant.records("user-1")[0]?.states.status).toBe("IN_PROGRESS_TR_DATA");
    expect(details(id).body).toMatchObject({ status: "WAITING_FOR_TR_DATA", transactionHash: null });
    tenant.pass(3600);
    expect(tenant.units("user-1", "usdc")).toBe(0n);

    const { status, body } = updateTravelRule(id);
    expect({ status, body }).toEqual({ status: 200, body: { message: expect.any(String) } });
    tenant.pass(tenant.world.plan.assumptions.delays.travelRule);
    expect(details(id).body).toMatchObject({ status: "SENT", transactionHash: expect.any(String) });
    expect(tenant.records("user-1")[0]?.states.status).toBe("IN_PROGRESS");
    tenant.pass(tenant.world.plan.assumptions.delays.cryptoDeposit);
    expect(tenant.units("user-1", "usdc")).toBe(50_000_000n);
    expect(events().map((event) => event.status)).toEqual(["WAITING_FOR_TR_DATA", "SUCCESSFUL"]);
  });

  it("can wait for a verification after the data, as in the scenario", () => {
    const { id } = triggerEvent("depositArrives", { wallet, status: "WAITING_FOR_TR_DATA" });
    updateTravelRule(id);
    triggerEvent("depositIsChecked", { cryptoDepositId: id, status: "WAITING_FOR_VERIFICATION" });
    tenant.pass(3600);
    expect(details(id).body).toMatchObject({ status: "WAITING_FOR_VERIFICATION" });
    triggerEvent("depositIsReleased", { cryptoDepositId: id });
    tenant.pass(60);
    expect(events().map(({ status }) => status)).toEqual([
      "WAITING_FOR_TR_DATA",
      "WAITING_FOR_VERIFICATION",
      "SUCCESSFUL",
    ]);
  });

  it("takes the data twice and is credited once", () => {
    const { id } = triggerEvent("depositArrives", { wallet, amount: "50", status: "WAITING_FOR_TR_DATA" });
    updateTravelRule(id);
    updateTravelRule(id);
    tenant.pass(60);
    expect(updateTravelRule(id).status).toBe(200);
    tenant.pass(60);
    expect(tenant.units("user-1", "usdc")).toBe(50_000_000n);
    expect(events()).toHaveLength(2);
  });
});
