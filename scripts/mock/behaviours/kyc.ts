import { openBalances } from "./balances.ts";
import type { BehaviourGroup, MockWorld } from "./behaviour.ts";
import { resourceInStatus } from "./external-event.ts";
import type { Resource, ResourceData } from "./records.ts";
import { outcomesOf } from "./steps.ts";
import { countryOf, existingUser, requireUser } from "./users.ts";

type Attempt = Resource<"kycVerification">;

const defaultRejectionReason = "NO_FACE_FOUND";

export const kyc: BehaviourGroup = {
  operations: {
    createKycVerification({ world, body }) {
      const verificationId = world.ids.uuid();
      startAttempt(world, body.externalUserId, { verificationId, documentExpirationDate: null });
      continueAttempt(world, body.externalUserId);
      return { status: 201, body: { verificationId } };
    },

    redirectToKycVerification(call) {
      const { world, path } = call;
      const { verificationId } = world.records.get("kycVerification", path.externalUserId).data;
      if (verificationId !== path.verificationId.toLowerCase()) {
        call.refuse("P445", `verificationId ${path.verificationId} of ${path.externalUserId}`);
      }
    },

    // Without a reason, rejectionReason is null in the status VERIFICATION, and absent in other statuses (Q-kyc-rejection-form).
    getKycStatus({ world, path }) {
      const attempt = world.records.get("kycVerification", path.externalUserId);
      return { status: 200, body: statusOf(world, attempt, "VERIFICATION") };
    },
  },

  jobs: {
    checkAttempt(world, values) {
      const attempt = currentAttempt(world, values, "PENDING");
      if (attempt !== undefined) beginVerification(world, attempt);
    },

    decideAttempt(world, values) {
      const attempt = currentAttempt(world, values, "VERIFICATION");
      if (attempt === undefined) return;
      const country = countryOf(world.records.get("user", attempt.id));
      const isRejected = world.assumptions.countries.rejectedByProvider.includes(country);
      if (isRejected) reject(world, attempt, defaultRejectionReason);
      else succeed(world, attempt);
    },

    generateBalances(world, { externalUserId = "" }) {
      if (existingUser(world, externalUserId) !== undefined) openBalances(world, externalUserId);
    },
  },

  events: {
    kycVerificationStatus: (world, attempt: Attempt) => ({
      externalUserId: attempt.id,
      ...statusOf(world, attempt, "SUCCESSFUL"),
    }),
  },

  externalEvents: {
    "kycVerification.attemptIsChecked": (world, input) => {
      const attempt = resourceInStatus(world, "kycVerification", input, ["PENDING"]);
      requireUser(world, attempt.id);
      beginVerification(world, attempt);
      return attempt;
    },

    "kycVerification.kycIsDecided": (world, input) => {
      const outcomes = outcomesOf(world, "kycVerification", "kycIsDecided");
      const status = input.choice("status", outcomes, "SUCCESSFUL");
      const attempt = resourceInStatus(world, "kycVerification", input, ["PENDING", "VERIFICATION"]);
      requireUser(world, attempt.id);
      if (attempt.states.status === "PENDING") world.move(attempt, "VERIFICATION");
      if (status === "SUCCESSFUL") succeed(world, attempt);
      else reject(world, attempt, input.text("rejectionReason", defaultRejectionReason));
      return attempt;
    },
  },
};

export function startAttempt(
  world: MockWorld,
  externalUserId: string,
  fields: Pick<ResourceData["kycVerification"], "verificationId" | "documentExpirationDate">,
): Attempt {
  const number = (world.records.find("kycVerification", externalUserId)?.data.number ?? 0) + 1;
  const data = { ...fields, rejectionReason: null, number };
  return world.create("kycVerification", { id: externalUserId, owner: externalUserId, data });
}

export function continueAttempt(world: MockWorld, externalUserId: string): void {
  const attempt = world.records.get("kycVerification", externalUserId);
  const jobValues = { externalUserId, number: String(attempt.data.number) };
  const { kycCheck, kycDecision } = world.assumptions.delays;
  if (attempt.states.status === "PENDING") world.schedule(kycCheck, "checkAttempt", jobValues);
  if (attempt.states.status === "VERIFICATION") world.schedule(kycDecision, "decideAttempt", jobValues);
}

export function verifyNow(world: MockWorld, externalUserId: string): void {
  const user = requireUser(world, externalUserId);
  if (user.states.verification === "unverified") {
    const attempt = startAttempt(world, externalUserId, { verificationId: null, documentExpirationDate: null });
    world.move(attempt, "VERIFICATION");
    world.move(user, "verified", "verification");
    world.move(attempt, "SUCCESSFUL");
  }
  openBalances(world, externalUserId);
}

function beginVerification(world: MockWorld, attempt: Attempt): void {
  world.move(attempt, "VERIFICATION");
  continueAttempt(world, attempt.id);
}

function reject(world: MockWorld, attempt: Attempt, rejectionReason: string): void {
  world.records.change(attempt, { rejectionReason });
  world.move(attempt, "REJECTED_BY_PROVIDER");
}

/** By default, a hosted attempt verifies the user only after Add User Verification (Q-hosted-kyc-outcome). */
function succeed(world: MockWorld, attempt: Attempt): void {
  const { documentExpirationDate } = attempt.data;
  const user = world.records.get("user", attempt.id);
  if (documentExpirationDate !== null || world.assumptions.verification.hostedVerifies) {
    world.records.change(user, { verifiedUntil: documentExpirationDate });
    if (user.states.verification === "unverified") {
      world.move(user, "verified", "verification");
      world.schedule(world.assumptions.delays.balances, "generateBalances", { externalUserId: user.id });
    }
  }
  world.move(attempt, "SUCCESSFUL");
}

function currentAttempt(
  world: MockWorld,
  { externalUserId = "", number }: Readonly<Record<string, string>>,
  status: string,
): Attempt | undefined {
  if (existingUser(world, externalUserId) === undefined) return undefined;
  const attempt = world.records.find("kycVerification", externalUserId);
  const { status: risk } = world.records.find("riskVerification", externalUserId)?.states ?? { status: "APPROVED" };
  const isCurrent = attempt?.states.status === status && String(attempt.data.number) === number;
  return isCurrent && risk === "APPROVED" ? attempt : undefined;
}

function statusOf(world: MockWorld, { id, states, data }: Attempt, statusWithNull: string) {
  const attemptStatus = states.status ?? "";
  const user = world.records.get("user", id);
  const isUnverified = user.states.verification === "unverified";
  const hasReason = data.rejectionReason !== null || attemptStatus === statusWithNull;
  return {
    verificationStatus: isUnverified ? "NOT_VERIFIED" : hasExpired(world, user) ? "EXPIRED" : "VERIFIED",
    attemptStatus,
    ...(hasReason ? { rejectionReason: data.rejectionReason } : {}),
  };
}

/** The verification of a user expires when the document expires (Q-status-transitions). */
export function hasExpired(world: MockWorld, { data }: Resource<"user">): boolean {
  return data.verifiedUntil != null && data.verifiedUntil < new Date(world.now).toISOString().slice(0, 10);
}
