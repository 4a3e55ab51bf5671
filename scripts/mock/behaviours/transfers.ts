/** Transfers between two users, or between a user and the partner. */

import type { Entity } from "../kernel/data.ts";
import type { Area, MockWorld } from "./behaviour.ts";
import { showRecord } from "./documented.ts";
import { expect, giveBack, hold, settle } from "./funds.ts";
import type { TransferData } from "./records.ts";
import { whileIn } from "./steps.ts";
import { obstacleOf } from "./users.ts";
import { amountText, readAmount, timestamp } from "./values.ts";

export const transfers: Area<"createTransfer" | "getTransferDetails"> = {
  operations: {
    createTransfer(call) {
      const { world, body } = call;
      const source = body.sourceExternalUserId ?? null;
      const destination = body.destinationExternalUserId ?? null;
      const { currency, units } = readAmount(call);
      if (source !== null && source === destination) call.refuse("P403", "source and destination are the same user");
      const outgoing = hold(world, { owner: source, type: "transfer", currency, units });
      const incoming = expect(world, { owner: destination, type: "transfer", currency, units });
      const data = { source, destination, units, currency, outgoingId: outgoing.id, incomingId: incoming.id };
      const transfer = world.create("transfer", { id: world.ids.uuid(), owner: source ?? destination, data });
      world.later(world.assumptions.delays.transfer, "endTransfer", { transferId: transfer.id });
      return { status: 201, body: { transferId: transfer.id } };
    },

    getTransferDetails: (call) => showRecord(call, "transfer", call.path.transferId, bodyOf),
  },

  jobs: {
    endTransfer: whileIn("transfer", "IN_PROGRESS", (world, transfer) => {
      const { outgoingId, incomingId } = transfer.data;
      const isPossible = failureOf(world, transfer) === undefined;
      if (outgoingId !== null && incomingId !== null) {
        if (isPossible) {
          settle(world, outgoingId, `transfer ${transfer.id}`);
          settle(world, incomingId, `transfer ${transfer.id}`);
        } else {
          giveBack(world, outgoingId);
          giveBack(world, incomingId);
        }
      }
      world.move(transfer, isPossible ? "SUCCESSFUL" : "UNSUCCESSFUL");
    }),
  },

  events: {
    p2pTransfer: { body: eventOf },
  },
};

/** A suspended user makes no transactions; no code of this operation says so, so that the transfer fails (Q-suspended-user). */
function failureOf(world: MockWorld, { data }: Entity<TransferData>): string | undefined {
  return obstacleOf(world, data.source) ?? obstacleOf(world, data.destination);
}

/** The details, and of a failed transfer the reason, in the moment in which it fails. */
function eventOf(world: MockWorld, transfer: Entity<TransferData>): object {
  const description = transfer.states.status === "UNSUCCESSFUL" ? failureOf(world, transfer) : undefined;
  const error = description === undefined ? {} : { error: { description, status: 400 } };
  return { ...bodyOf(world, transfer), ...error };
}

function bodyOf(world: MockWorld, { id, states, data, createdAt }: Entity<TransferData>) {
  return {
    id,
    sourceExternalUserId: data.source,
    destinationExternalUserId: data.destination,
    amount: amountText(world, data.units, data.currency),
    currency: data.currency,
    status: states.status ?? "",
    createdAt: timestamp(createdAt),
  };
}
