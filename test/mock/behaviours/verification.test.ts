/** Verification by files: what it needs, what it leads to, and the additional risk verification. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import {
  attemptsOf,
  filesOf,
  newUser,
  of,
  passport,
  prepare as prepareOn,
  type Stage,
  stageOf,
  start,
  type Told,
} from "./users.support.ts";

let plan: Plan;
let stage: Stage;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  stage = stageOf(plan);
});

const prepare = (id: string, country?: string) => prepareOn(stage, id, country);
const verify = (id: string, changes: object = {}) => stage.call("addUserVerification", passport(id, changes));
const user = (id = "user-1") => stage.session.world.records.get("user", id);
const namesOf = (events: Told[]) => events.map(([name]) => name);

describe("files", () => {
  beforeEach(() => {
    stage.call("createUserAccount", newUser("user-1"));
  });

  it("add up over several uploads, and each is told of", () => {
    const seconds = plan.assumptions.delays.kycFiles;
    expect(stage.call("addKycFiles", filesOf("user-1", ["front_id"]))).toMatchObject({
      status: 201,
      body: { message: "KYC files added successfully" },
    });
    expect(stage.events()).toEqual([]);
    stage.pass(seconds);
    expect(stage.events()).toEqual([["kycFileAdded", { externalUserId: "user-1", status: "ADDED" }]]);
    stage.call("addKycFiles", filesOf("user-1", ["selfie", "front_id"]));
    expect(user().data.files).toEqual(["front_id", "selfie"]);
  });

  it("are taken away again where they cannot be added", () => {
    stage.call("createUserAccount", newUser("user-2", { country: "XE" }));
    stage.call("addKycFiles", filesOf("user-2", ["front_id", "selfie"]));
    stage.pass(10);
    expect(stage.events()).toEqual([["kycFileAdded", { externalUserId: "user-2", status: "ERROR" }]]);
    expect(verify("user-2").code).toBe("P427");
  });

  it.each([
    ["P426", { contentType: "text/plain" }],
    ["P440", { size: 5_242_881 }],
  ])("are refused with %s for %o, the others of the upload as well", (code, changes) => {
    const { path, files } = filesOf("user-1", ["front_id"]);
    const refused = stage.call("addKycFiles", {
      path: path ?? {},
      files: { ...files, ...filesOf("user-1", ["selfie"], changes).files },
    });
    expect(refused).toMatchObject({ status: 400, code });
    expect(JSON.stringify(refused.body)).toContain("selfie");
    expect(user().data.files).toEqual([]);
    stage.pass(10);
    expect(stage.events()).toEqual([]);
  });

  it("may be as large as 5 MB and of any accepted type", () => {
    for (const contentType of plan.assumptions.kycFiles.types) {
      const changes = { contentType, size: 5_242_880 };
      expect(stage.call("addKycFiles", filesOf("user-1", ["selfie"], changes)).status, contentType).toBe(201);
    }
  });

  it("are refused with P439 when there are none, and with P412 for somebody who does not exist", () => {
    expect(stage.call("addKycFiles", of("user-1")).code).toBe("P439");
    expect(stage.call("addKycFiles", filesOf("user-9", ["selfie"])).code).toBe("P412");
  });
});

describe("a verification", () => {
  it("is checked and decided, and then the balances are made and get an account number", () => {
    prepare("user-1");
    expect(verify("user-1")).toMatchObject({ status: 201, body: { message: "User verification added successfully" } });
    const about = { externalUserId: "user-1", verificationStatus: "NOT_VERIFIED" };
    expect(stage.events()).toEqual([["kycVerificationStatus", { ...about, attemptStatus: "PENDING" }]]);
    const { kycCheck, kycDecision } = plan.assumptions.delays;
    stage.pass(kycCheck);
    expect(stage.events()).toEqual([["kycVerificationStatus", { ...about, attemptStatus: "VERIFICATION" }]]);
    stage.pass(kycDecision - 1);
    expect(user().states.verification).toBe("unverified");
    expect(stage.call("getUserBalances", of("user-1")).code).toBe("P459");
    stage.pass(1);
    expect(user().states.verification).toBe("verified");
    const body = { ...about, verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL", rejectionReason: null };
    expect(stage.events()).toEqual([["kycVerificationStatus", body]]);

    stage.pass(plan.assumptions.delays.balances);
    expect(stage.events()).toEqual([["userBalanceGeneration", { externalUserId: "user-1", status: "ACTIVE" }]]);
    const waiting = stage.call("getUserBalances", of("user-1")).body;
    expect(waiting).toMatchObject({
      fiatBalances: [{ name: "eur", amount: "0.00", iban: null, status: "WAITING_TO_BE_ACTIVATED" }],
    });
    stage.pass(60);
    const told = stage.events().flatMap(([name, event]) => (name === "ibanStatus" ? [event] : []));
    const iban = (told.at(-1) as { iban: string } | undefined)?.iban;
    expect(told).toEqual([
      { externalUserId: "user-1", iban: null, status: "PENDING" },
      { externalUserId: "user-1", iban: expect.any(String), status: "APPROVED" },
    ]);
    expect(stage.call("getUserBalances", of("user-1")).body).toMatchObject({
      fiatBalances: [{ amount: "0.00", iban, status: "ACTIVE" }],
    });
  });

  it("is refused for a user who is verified or does not exist", () => {
    prepare("user-1");
    verify("user-1");
    stage.pass(60);
    expect(verify("user-1").code).toBe("P442");
    expect(verify("user-9").code).toBe("P412");
  });

  it("needs the files of the document, and names those that are missing", () => {
    stage.call("createUserAccount", newUser("user-1"));
    expect(verify("user-1")).toMatchObject({
      code: "P427",
      body: { errorMessage: expect.stringContaining("front_id, selfie of user-1") },
    });
    stage.call("addKycFiles", filesOf("user-1", ["front_id", "selfie"]));
    expect(verify("user-1", { documentType: "ID_CARD" }).code).toBe("P427");
    expect(verify("user-1").status).toBe(201);
  });

  it("needs a document that has not expired", () => {
    prepare("user-1");
    expect(verify("user-1", { documentExpirationDate: "2026-03-01" }).code).toBe("P446");
    expect(verify("user-1", { documentExpirationDate: "2026-03-02" }).status).toBe(201);
  });

  it("needs a document that no other user has, and frees the one of an earlier try", () => {
    prepare("user-1");
    prepare("user-2");
    verify("user-1");
    const refused = verify("user-2", { documentNumber: "ZS-user-1" });
    expect(refused.code).toBe("P466");
    expect(JSON.stringify(refused.body)).not.toContain("ZS-user-1");
    verify("user-1", { documentNumber: "ZS-new" });
    expect(verify("user-2", { documentNumber: "ZS-user-1" }).status).toBe(201);
  });

  it("is refused after too many of them; those that were refused do not count", () => {
    prepare("user-1", "XN");
    for (let attempt = 0; attempt < plan.assumptions.verification.attempts; attempt += 1) {
      expect(verify("user-1", { documentExpirationDate: "2020-01-01" }).code).toBe("P446");
      expect(verify("user-1").status).toBe(201);
      stage.pass(60);
    }
    expect(verify("user-1").code).toBe("P430");
  });

  it.each([
    ["P474", "XH"],
    ["P475", "XJ"],
  ])("is refused with %s by the country, and leaves no trace", (code, country) => {
    prepare("user-1", country);
    const { world } = stage.session;
    const before = JSON.stringify([world.records.dump(), world.jobs.waiting]);
    expect(verify("user-1").code).toBe(code);
    expect(JSON.stringify([world.records.dump(), world.jobs.waiting])).toBe(before);
    prepare("user-2");
    expect(verify("user-2", { documentNumber: "ZS-user-1" }).status).toBe(201);
  });

  it("ends badly where the provider finds no face, and can be made again", () => {
    prepare("user-1", "XN");
    verify("user-1");
    stage.pass(3600);
    const about = { externalUserId: "user-1", verificationStatus: "NOT_VERIFIED" };
    const events = stage.events();
    expect(attemptsOf(events).at(-1)).toEqual({
      ...about,
      attemptStatus: "REJECTED_BY_PROVIDER",
      rejectionReason: "NO_FACE_FOUND",
    });
    expect(namesOf(events)).not.toContain("userBalanceGeneration");
    expect(verify("user-1").status).toBe(201);
  });

  it("replaces the one before, whose end does not come any more", () => {
    prepare("user-1");
    verify("user-1");
    stage.pass(0.5);
    verify("user-1");
    const statuses = () => attemptsOf(stage.events()).map((body) => (body as { attemptStatus: string }).attemptStatus);
    stage.pass(plan.assumptions.delays.kycCheck - 0.5);
    expect(statuses()).toEqual(["PENDING", "PENDING"]);
    stage.pass(3600);
    expect(statuses()).toEqual(["VERIFICATION", "SUCCESSFUL"]);
  });

  it("expires with the document, and can then be made again", () => {
    prepare("user-1");
    verify("user-1");
    stage.pass(60);
    const status = () => stage.call("getKycStatus", of("user-1")).body;
    expect(status()).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    stage.pass((Date.parse("2029-12-12T23:59:00Z") - start) / 1000 - 120);
    expect(status()).toMatchObject({ verificationStatus: "VERIFIED" });
    stage.pass(86_400);
    expect(status()).toEqual({ verificationStatus: "EXPIRED", attemptStatus: "SUCCESSFUL" });
    stage.events();
    expect(verify("user-1", { documentExpirationDate: "2039-12-12" }).status).toBe(201);
    expect(status()).toEqual({ verificationStatus: "EXPIRED", attemptStatus: "PENDING" });
    stage.pass(60);
    expect(status()).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(namesOf(stage.events())).not.toContain("userBalanceGeneration");
  });
});
