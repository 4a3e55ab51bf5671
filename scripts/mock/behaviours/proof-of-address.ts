/** The proof of address of a user. */

import type { Entity } from "../kernel/data.ts";
import type { Area } from "./behaviour.ts";
import { documentedAnswer } from "./documented.ts";
import { ExternalEventError, read } from "./external-event.ts";
import { userFrom } from "./kyc.ts";
import { presentUser } from "./users.ts";

const state = "proofOfAddress";

export const proofOfAddress: Area<"addPoaFiles"> = {
  operations: {
    // The schema knows the number, the types and the sizes of the files.
    addPoaFiles(call) {
      const { operation, world, path } = call;
      const user = world.records.get("user", path.externalUserId);
      if (!user.data.poaRequiredForExtended) return call.refuse("P460", user.id);
      const before = user.states[state] ?? "";
      if (before !== "WAITING") {
        world.move(user, "WAITING", state);
        const { proofOfAddress: seconds } = world.assumptions.delays;
        world.later(seconds, "decideProofOfAddress", { externalUserId: user.id });
      }
      // A check is pending while it waits and while it raises a question (Q-poa-outcome).
      if (before === "WAITING" || before === "QUESTIONED") return { status: 202, body: call.notice("P211", user.id) };
      return { status: 201, body: documentedAnswer(operation, 201) };
    },
  },

  jobs: {
    decideProofOfAddress(world, { externalUserId = "" }) {
      const user = presentUser(world, externalUserId);
      if (user?.states[state] === "WAITING") world.move(user, "APPROVED", state);
    },
  },

  events: {
    poaVerificationStatus: {
      body: (_world, { id, states }: Entity) => ({ externalUserId: id, status: states[state] ?? "" }),
    },
  },

  externalEvents: {
    /** Given `externalUserId` and `status` (APPROVED by default). */
    "user.addressIsDecided": (world, about) => {
      const given = read(about);
      const user = userFrom(world, given.text("externalUserId"));
      const status = given.choice(
        "status",
        world.plan.resources.user?.externalEvents.addressIsDecided?.to ?? [],
        "APPROVED",
      );
      if (!world.records.canMove(user, status, state)) {
        throw new ExternalEventError(
          `The proof of address of ${user.id} is ${user.states[state]} and cannot become ${status}. Call addPoaFiles first.`,
        );
      }
      world.move(user, status, state);
      return user;
    },
  },
};
