/** Verification by files: uploads, the call that finalises them, and the additional risk verification that it can lead to. */

import type { Entity } from "../kernel/data.ts";
import type { Area, MockWorld, UploadedFile } from "./behaviour.ts";
import { documentedAnswer } from "./documented.ts";
import { ExternalEventError, read } from "./external-event.ts";
import { continueAttempt, startAttempt, userFrom } from "./kyc.ts";
import type { ResourceData, UserData } from "./records.ts";
import { decision } from "./steps.ts";
import { claim, countryOf, presentUser } from "./users.ts";

type Risk = Entity<ResourceData["riskVerification"]>;

export const verification: Area<"addKycFiles" | "addUserVerification"> = {
  operations: {
    // The files count from the answer on; those that turn out not to be added are taken away again. That there is a file,
    // and that none is empty, is known already.
    addKycFiles(call) {
      const { operation, world, path, files } = call;
      const problem = problemOf(world, files);
      if (problem !== undefined) return call.refuse(problem.code, problem.detail);
      const user = world.records.get("user", path.externalUserId);
      const names = Object.keys(files);
      world.records.change(user, { files: [...new Set([...user.data.files, ...names])] });
      const { kycFiles } = world.assumptions.delays;
      world.later(kycFiles, "addFiles", { externalUserId: user.id, names: names.join(" ") });
      return { status: 201, body: documentedAnswer(operation, 201) };
    },

    addUserVerification(call) {
      const { operation, world, body } = call;
      const { externalUserId, documentNumber, documentExpirationDate } = body;
      const { additionalRiskVerification, rejectedByRisk } = world.assumptions.countries;
      const user = world.records.get("user", externalUserId);
      const country = countryOf(user);
      const risk = world.records.find("riskVerification", externalUserId)?.states.status;
      if (risk === "REJECTED" || rejectedByRisk.includes(country)) return call.refuse("P475", externalUserId);
      claim(world, user, "documentNumber", documentNumber);
      world.records.change(user, { documentNumber, attempts: user.data.attempts + 1 });
      // What was submitted on the hosted page stays: this call finalises it (Q-hosted-kyc-outcome).
      const verificationId = world.records.find("kycVerification", externalUserId)?.data.verificationId ?? null;
      startAttempt(world, externalUserId, { verificationId, documentExpirationDate });
      const isRiskUnknown = risk === undefined && additionalRiskVerification.includes(country);
      if (isRiskUnknown) world.later(0, "beginRiskVerification", { externalUserId });
      // The attempt goes on after the risk verification, whether that begins now or has begun from outside.
      if (isRiskUnknown || risk === "PENDING") return { status: 202, body: call.notice("P213", externalUserId) };
      continueAttempt(world, externalUserId);
      return { status: 201, body: documentedAnswer(operation, 201) };
    },
  },

  jobs: {
    addFiles(world, { externalUserId = "", names = "" }) {
      const user = presentUser(world, externalUserId);
      if (user === undefined) return;
      const added = names.split(" ");
      const hasFailed = world.assumptions.countries.filesFail.includes(countryOf(user));
      if (hasFailed) removeFiles(world, user, added);
      world.create("kycFiles", {
        id: user.id,
        owner: user.id,
        data: { names: added },
        states: { status: hasFailed ? "ERROR" : "ADDED" },
      });
    },

    beginRiskVerification(world, { externalUserId = "" }) {
      const isBegun = world.records.find("riskVerification", externalUserId) !== undefined;
      if (!isBegun && presentUser(world, externalUserId) !== undefined) beginRisk(world, externalUserId);
    },

    decideRiskVerification(world, { externalUserId = "", since = "" }) {
      const risk = world.records.get("riskVerification", externalUserId);
      const isPresent = presentUser(world, externalUserId) !== undefined;
      const isMeant = String(risk.createdAt) === since && risk.states.status === "PENDING";
      if (isPresent && isMeant) decideRisk(world, risk, "APPROVED");
    },
  },

  events: {
    kycFileAdded: { body: statusBody },
    highRiskKycVerification: { body: statusBody },
  },

  externalEvents: {
    /** Given `externalUserId`. */
    "riskVerification.riskIsChecked": (world, about) => {
      const { id } = userFrom(world, read(about).text("externalUserId"));
      if (world.records.find("riskVerification", id)?.states.status === "PENDING") {
        throw new ExternalEventError(
          `The additional risk verification of ${id} runs already. Let it be decided first.`,
        );
      }
      return beginRisk(world, id);
    },

    ...decision("riskVerification", "riskIsDecided", (world, risk, status) => {
      userFrom(world, risk.id);
      decideRisk(world, risk, status);
    }),
  },
};

/** Why an upload is refused; undefined when it is accepted. */
function problemOf(
  { assumptions }: MockWorld,
  files: Readonly<Record<string, readonly UploadedFile[]>>,
): { code: "P426" | "P440"; detail: string } | undefined {
  const { types, maxBytes } = assumptions.kycFiles;
  const all = Object.entries(files).flatMap(([name, list]) => list.map((file) => ({ name, ...file })));
  for (const { name, contentType, size } of all) {
    if (!types.includes(contentType)) {
      return { code: "P426", detail: `${name} has the Content-Type ${contentType}, and not ${types.join(", ")}` };
    }
    if (size > maxBytes) return { code: "P440", detail: `${name} has ${size} bytes, and not up to ${maxBytes}` };
  }
  return undefined;
}

function removeFiles(world: MockWorld, user: Entity<UserData>, names: readonly string[]): void {
  world.records.change(user, { files: user.data.files.filter((name) => !names.includes(name)) });
}

/** Begins an additional risk verification, which ends by itself. */
function beginRisk(world: MockWorld, externalUserId: string): Risk {
  const risk = world.create("riskVerification", { id: externalUserId, owner: externalUserId, data: {} });
  const about = { externalUserId, since: String(risk.createdAt) };
  world.later(world.assumptions.delays.riskDecision, "decideRiskVerification", about);
  return risk;
}

/** After an approval the attempt that has waited for it goes on. */
function decideRisk(world: MockWorld, risk: Risk, status: string): void {
  world.move(risk, status);
  const hasAttempt = world.records.find("kycVerification", risk.id) !== undefined;
  if (status === "APPROVED" && hasAttempt) continueAttempt(world, risk.id);
}

function statusBody(_world: MockWorld, { id, states }: Entity) {
  return { externalUserId: id, status: states.status ?? "" };
}
