/** Transfers between users, and between a user and the partner. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { Tenant } from "./tenant.ts";

let plan: Plan;
let tenant: Tenant;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  tenant = new Tenant(plan);
  tenant.addUser("user-1");
  tenant.addUser("user-2");
  tenant.pass(10);
  tenant.fund("user-1", "1000.00");
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

  it("without a source is paid by the partner, with null in the event", () => {
    tenant.fund(null, "60.00");
    transfer({ destinationExternalUserId: "user-2", amount: "50" });
    tenant.pass(1);
    expect(tenant.events("p2pTransfer")[0]).toMatchObject({
      sourceExternalUserId: null,
      destinationExternalUserId: "user-2",
      status: "SUCCESSFUL",
    });
    expect([tenant.euro(null), tenant.euro("user-2")]).toEqual(["10.00", "50.00"]);
  });

  it("without a destination is collected by the partner", () => {
    transfer({ sourceExternalUserId: "user-1", amount: "0.01" });
    tenant.pass(1);
    expect(tenant.events("p2pTransfer")[0]).toMatchObject({ destinationExternalUserId: null, amount: "0.01" });
    expect([tenant.euro(null), tenant.euro("user-1")]).toEqual(["0.01", "999.99"]);
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
    transfer(betweenUsers);
    tenant.access("user-2", "deleted");
    tenant.pass(1);
    expect(tenant.events("p2pTransfer")[0].error.description).toBe("User does not exist");
    expect(tenant.euro("user-1")).toBe("1000.00");
  });

  it.each([
    ["more than the balance", { ...betweenUsers, amount: "1000.01" }, "P433", /user-1 does not have 1000.01 eur/],
    ["more than the partner has", { destinationExternalUserId: "user-2" }, "P433", /the partner does not have/],
    ["neither user", {}, "P424", /sourceExternalUserId, destinationExternalUserId/],
    ["one user twice", { sourceExternalUserId: "user-1", destinationExternalUserId: "user-1" }, "P403", /same user/],
    ["an unknown currency", { ...betweenUsers, currency: "xyz" }, "P403", /xyz/],
    ["a currency of another kind", { ...betweenUsers, currency: "constructor" }, "P403", /constructor/],
    ["too many decimals", { ...betweenUsers, amount: "1.001" }, "P403", /2 decimal places/],
    ["nothing", { ...betweenUsers, amount: 0 }, "P403", /more than zero/],
    ["a negative amount", { ...betweenUsers, amount: -5 }, "P403", /more than zero/],
    ["a receiver who does not exist", { ...betweenUsers, destinationExternalUserId: "nobody" }, "P412", /nobody/],
  ])("of %s is refused and leaves no trace", (_name, body, code, message) => {
    const before = tenant.snapshot();
    expect(transfer(body)).toMatchObject({ code, notes: [expect.stringMatching(message)] });
    expect(tenant.snapshot()).toBe(before);
  });

  it("cannot spend what another one holds", () => {
    expect(transfer({ ...betweenUsers, amount: "600" }).status).toBe(201);
    expect(transfer({ ...betweenUsers, amount: "600" }).code).toBe("P433");
  });

  it("that is unknown gives the 404 without a code", () => {
    expect(details("7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63")).toMatchObject({ status: 404, code: undefined });
  });

  it("of an unverified user is refused with P459", () => {
    tenant.addUnverified("user-3");
    expect(transfer({ ...betweenUsers, destinationExternalUserId: "user-3" }).code).toBe("P459");
  });

  it("is the same again after a reset", () => {
    const story = () => {
      tenant = new Tenant(plan);
      tenant.addUser("user-1");
      tenant.addUser("user-2");
      tenant.pass(10);
      tenant.fund("user-1", "10.00");
      transfer({ ...betweenUsers, amount: 1 });
      tenant.pass(1);
      return tenant.snapshot();
    };
    expect(story()).toBe(story());
  });
});
