/** The proof of address: who needs one, and how it goes on after each answer. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HappeningError } from "../../../scripts/mock/behaviours/happening.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { filesOf, newUser, type Stage, stageOf } from "./users.support.ts";

let plan: Plan;
let stage: Stage;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  stage = stageOf(plan);
  stage.call("createUserAccount", newUser("user-1", { country: "DE" }));
});

const upload = (id = "user-1") => stage.call("addPoaFiles", filesOf(id, ["files"]));
const decide = (status: string, externalUserId = "user-1") =>
  stage.happen("user.addressIsDecided", { externalUserId, status }).proofOfAddress;
const told = (...statuses: string[]) =>
  statuses.map((status) => ["poaVerificationStatus", { externalUserId: "user-1", status }]);

describe("an upload", () => {
  it("is checked, and approved by itself", () => {
    expect(upload()).toMatchObject({ status: 201, body: { message: "POA files added successfully" } });
    expect(stage.events()).toEqual(told("WAITING"));
    stage.pass(plan.assumptions.delays.proofOfAddress - 1);
    expect(stage.events()).toEqual([]);
    stage.pass(1);
    expect(stage.events()).toEqual(told("APPROVED"));
    expect(upload().code).toBe("P447");
  });

  it("is answered with P211 while a check is pending, and changes nothing then", () => {
    upload();
    stage.events();
    expect(upload()).toMatchObject({ status: 202, code: "P211" });
    expect(stage.events()).toEqual([]);
  });

  it("is answered with P211 after a question, and waits again", () => {
    upload();
    decide("QUESTIONED");
    stage.pass(3600);
    stage.events();
    expect(upload()).toMatchObject({ status: 202, code: "P211" });
    stage.pass(3600);
    expect(stage.events()).toEqual(told("WAITING", "APPROVED"));
  });

  it("can be repeated after a rejection", () => {
    upload();
    decide("REJECTED");
    stage.pass(3600);
    expect(stage.events()).toEqual(told("WAITING", "REJECTED"));
    expect(upload().status).toBe(201);
  });

  it("is refused where the country needs none, and for somebody who does not exist", () => {
    stage.call("createUserAccount", newUser("user-2"));
    expect(upload("user-2").code).toBe("P460");
    expect(upload("user-9").code).toBe("P412");
  });
});

describe("a decision from outside", () => {
  it("says what is wrong with it", () => {
    expect(() => decide("APPROVED")).toThrow(HappeningError);
    expect(() => decide("APPROVED")).toThrow("is MISSING and cannot become APPROVED");
    expect(() => decide("MISSING")).toThrow("status must be one of APPROVED, REJECTED, QUESTIONED");
    expect(() => decide("APPROVED", "user-9")).toThrow("there is no user user-9");
  });
});
