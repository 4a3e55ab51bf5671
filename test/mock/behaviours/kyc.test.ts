/** The hosted verification, its status, and decisions from outside. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HappeningError } from "../../../scripts/mock/behaviours/happening.ts";
import { verifyNow } from "../../../scripts/mock/behaviours/kyc.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { newUser, of, passport, type Stage, stageOf } from "./users.support.ts";

let plan: Plan;
let stage: Stage;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  stage = stageOf(plan);
  stage.call("createUserAccount", newUser("user-1"));
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
  return stage.call("createKycVerification", { body });
}

function redirect(verificationId: string, externalUserId = "user-1") {
  return stage.call("redirectToKycVerification", { path: { externalUserId, verificationId } });
}

const idOf = ({ body }: { body: unknown }) => (body as { verificationId: string }).verificationId;
const status = () => stage.call("getKycStatus", of("user-1"));
const decide = (about: object = {}) =>
  stage.happen("kycVerification.kycIsDecided", { externalUserId: "user-1", ...about }).status;
const verification = () => stage.session.world.records.get("user", "user-1").states.verification;

describe("a hosted verification", () => {
  it("leads to a page, which moves nothing, and goes on by itself", () => {
    const created = createHosted();
    expect(created).toMatchObject({ status: 201, body: { verificationId: expect.any(String) } });
    expect(redirect(idOf(created))).toMatchObject({ status: 200, body: expect.stringContaining("<!doctype html>") });
    expect(status().body).toEqual({ verificationStatus: "NOT_VERIFIED", attemptStatus: "PENDING" });
    const { kycCheck, kycDecision } = plan.assumptions.delays;
    stage.pass(kycCheck);
    expect(status().body).toEqual({
      verificationStatus: "NOT_VERIFIED",
      attemptStatus: "VERIFICATION",
      rejectionReason: null,
    });
    stage.pass(kycDecision);
    expect(status().body).toEqual({ verificationStatus: "NOT_VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(stage.events().map(([, body]) => (body as { attemptStatus: string }).attemptStatus)).toEqual([
      "PENDING",
      "VERIFICATION",
      "SUCCESSFUL",
    ]);
  });

  it.each([0, 3600])("is finalised without files, %i seconds after it was created", (seconds) => {
    const verificationId = idOf(createHosted());
    stage.pass(seconds);
    expect(verification()).toBe("unverified");
    expect(stage.call("addUserVerification", passport("user-1")).status).toBe(201);
    expect(redirect(verificationId).status).toBe(200);
    stage.pass(3600);
    expect(status().body).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(stage.call("getUserBalances", of("user-1")).status).toBe(200);
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

  it("is not there before it is created, or for somebody else", () => {
    const unknown = "6694f229-359b-4548-81a0-d5b3ffc6e35c";
    expect(redirect(unknown).code).toBe("P445");
    expect(redirect(unknown, "user-9").code).toBe("P412");
    expect(createHosted("user-9").code).toBe("P412");
    expect(status().code).toBe("P445");
    expect(stage.call("getKycStatus", of("user-9")).code).toBe("P412");
  });
});

describe("a decision from outside", () => {
  it("rejects an attempt for a reason, and comes before the one that would come by itself", () => {
    createHosted();
    expect(decide({ status: "REJECTED_BY_PROVIDER", rejectionReason: "DOCUMENT_UNREADABLE" })).toBe(
      "REJECTED_BY_PROVIDER",
    );
    stage.pass(3600);
    expect(status().body).toEqual({
      verificationStatus: "NOT_VERIFIED",
      attemptStatus: "REJECTED_BY_PROVIDER",
      rejectionReason: "DOCUMENT_UNREADABLE",
    });
  });

  it("verifies a user whose verification is finalised", () => {
    createHosted();
    stage.call("addUserVerification", passport("user-1"));
    expect(decide()).toBe("SUCCESSFUL");
    expect(verification()).toBe("verified");
    expect(stage.events().at(-1)).toEqual([
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
    expect(stage.happen("kycVerification.attemptIsChecked", {})).toEqual({ status: "VERIFICATION" });
    stage.pass(plan.assumptions.delays.kycDecision);
    expect(status().body).toMatchObject({ attemptStatus: "SUCCESSFUL" });
  });

  it("says what is wrong with it, and leaves no trace", () => {
    expect(() => decide()).toThrow(HappeningError);
    createHosted();
    expect(() => decide({ status: "PENDING" })).toThrow("status must be one of REJECTED_BY_PROVIDER, SUCCESSFUL");
    expect(() => decide({ status: "REJECTED_BY_PROVIDER", rejectionReason: 7 })).toThrow("rejectionReason");
    expect(status().body).toMatchObject({ attemptStatus: "PENDING" });
    decide();
    expect(() => decide()).toThrow("SUCCESSFUL");
    expect(() => decide({ externalUserId: "user-9" })).toThrow("user-9");
    stage.call("deleteUser", of("user-1"));
    expect(() => decide()).toThrow(HappeningError);
  });
});

describe("verifyNow", () => {
  function verify(externalUserId = "user-1") {
    const { world, clock } = stage.session;
    world.at(clock.now, () => verifyNow(world, externalUserId));
  }

  it("verifies a user and makes the balances at once", () => {
    verify();
    verify();
    expect(status().body).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(stage.call("getUserBalances", of("user-1")).status).toBe(200);
    expect(() => verify("user-9")).toThrow(HappeningError);
  });
});
