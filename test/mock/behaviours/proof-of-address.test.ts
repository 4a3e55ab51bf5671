/** The proof of address: when it is needed, and what follows each response. */
import { describe, expect, it } from "vitest";
import { filesOf, newUser, tenantForEach } from "./tenant.ts";

const tenant = tenantForEach((fresh) => fresh.call("createUserAccount", newUser("user-1", { country: "DE" })));

const upload = (id = "user-1") => tenant.call("addPoaFiles", filesOf(id, ["files"]));
const decide = (status: string, externalUserId = "user-1") =>
  tenant.triggerEvent("user.addressIsDecided", { externalUserId, status }).states.proofOfAddress;
const told = (...statuses: string[]) =>
  statuses.map((status) => ["poaVerificationStatus", { externalUserId: "user-1", status }]);

describe("an upload", () => {
  it("is checked, and approved by itself", () => {
    expect(upload()).toMatchObject({ status: 201, body: { message: "POA files added successfully" } });
    expect(tenant.newEvents()).toEqual(told("WAITING"));
    tenant.pass(tenant.world.plan.assumptions.delays.proofOfAddress - 1);
    expect(tenant.newEvents()).toEqual([]);
    tenant.pass(1);
    expect(tenant.newEvents()).toEqual(told("APPROVED"));
    expect(upload().code).toBe("P447");
  });

  it("is answered with P211 while a check is pending, and changes nothing then", () => {
    upload();
    tenant.newEvents();
    expect(upload()).toMatchObject({ status: 202, code: "P211" });
    expect(tenant.newEvents()).toEqual([]);
  });

  it("is answered with P211 after a question, and waits again", () => {
    upload();
    decide("QUESTIONED");
    tenant.pass(3600);
    tenant.newEvents();
    expect(upload()).toMatchObject({ status: 202, code: "P211" });
    tenant.pass(3600);
    expect(tenant.newEvents()).toEqual(told("WAITING", "APPROVED"));
  });

  it("can be repeated after a rejection", () => {
    upload();
    decide("REJECTED");
    tenant.pass(3600);
    expect(tenant.newEvents()).toEqual(told("WAITING", "REJECTED"));
    expect(upload().status).toBe(201);
  });
});
