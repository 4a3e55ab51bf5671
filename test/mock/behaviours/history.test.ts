/** The transaction history as a view of the records. */
import { describe, expect, it } from "vitest";
import { tenantForEach } from "./tenant.ts";

const tenant = tenantForEach((fresh) => {
  fresh.addUser("user-1");
  fresh.pass(10);
});

describe("the history", () => {
  it("is cut by months in UTC", () => {
    tenant.world.clock.freeze(Date.parse("2026-04-30T23:59:59.999Z"));
    tenant.fund("user-1", "1.00");
    tenant.world.clock.freeze(Date.parse("2026-05-01T00:00:01.000Z"));
    tenant.fund("user-1", "2.00");
    expect(tenant.history("user-1", "04").map(({ amount }) => amount)).toEqual([1]);
    expect(tenant.history("user-1", "05").map(({ amount }) => amount)).toEqual([2]);
  });

  it("reaches twelve months back", () => {
    const path = { externalUserId: "user-1", month: "04", year: "2025" };
    expect(tenant.call("getUserTransactionHistory", { path }).status).toBe(200);
  });
});
