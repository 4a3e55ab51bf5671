/** The additional risk verification: what it holds up, and who decides it. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HappeningError } from "../../../scripts/mock/behaviours/happening.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { attemptsOf, passport, prepare as prepareOn, type Stage, stageOf, type Told } from "./users.support.ts";

let plan: Plan;
let stage: Stage;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  stage = stageOf(plan);
});

const prepare = (id: string, country?: string) => prepareOn(stage, id, country);
const verify = (id: string) => stage.call("addUserVerification", passport(id));
const user = () => stage.session.world.records.get("user", "user-1");

describe("an additional risk verification", () => {
  const decide = (status?: string) =>
    stage.happen("riskVerification.riskIsDecided", { externalUserId: "user-1", ...(status ? { status } : {}) });
  const risks = (events: Told[]) =>
    events
      .filter(([name]) => name === "highRiskKycVerification")
      .map(([, body]) => (body as { status: string }).status);

  it("comes before the check, and is passed by itself", () => {
    prepare("user-1", "XR");
    expect(verify("user-1")).toMatchObject({ status: 202, code: "P213" });
    stage.pass(plan.assumptions.delays.riskDecision - 1);
    const before = stage.events();
    expect(risks(before)).toEqual(["PENDING"]);
    expect(attemptsOf(before)).toMatchObject([{ attemptStatus: "PENDING" }]);
    stage.pass(3600);
    const after = stage.events();
    expect(after.slice(0, 2).map(([name]) => name)).toEqual(["highRiskKycVerification", "kycVerificationStatus"]);
    expect(risks(after)).toEqual(["APPROVED"]);
    expect(attemptsOf(after).at(-1)).toMatchObject({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
  });

  it("ends the verification when it is rejected: every further one is refused", () => {
    prepare("user-1", "XR");
    verify("user-1");
    expect(decide("REJECTED")).toEqual({ status: "REJECTED" });
    stage.pass(3600);
    const events = stage.events();
    expect(risks(events)).toEqual(["PENDING", "REJECTED"]);
    expect(attemptsOf(events)).toMatchObject([{ attemptStatus: "PENDING" }]);
    expect(user().states.verification).toBe("unverified");
    expect(verify("user-1").code).toBe("P475");
  });

  it("is not made twice once it is passed", () => {
    prepare("user-1", "XR");
    verify("user-1");
    decide();
    stage.happen("kycVerification.kycIsDecided", { externalUserId: "user-1", status: "REJECTED_BY_PROVIDER" });
    expect(verify("user-1").status).toBe(201);
    stage.pass(3600);
    expect(user().states.verification).toBe("verified");
  });

  it("holds up an attempt that runs when it begins from outside", () => {
    prepare("user-1");
    verify("user-1");
    stage.pass(plan.assumptions.delays.kycCheck);
    stage.happen("riskVerification.riskIsChecked", { externalUserId: "user-1" });
    stage.pass(plan.assumptions.delays.kycDecision);
    expect(user().states.verification).toBe("unverified");
    stage.pass(3600);
    expect(user().states.verification).toBe("verified");
  });

  it("leads to P213 for any country when it begins before", () => {
    prepare("user-1");
    expect(stage.happen("riskVerification.riskIsChecked", { externalUserId: "user-1" })).toEqual({ status: "PENDING" });
    expect(verify("user-1")).toMatchObject({ status: 202, code: "P213" });
    expect(() => stage.happen("riskVerification.riskIsChecked", { externalUserId: "user-1" })).toThrow("runs already");
    stage.pass(3600);
    const events = stage.events();
    expect(risks(events)).toEqual(["PENDING", "APPROVED"]);
    expect(user().states.verification).toBe("verified");
  });

  it("says what is wrong with a decision", () => {
    prepare("user-1", "XR");
    expect(() => decide()).toThrow(HappeningError);
    verify("user-1");
    expect(() => decide("PENDING")).toThrow("status must be one of APPROVED, REJECTED");
    decide();
    expect(() => decide("REJECTED")).toThrow("APPROVED");
    expect(() => stage.happen("riskVerification.riskIsChecked", { externalUserId: "user-9" })).toThrow("user-9");
  });
});
