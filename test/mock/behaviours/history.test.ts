/** The transaction history as a view of the records. */
import { describe, expect, it } from "vitest";
import { endExchange, holdExchange } from "../../../scripts/mock/behaviours/funds.ts";
import { type Tenant, withEachTenant } from "./tenant.ts";

let tenant: Tenant;

withEachTenant((fresh) => {
  tenant = fresh;
  tenant.addUser("user-1");
  tenant.pass(10);
});

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
describe("the history", () => {
  it("has the fields of the examples, in their order, with amounts as numbers", () => {
    tenant.fund("user-1", "1000.00");
    const [record] = tenant.history("user-1");
    expect(Object.keys(record)).toEqual([
      ...["id", "createdAt", "type", "amount", "currency", "status"],
      ...["transferTitle", "sourceAccountNumber", "issuer", "btId"],
    ]);
    expect(record).toMatchObject({
      createdAt: "2026-04-01T07:00:10.000Z",
      type: "sepaDeposit",
      amount: 1000,
      currency: "eur",
      status: "SUCCESSFUL",
      issuer: "Example Bank",
      btId: expect.stringMatching(uuid),
    });
  });

  it("shows both amounts of an exchange, also of one that failed", () => {
    tenant.fund("user-1", "1000.00");
    const exchange = (from: bigint, isCompleted: boolean) =>
      tenant.at(() => {
        const amounts = { from: { currency: "eur", units: from }, to: { currency: "usdc", units: 216_000_000n } };
        const exchangeId = tenant.world.ids.uuid();
        const { id } = holdExchange(tenant.world, { owner: "user-1", ...amounts, exchangeId, isCovered: true });
        endExchange(tenant.world, id, isCompleted);
      });
    exchange(20_000n, true);
    exchange(10_000n, false);
    const [, done, failed] = tenant.history("user-1");
    expect(Object.keys(done).slice(6)).toEqual(["amountFrom", "currencyFrom", "exchangeId", "btId"]);
    expect(done).toMatchObject({ type: "exchange", amount: 216, currency: "usdc", amountFrom: -200 });
    expect(failed).toMatchObject({ status: "UNSUCCESSFUL", amountFrom: -100 });
    expect(failed).not.toHaveProperty("btId");
    expect(tenant.euro("user-1")).toBe("800.00");
  });

  it("is cut by months in UTC", () => {
    tenant.world.clock.set(Date.parse("2026-04-30T23:59:59.999Z"));
    tenant.fund("user-1", "1.00");
    tenant.world.clock.set(Date.parse("2026-05-01T00:00:01.000Z"));
    tenant.fund("user-1", "2.00");
    expect(tenant.history("user-1", "04").map(({ amount }) => amount)).toEqual([1]);
    expect(tenant.history("user-1", "05").map(({ amount }) => amount)).toEqual([2]);
  });

  it("is the partner's own for the partner", () => {
    tenant.fund(null, "10000.00");
    tenant.fund("user-1", "5.00");
    expect(tenant.history(null).map(({ amount }) => amount)).toEqual([10000]);
    expect(tenant.history("user-1").map(({ amount }) => amount)).toEqual([5]);
  });

  it("reaches twelve months back", () => {
    const path = { externalUserId: "user-1", month: "04", year: "2025" };
    expect(tenant.call("getUserTransactionHistory", { path }).status).toBe(200);
  });
});
