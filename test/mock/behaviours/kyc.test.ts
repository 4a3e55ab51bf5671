/** The hosted verification, its status, and decisions from outside. */
import { describe, expect, it } from "vitest";
import { ExternalEventError } from "../../../scripts/mock/behaviours/external-event.ts";
import { verifyNow } from "../../../scripts/mock/behaviours/kyc.ts";
import { newUser, of, passport, type Tenant, withEachTenant } from "./tenant.ts";

let tenant: Tenant;

withEachTenant((fresh) => {
  tenant = fresh;
  tenant.call("createUserAccount", newUser("user-1"));
});

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
const status = () => tenant.call("getKycStatus", of("user-1"));
const decide = (about: object = {}) =>
  tenant.triggerEvent("kycVerification.kycIsDecided", { externalUserId: "user-1", ...about }).states.status;
const verification = () => tenant.world.records.get("user", "user-1").states.verification;

describe("a hosted verification", () => {
  it("leads to a page, which moves nothing, and goes on by itself", () => {
    const created = createHosted();
    expect(created).toMatchObject({ status: 201, body: { verificationId: expect.any(String) } });
    expect(redirect(idOf(created))).toMatchObject({ status: 200, body: expect.stringContaining("<!doctype html>") });
    expect(status().body).toEqual({ verificationStatus: "NOT_VERIFIED", attemptStatus: "PENDING" });
    const { kycCheck, kycDecision } = tenant.world.plan.assumptions.delays;
    tenant.pass(kycCheck);
    expect(status().body).toEqual({
      verificationStatus: "NOT_VERIFIED",
      attemptStatus: "VERIFICATION",
      rejectionReason: null,
    });
    tenant.pass(kycDecision);
    expect(status().body).toEqual({ verificationStatus: "NOT_VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(tenant.newEvents().map(([, body]) => (body as { attemptStatus: string }).attemptStatus)).toEqual([
      "PENDING",
      "VERIFICATION",
      "SUCCESSFUL",
    ]);
  });

  it.each([0, 3600])("is finalised without files, %i seconds after it was created", (seconds) => {
    const verificationId = idOf(createHosted());
    tenant.pass(seconds);
    expect(verification()).toBe("unverified");
    expect(tenant.call("addUserVerification", passport("user-1")).status).toBe(201);
    expect(redirect(verificationId).status).toBe(200);
    tenant.pass(3600);
    expect(status().body).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(tenant.call("getUserBalances", of("user-1")).status).toBe(200);
  });

  it("is replaced by the next one, whose page only is there", () => {
    const first = idOf(createHosted());
    decide({ status: "REJECTED_BY_PROVIDER" });
    const second = idOf(createHosted());
    expect(second).not.toBe(first);
    expect(redirect(first).code).toBe("P445");
    expect(redirect(second.toUpperCase()).status).toBe(200);
    expect(status().body).toEqual({ verificationStatus: "NOT_VERIFIED", attemptStatus: "PENDING" });
  });
});

describe("a decision from outside", () => {
  it("rejects an attempt for a reason, and comes before the one that would come by itself", () => {
    createHosted();
    expect(decide({ status: "REJECTED_BY_PROVIDER", rejectionReason: "DOCUMENT_UNREADABLE" })).toBe(
      "REJECTED_BY_PROVIDER",
    );
    tenant.pass(3600);
    expect(status().body).toEqual({
      verificationStatus: "NOT_VERIFIED",
      attemptStatus: "REJECTED_BY_PROVIDER",
      rejectionReason: "DOCUMENT_UNREADABLE",
    });
  });

  it("verifies a user whose verification is finalised", () => {
    createHosted();
    tenant.call("addUserVerification", passport("user-1"));
    expect(decide()).toBe("SUCCESSFUL");
    expect(verification()).toBe("verified");
    expect(tenant.newEvents().at(-1)).toEqual([
      "kycVerificationStatus",
      {
        externalUserId: "user-1",
        verificationStatus: "VERIFIED",
        attemptStatus: "SUCCESSFUL",
        rejectionReason: null,
      },
    ]);
  });

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
    expect(tenant.call("getUserBalances", of("user-1")).status).toBe(200);
    expect(() => verify("user-9")).toThrow(ExternalEventError);
  });
});
