import { beforeEach, describe, expect, it } from "vitest";
import { attemptsOf, type Body, startTime, tenantForEach } from "./tenant.ts";

const tenant = tenantForEach();

const verify = tenant.verify.bind(tenant);
const userFields = { externalUserId: "user-1" };
const user = () => tenant.world.records.get("user", "user-1");
const namesOf = (events: [string, Body][]) => events.map(([name]) => name);

describe("files", () => {
  beforeEach(() => {
    tenant.createUser("user-1");
  });

  it("are removed again when one of a request cannot be added", () => {
    tenant.createUser("user-2", { country: "XE" });
    tenant.uploadPassport("user-2");
    tenant.advance(10);
    expect(tenant.takeNewEvents()).toEqual([["kycFileAdded", { externalUserId: "user-2", status: "ERROR" }]]);
    expect(verify("user-2").code).toBe("P427");
  });

  it("may be as large as 5 MB and of any accepted type", () => {
    for (const contentType of tenant.world.plan.assumptions.kycFiles.types) {
      expect(tenant.uploadPassport("user-1", { contentType, size: 5_242_880 }).status, contentType).toBe(201);
    }
  });
});

describe("a verification", () => {
  it("is checked and approved, and then the user gets balances", () => {
    tenant.prepare("user-1");
    expect(verify("user-1")).toMatchObject({ status: 201, body: { message: "User verification added successfully" } });
    const userValues = { externalUserId: "user-1", verificationStatus: "NOT_VERIFIED" };
    expect(tenant.takeNewEvents()).toEqual([["kycVerificationStatus", { ...userValues, attemptStatus: "PENDING" }]]);
    const { kycCheck, kycDecision } = tenant.world.plan.assumptions.delays;
    tenant.advance(kycCheck);
    expect(tenant.takeNewEvents()).toEqual([
      ["kycVerificationStatus", { ...userValues, attemptStatus: "VERIFICATION" }],
    ]);
    tenant.advance(kycDecision - 1);
    expect(user().states.verification).toBe("unverified");
    expect(tenant.call("getUserBalances", userFields).code).toBe("P459");
    tenant.advance(1);
    expect(user().states.verification).toBe("verified");
    const body = { ...userValues, verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL", rejectionReason: null };
    expect(tenant.takeNewEvents()).toEqual([["kycVerificationStatus", body]]);

    tenant.advance(tenant.world.plan.assumptions.delays.balances);
    expect(tenant.takeNewEvents()).toEqual([["userBalanceGeneration", { externalUserId: "user-1", status: "ACTIVE" }]]);
    expect(tenant.readBalances("user-1").fiatBalances).toMatchObject([
      { name: "eur", amount: "0.00", iban: null, status: "WAITING_TO_BE_ACTIVATED" },
    ]);
  });

  it("requires a document that has not expired", () => {
    tenant.prepare("user-1");
    expect(verify("user-1", { documentExpirationDate: "2026-03-31" }).code).toBe("P446");
    expect(verify("user-1", { documentExpirationDate: "2026-04-01" }).status).toBe(201);
  });

  it("requires a document of no other user, and releases the one of an earlier attempt", () => {
    tenant.prepare("user-1");
    tenant.prepare("user-2");
    verify("user-1");
    const refusedResponse = verify("user-2", { documentNumber: "ZS-user-1" });
    expect(refusedResponse.code).toBe("P466");
    expect(JSON.stringify(refusedResponse.body)).not.toContain("ZS-user-1");
    verify("user-1", { documentNumber: "ZS-new" });
    expect(verify("user-2", { documentNumber: "ZS-user-1" }).status).toBe(201);
  });

  it("is refused after too many attempts, where refused calls do not count", () => {
    tenant.prepare("user-1", "XN");
    for (let attempt = 0; attempt < tenant.world.plan.assumptions.verification.attempts; attempt += 1) {
      expect(verify("user-1", { documentExpirationDate: "2020-01-01" }).code).toBe("P446");
      expect(verify("user-1").status).toBe(201);
      tenant.advance(60);
    }
    expect(verify("user-1").code).toBe("P430");
  });

  it("is rejected when the provider finds no face, and can be repeated", () => {
    tenant.prepare("user-1", "XN");
    verify("user-1");
    tenant.advance(3600);
    const userValues = { externalUserId: "user-1", verificationStatus: "NOT_VERIFIED" };
    const events = tenant.takeNewEvents();
    expect(attemptsOf(events).at(-1)).toEqual({
      ...userValues,
      attemptStatus: "REJECTED_BY_PROVIDER",
      rejectionReason: "NO_FACE_FOUND",
    });
    expect(namesOf(events)).not.toContain("userBalanceGeneration");
    expect(verify("user-1").status).toBe(201);
  });

  it("replaces the previous attempt, which is not decided any more", () => {
    tenant.prepare("user-1");
    verify("user-1");
    tenant.advance(0.5);
    verify("user-1");
    const takeNewStatuses = () =>
      attemptsOf(tenant.takeNewEvents()).map((body) => (body as { attemptStatus: string }).attemptStatus);
    tenant.advance(tenant.world.plan.assumptions.delays.kycCheck - 0.5);
    expect(takeNewStatuses()).toEqual(["PENDING", "PENDING"]);
    tenant.advance(3600);
    expect(takeNewStatuses()).toEqual(["VERIFICATION", "SUCCESSFUL"]);
  });

  it("expires with the document, and can then be made again", () => {
    tenant.prepare("user-1");
    verify("user-1");
    tenant.advance(60);
    const readStatus = () => tenant.call("getKycStatus", userFields).body;
    expect(readStatus()).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    tenant.advance((Date.parse("2029-12-12T23:59:00Z") - startTime) / 1000 - 120);
    expect(readStatus()).toMatchObject({ verificationStatus: "VERIFIED" });
    tenant.advance(86_400);
    expect(readStatus()).toEqual({ verificationStatus: "EXPIRED", attemptStatus: "SUCCESSFUL" });
    tenant.takeNewEvents();
    expect(verify("user-1", { documentExpirationDate: "2039-12-12" }).status).toBe(201);
    expect(readStatus()).toEqual({ verificationStatus: "EXPIRED", attemptStatus: "PENDING" });
    tenant.advance(60);
    expect(readStatus()).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
    expect(namesOf(tenant.takeNewEvents())).not.toContain("userBalanceGeneration");
  });
});

describe("a hosted verification", () => {
  const createHosted = () => tenant.call("createKycVerification", userFields).body as { verificationId: string };
  const readStatus = () => tenant.call("getKycStatus", userFields).body;
  beforeEach(() => {
    tenant.createUser("user-1");
  });

  it("is finalised without files, an hour after its creation", () => {
    const { verificationId } = createHosted();
    tenant.advance(3600);
    expect(user().states.verification).toBe("unverified");
    expect(verify("user-1").status).toBe(201);
    expect(tenant.call("redirectToKycVerification", { ...userFields, verificationId }).status).toBe(200);
    tenant.advance(3600);
    expect(readStatus()).toEqual({ verificationStatus: "VERIFIED", attemptStatus: "SUCCESSFUL" });
  });

  it("can be checked early by an external event, and is then decided", () => {
    createHosted();
    expect(tenant.triggerEvent("kycVerification.attemptIsChecked", {}).states).toEqual({ status: "VERIFICATION" });
    tenant.advance(tenant.world.plan.assumptions.delays.kycDecision);
    expect(readStatus()).toMatchObject({ attemptStatus: "SUCCESSFUL" });
  });
});

describe("an additional risk verification", () => {
  const decide = (status?: string) =>
    tenant.triggerEvent("riskVerification.riskIsDecided", { externalUserId: "user-1", ...(status ? { status } : {}) })
      .states;
  const riskStatusesOf = (events: [string, Body][]) =>
    events.filter(([name]) => name === "highRiskKycVerification").map(([, body]) => body.status);

  it("comes before the check, and is passed automatically", () => {
    tenant.prepare("user-1", "XR");
    expect(verify("user-1")).toMatchObject({ status: 202, code: "P213" });
    tenant.advance(tenant.world.plan.assumptions.delays.riskDecision - 1);
    const eventsBefore = tenant.takeNewEvents();
    expect(riskStatusesOf(eventsBefore)).toEqual(["PENDING"]);
    expect(attemptsOf(eventsBefore)).toMatchObject([{ attemptStatus: "PENDING" }]);
    tenant.advance(3600);
    const eventsAfter = tenant.takeNewEvents();
    expect(eventsAfter.slice(0, 2).map(([name]) => name)).toEqual(["highRiskKycVerification", "kycVerificationStatus"]);
    expect(riskStatusesOf(eventsAfter)).toEqual(["APPROVED"]);
    expect(attemptsOf(eventsAfter).at(-1)).toMatchObject({
      verificationStatus: "VERIFIED",
      attemptStatus: "SUCCESSFUL",
    });
  });

  it("ends the verification when it is rejected: further attempts are refused", () => {
    tenant.prepare("user-1", "XR");
    verify("user-1");
    expect(decide("REJECTED")).toEqual({ status: "REJECTED" });
    tenant.advance(3600);
    const events = tenant.takeNewEvents();
    expect(riskStatusesOf(events)).toEqual(["PENDING", "REJECTED"]);
    expect(attemptsOf(events)).toMatchObject([{ attemptStatus: "PENDING" }]);
    expect(user().states.verification).toBe("unverified");
    expect(verify("user-1").code).toBe("P475");
  });

  it("restarted after a decision ends after its own delay, with or without a waiting attempt", () => {
    tenant.prepare("user-1");
    const begin = () => tenant.triggerEvent("riskVerification.riskIsChecked", { externalUserId: "user-1" });
    begin();
    decide("REJECTED");
    tenant.advance(1);
    const risk = begin();
    tenant.advance(tenant.world.plan.assumptions.delays.riskDecision - 1);
    expect(risk.states.status).toBe("PENDING");
    tenant.advance(1);
    expect(risk.states.status).toBe("APPROVED");
  });

  it("is not repeated once passed", () => {
    tenant.prepare("user-1", "XR");
    verify("user-1");
    decide();
    tenant.triggerEvent("kycVerification.kycIsDecided", { externalUserId: "user-1", status: "REJECTED_BY_PROVIDER" });
    expect(verify("user-1").status).toBe(201);
    tenant.advance(3600);
    expect(user().states.verification).toBe("verified");
  });

  it("pauses a running attempt when an external event starts it", () => {
    tenant.prepare("user-1");
    verify("user-1");
    tenant.advance(tenant.world.plan.assumptions.delays.kycCheck);
    tenant.triggerEvent("riskVerification.riskIsChecked", { externalUserId: "user-1" });
    tenant.advance(tenant.world.plan.assumptions.delays.kycDecision);
    expect(user().states.verification).toBe("unverified");
    tenant.advance(3600);
    expect(user().states.verification).toBe("verified");
  });
});

describe("a proof of address", () => {
  beforeEach(() => {
    tenant.createUser("user-1", { country: "DE" });
  });
  const upload = () => tenant.upload("addPoaFiles", "user-1", ["files"]);
  const decide = (status: string) => tenant.triggerEvent("user.addressIsDecided", { ...userFields, status });
  const eventsWith = (...statuses: string[]) =>
    statuses.map((status) => ["poaVerificationStatus", { externalUserId: "user-1", status }]);

  it("is checked and approved automatically", () => {
    expect(upload()).toMatchObject({ status: 201, body: { message: "POA files added successfully" } });
    expect(tenant.takeNewEvents()).toEqual(eventsWith("WAITING"));
    tenant.advance(tenant.world.plan.assumptions.delays.proofOfAddress - 1);
    expect(tenant.takeNewEvents()).toEqual([]);
    tenant.advance(1);
    expect(tenant.takeNewEvents()).toEqual(eventsWith("APPROVED"));
    expect(upload().code).toBe("P447");
  });

  it("gets P211 while a check is pending, and waits again only after a request for more information", () => {
    upload();
    tenant.takeNewEvents();
    expect(upload()).toMatchObject({ status: 202, code: "P211" });
    expect(tenant.takeNewEvents()).toEqual([]);
    decide("QUESTIONED");
    tenant.advance(3600);
    tenant.takeNewEvents();
    expect(upload()).toMatchObject({ status: 202, code: "P211" });
    tenant.advance(3600);
    expect(tenant.takeNewEvents()).toEqual(eventsWith("WAITING", "APPROVED"));
  });

  it("can be repeated after a rejection", () => {
    upload();
    decide("REJECTED");
    tenant.advance(3600);
    expect(tenant.takeNewEvents()).toEqual(eventsWith("WAITING", "REJECTED"));
    expect(upload().status).toBe(201);
  });
});
