/** The additional risk verification: what it delays, and its decision. */
import { describe, expect, it } from "vitest";
import { attemptsOf, type Body, passport, tenantForEach } from "./tenant.ts";

const tenant = tenantForEach();

const verify = (id: string) => tenant.call("addUserVerification", passport(id));
const user = () => tenant.world.records.get("user", "user-1");

describe("an additional risk verification", () => {
  const decide = (status?: string) =>
    tenant.triggerEvent("riskVerification.riskIsDecided", { externalUserId: "user-1", ...(status ? { status } : {}) })
      .states;
  const risks = (events: [string, Body][]) =>
    events.filter(([name]) => name === "highRiskKycVerification").map(([, body]) => body.status);

  it("comes before the check, and is passed by itself", () => {
    tenant.prepare("user-1", "XR");
    expect(verify("user-1")).toMatchObject({ status: 202, code: "P213" });
    tenant.pass(tenant.world.plan.assumptions.delays.riskDecision - 1);
    const before = tenant.newEvents();
    expect(risks(before)).toEqual(["PENDING"]);
    expect(attemptsOf(before)).toMatchObject([{ attemptStatus: "PENDING" }]);
    tenant.pass(3600);
    const after = tenant.newEvents();
    expect(after.slice(0, 2).map(([name]) => name)).toEqual(["highRiskKycVerification", "kycVerificationStatus"]);
    expect(risks(after)).toEqual(["APPROVED"]);
    expect(attemptsOf(after).at(-1)).toMatchObject({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
  });

  it("ends the verification when it is rejected: every further one is refused", () => {
    tenant.prepare("user-1", "XR");
    verify("user-1");
    expect(decide("REJECTED")).toEqual({ status: "REJECTED" });
    tenant.pass(3600);
    const events = tenant.newEvents();
    expect(risks(events)).toEqual(["PENDING", "REJECTED"]);
    expect(attemptsOf(events)).toMatchObject([{ attemptStatus: "PENDING" }]);
    expect(user().states.verification).toBe("unverified");
    expect(verify("user-1").code).toBe("P475");
  });

  it("that began again after a decision ends after its own time, with or without an attempt that waits", () => {
    tenant.prepare("user-1");
    const begin = () => tenant.triggerEvent("riskVerification.riskIsChecked", { externalUserId: "user-1" });
    begin();
    decide("REJECTED");
    tenant.pass(1);
    const risk = begin();
    tenant.pass(tenant.world.plan.assumptions.delays.riskDecision - 1);
    expect(risk.states.status).toBe("PENDING");
    tenant.pass(1);
    expect(risk.states.status).toBe("APPROVED");
  });

  it("is not made twice once it is passed", () => {
    tenant.prepare("user-1", "XR");
    verify("user-1");
    decide();
    tenant.triggerEvent("kycVerification.kycIsDecided", { externalUserId: "user-1", status: "REJECTED_BY_PROVIDER" });
    expect(verify("user-1").status).toBe(201);
    tenant.pass(3600);
    expect(user().states.verification).toBe("verified");
  });

  it("holds up an attempt that runs when it begins from outside", () => {
    tenant.prepare("user-1");
    verify("user-1");
    tenant.pass(tenant.world.plan.assumptions.delays.kycCheck);
    tenant.triggerEvent("riskVerification.riskIsChecked", { externalUserId: "user-1" });
    tenant.pass(tenant.world.plan.assumptions.delays.kycDecision);
    expect(user().states.verification).toBe("unverified");
    tenant.pass(3600);
    expect(user().states.verification).toBe("verified");
  });
});
