/** Transfers between users, and between a user and the partner. */
import { describe, expect, it } from "vitest";
import { tenantForEach } from "./tenant.ts";

const tenant = tenantForEach((fresh) => {
  fresh.addUser("user-1");
  fresh.addUser("user-2");
  fresh.pass(10);
  fresh.fund("user-1", "1000.00");
});

const betweenUsers = { sourceExternalUserId: "user-1", destinationExternalUserId: "user-2" };
const transfer = (body: object) => tenant.call("createTransfer", { body: { amount: 125.5, currency: "eur", ...body } });
const details = (transferId: string) => tenant.call("getTransferDetails", { path: { transferId } });

describe("a transfer", () => {
  it("between users is held at once and completed later", () => {
    const { status, body } = transfer(betweenUsers);
    const { transferId } = body;
    expect(status).toBe(201);
    expect([tenant.euro("user-1"), tenant.euro("user-2")]).toEqual(["874.50", "0.00"]);
    expect(details(transferId).body.status).toBe("IN_PROGRESS");
    expect(tenant.events("p2pTransfer")).toEqual([]);
    tenant.pass(1);
    const expected = {
      id: transferId,
      ...betweenUsers,
      amount: "125.50",
      currency: "eur",
      status: "SUCCESSFUL",
      createdAt: "2026-04-01T07:00:11.000Z",
    };
    expect(details(transferId).body).toEqual(expected);
    expect(tenant.events("p2pTransfer")).toEqual([expected]);
    expect([tenant.euro("user-1"), tenant.euro("user-2")]).toEqual(["874.50", "125.50"]);
    expect(tenant.history("user-1")[1]).toMatchObject({ type: "transfer", amount: -125.5, status: "SUCCESSFUL" });
    expect(tenant.history("user-2")[0]).toMatchObject({ type: "transfer", amount: 125.5, status: "SUCCESSFUL" });
    tenant.expectSound("user-1", "user-2", null);
  });

  it.each(["user-1", "user-2"])("fails and is given back when %s is suspended meanwhile", (user) => {
    const { transferId } = transfer(betweenUsers).body;
    tenant.access(user, "suspended");
    tenant.pass(1);
    expect(tenant.events("p2pTransfer")).toEqual([
      { ...details(transferId).body, error: { description: "User is suspended", status: 400 } },
    ]);
    expect(details(transferId).body.status).toBe("UNSUCCESSFUL");
    expect(details(transferId).body).not.toHaveProperty("error");
    expect([tenant.euro("user-1"), tenant.euro("user-2")]).toEqual(["1000.00", "0.00"]);
    expect(tenant.history("user-2")[0].status).toBe("UNSUCCESSFUL");
    tenant.expectSound("user-1", "user-2");
  });

  it("fails when the receiver is deleted meanwhile", () => {
    transfer({ ...betweenUsers, amount: 1000 });
    tenant.access("user-2", "deleted");
    tenant.pass(1);
    expect(tenant.events("p2pTransfer")[0].error.description).toBe("User does not exist");
    expect(tenant.euro("user-1")).toBe("1000.00");
  });
});
