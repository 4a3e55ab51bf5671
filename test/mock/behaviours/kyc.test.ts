/** The hosted verification, its status, and decisions by external events. */
import { describe, expect, it } from "vitest";
import { verifyNow } from "../../../scripts/mock/behaviours/kyc.ts";
import { ControlError } from "../../../scripts/mock/checks/error.ts";
import { newUser, passport, tenantForEach, userPath } from "./tenant.ts";

const tenant = tenantForEach((fresh) => fresh.call("createUserAccount", newUser("user-1")));

function createHosted(externalUserId = "user-1") {
  const body = {
    externalUserId,
    documentType: "ID_CARD",
    country: "PT",
    incomeSource: "SALARY",
    openAccountReason: "DAILY_USE",
    occupation: "IT",
    additionalInfo: "Developer",
  };
  return tenant.call("createKycVerification", { body });
}

function redirect(verificationId: string, externalUserId = "user-1") {
  return tenant.call("redirectToKycVerification", { path: { externalUserId, verificationId } });
}

const idOf = ({ body }: { body: unknown }) => (body as { verificationId: string }).verificationId;
const status = () => tenant.call("getKycStatus", userPath("user-1"));
const verification = () => tenant.world.records.get("user", "user-1").states.verification;

describe("a hosted verification", () => {
  it("is finalised without files, an hour after it was created", () => {
    const verificationId = idOf(createHosted());
    tenant.pass(3600);
    expect(verification()).toBe("unverified");
    expect(tenant.call("addUserVerification", passport("user-1")).status).toBe(201);
    expect(redirect(verificationId).status).toBe(200);
    tenant.pass(3600);
    expect(status().body).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(tenant.call("getUserBalances", userPath("user-1")).status).toBe(200);
  });
});

describe("a decision from outside", () => {
  it("begins the check of an attempt, which then ends by itself", () => {
    createHosted();
    expect(tenant.triggerEvent("kycVerification.attemptIsChecked", {}).states).toEqual({ status: "VERIFICATION" });
    tenant.pass(tenant.world.plan.assumptions.delays.kycDecision);
    expect(status().body).toMatchObject({ attemptStatus: "SUCCESSFUL" });
  });
});

describe("verifyNow", () => {
  function verify(externalUserId = "user-1") {
    const { world } = tenant;
    const { clock } = world;
    world.at(clock.now, () => verifyNow(world, externalUserId));
  }

  it("verifies a user and makes the balances at once", () => {
    verify();
    verify();
    expect(status().body).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(tenant.call("getUserBalances", userPath("user-1")).status).toBe(200);
    expect(() => verify("user-9")).toThrow(ControlError);
  });
});
