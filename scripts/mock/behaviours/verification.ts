import { ControlError } from "../checks/error.ts";
import type { BehaviourGroup, Call, MockWorld, UploadedFile } from "./behaviour.ts";
import { continueAttempt, startAttempt } from "./kyc.ts";
import type { Resource } from "./records.ts";
import { decisionEvent, outcomesOf } from "./steps.ts";
import { claim, countryOf, existingUser, requireUser } from "./users.ts";

type RiskVerification = Resource<"riskVerification">;

export const verification: BehaviourGroup = {
  operations: {
    extendUser({ world, path, refuse }) {
      const { data, states } = world.records.get("user", path.externalUserId);
      const { withoutAddress } = world.assumptions.verification;
      if (withoutAddress === null || !data.poaRequiredForExtended || states.proofOfAddress === "APPROVED") return;
      refuse(withoutAddress as "P459", `${path.externalUserId} has no proof of address`);
    },

    // A file counts as uploaded immediately, and is removed if it is rejected later. Requests without files, or with an empty file, are
    // refused before this function is called.
    addKycFiles(call) {
      const { world, path, files } = call;
      for (const [name, fileList] of Object.entries(files)) for (const file of fileList) checkFile(call, name, file);
      const user = world.records.get("user", path.externalUserId);
      const names = Object.keys(files);
      const duplicateName = names.find((name) => user.data.files.includes(name));
      const { secondFile } = world.assumptions.kycFiles;
      if (secondFile !== null && duplicateName !== undefined)
        call.refuse(secondFile as "P426", `${duplicateName} was added before`);
      world.records.change(user, { files: [...new Set([...user.data.files, ...names])] });
      const { kycFiles } = world.assumptions.delays;
      world.schedule(kycFiles, "addFiles", { externalUserId: user.id, names: names.join(" ") });
    },

    addUserVerification(call) {
      const { world, body } = call;
      const { externalUserId, documentNumber, documentExpirationDate } = body;
      const { additionalRiskVerification, rejectedByRisk } = world.assumptions.countries;
      const user = world.records.get("user", externalUserId);
      const country = countryOf(user);
      const riskStatus = world.records.find("riskVerification", externalUserId)?.states.status;
      if (riskStatus === "REJECTED" || rejectedByRisk.includes(country)) return call.refuse("P475", externalUserId);
      claim(world, user, "documentNumber", documentNumber);
      world.records.change(user, { documentNumber, attempts: user.data.attempts + 1 });
      // After the user has submitted the hosted page, this call completes the same verification, so the id stays (Q-hosted-kyc-outcome).
      const verificationId = world.records.find("kycVerification", externalUserId)?.data.verificationId ?? null;
      startAttempt(world, externalUserId, { verificationId, documentExpirationDate });
      const isRiskUnknown = riskStatus === undefined && additionalRiskVerification.includes(country);
      if (isRiskUnknown) world.schedule(0, "beginRiskVerification", { externalUserId });
      // While a risk verification is pending, started here or by an external event, the attempt waits for its decision.
      if (isRiskUnknown || riskStatus === "PENDING") return { status: 202, body: call.notice("P213", externalUserId) };
      continueAttempt(world, externalUserId);
    },

    addPoaFiles(call) {
      const { world, path } = call;
      const user = world.records.get("user", path.externalUserId);
      if (!user.data.poaRequiredForExtended) return call.refuse("P460", user.id);
      const { proofOfAddress: previousStatus = "" } = user.states;
      const { proofOfAddress: seconds } = world.assumptions.delays;
      if (previousStatus !== "WAITING") world.schedule(seconds, "decideProofOfAddress", { externalUserId: user.id });
      // In these two statuses, a check of earlier files is pending (Q-poa-outcome).
      const isPending = previousStatus === "WAITING" || previousStatus === "QUESTIONED";
      if (isPending || world.assumptions.verification.firstAddressFiles === 202)
        return { status: 202, body: call.notice("P211", user.id) };
    },
  },

  jobs: {
    addFiles(world, { externalUserId = "", names = "" }) {
      const user = existingUser(world, externalUserId);
      if (user === undefined) return;
      const addedNames = names.split(" ");
      const hasFailed = world.assumptions.countries.filesFail.includes(countryOf(user));
      const remainingNames = user.data.files.filter((name) => !addedNames.includes(name));
      if (hasFailed) world.records.change(user, { files: remainingNames });
      const states = { status: hasFailed ? "ERROR" : "ADDED" };
      world.create("kycFiles", { id: user.id, owner: user.id, data: { names: addedNames }, states });
    },

    beginRiskVerification(world, { externalUserId = "" }) {
      startRiskVerification(world, externalUserId);
    },

    decideRiskVerification(world, { externalUserId = "", since = "" }) {
      const riskVerification = world.records.get("riskVerification", externalUserId);
      const hasUser = existingUser(world, externalUserId) !== undefined;
      const isCurrent = String(riskVerification.createdAt) === since && riskVerification.states.status === "PENDING";
      if (hasUser && isCurrent) decideRisk(world, riskVerification, "APPROVED");
    },

    decideProofOfAddress(world, { externalUserId = "" }) {
      const user = existingUser(world, externalUserId);
      if (user?.states.proofOfAddress === "WAITING") world.move(user, "APPROVED", "proofOfAddress");
    },
  },

  externalEvents: {
    "riskVerification.riskIsChecked": (world, input) => {
      const { id } = requireUser(world, input.text("externalUserId"));
      if (world.records.find("riskVerification", id)?.states.status === "PENDING") {
        throw new ControlError(`The additional risk verification of ${id} is already in progress. Decide it first.`);
      }
      return startRiskVerification(world, id);
    },

    ...decisionEvent("riskVerification", "riskIsDecided", (world, riskVerification, status) => {
      requireUser(world, riskVerification.id);
      decideRisk(world, riskVerification, status);
    }),

    "user.addressIsDecided": (world, input) => {
      const user = requireUser(world, input.text("externalUserId"));
      const status = input.choice("status", outcomesOf(world, "user", "addressIsDecided"), "APPROVED");
      if (!world.records.canMove(user, status, "proofOfAddress")) {
        throw new ControlError(
          `The proof of address of ${user.id} is ${user.states.proofOfAddress} and cannot become ${status}. Call addPoaFiles first.`,
        );
      }
      world.move(user, status, "proofOfAddress");
      return user;
    },
  },
};

function checkFile(call: Call<"addKycFiles">, name: string, { contentType, size }: UploadedFile): void {
  const { types, maxBytes } = call.world.assumptions.kycFiles;
  if (!types.includes(contentType)) {
    call.refuse("P426", `${name} has the Content-Type ${contentType}, and not ${types.join(", ")}`);
  }
  if (size > maxBytes) call.refuse("P440", `${name} has ${size} bytes, and not up to ${maxBytes}`);
}

function startRiskVerification(world: MockWorld, externalUserId: string): RiskVerification {
  const riskVerification = world.create("riskVerification", { id: externalUserId, owner: externalUserId, data: {} });
  const jobValues = { externalUserId, since: String(riskVerification.createdAt) };
  world.schedule(world.assumptions.delays.riskDecision, "decideRiskVerification", jobValues);
  return riskVerification;
}

function decideRisk(world: MockWorld, riskVerification: RiskVerification, status: string): void {
  world.move(riskVerification, status);
  const hasAttempt = world.records.find("kycVerification", riskVerification.id) !== undefined;
  if (hasAttempt) continueAttempt(world, riskVerification.id);
}
