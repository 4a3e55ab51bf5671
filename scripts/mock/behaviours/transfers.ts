import { ControlError } from "../checks/error.ts";
import type { BehaviourGroup, MockWorld } from "./behaviour.ts";
import { endTransaction, hasHeldFunds, hold, recordTransaction, refuseWithoutFunds, serviceAccount } from "./funds.ts";
import type { Resource } from "./records.ts";
import {
  decisionEvent,
  jobForStatus,
  makeDetailsFilter,
  type PaymentEnd,
  readPaymentEnd,
  showRecord,
} from "./steps.ts";
import { blockingReason, ownerExists } from "./users.ts";
import { amountText, readAmount, timestamp } from "./values.ts";

export const transfers: BehaviourGroup = {
  operations: {
    createTransfer(call) {
      const { world, body } = call;
      const source = body.sourceExternalUserId ?? null;
      const destination = body.destinationExternalUserId ?? null;
      const { currency, units } = readAmount(call);
      if (source !== null && source === destination) call.refuse("P403", "source and destination are the same user");
      const outgoingTransaction = hold(world, { owner: source, type: "transfer", currency, units });
      const incomingTransaction = recordTransaction(world, { owner: destination, type: "transfer", currency, units });
      const data = {
        source,
        destination,
        units,
        currency,
        outgoingId: outgoingTransaction.id,
        incomingId: incomingTransaction.id,
      };
      const transfer = world.create("transfer", { id: world.ids.uuid(), owner: source ?? destination, data });
      world.schedule(world.assumptions.delays.transfer, "endTransfer", { transferId: transfer.id });
      return { status: 201, body: { transferId: transfer.id } };
    },

    // By default, a transfer without sufficient funds fails later, because no P-code for a refusal is documented (Q-money-refusals).
    transferToMasterBalance(call) {
      const { world } = call;
      const { currency, units } = readAmount(call);
      refuseWithoutFunds(call, null, currency, units);
      const { id } = hold(world, { owner: null, type: "transfer", currency, units });
      world.schedule(world.assumptions.delays.transfer, "endMasterBalanceTransfer", { transactionId: id });
      // Only the history lists this payment. It is not stored as a transfer, so Get Transfer Details does not find it, and no event is
      // sent.
      return { status: 201, body: { transferId: id } };
    },

    getTransferDetails: (call) =>
      showRecord(call, "transfer", call.path.transferId, bodyOf, ({ data }) =>
        makeDetailsFilter(call.world)({ owner: data.source }),
      ),
  },

  jobs: {
    endTransfer: jobForStatus("transfer", "IN_PROGRESS", (world, transfer) => {
      const { source, destination } = transfer.data;
      // The transfer of a suspended user fails only now, because no P-code for a refusal is documented (Q-suspended-user).
      const reason = blockingReason(world, source) ?? blockingReason(world, destination);
      endTransfer(
        world,
        transfer,
        reason === undefined ? { status: "SUCCESSFUL" } : { status: "UNSUCCESSFUL", reason },
      );
    }),
    endMasterBalanceTransfer(world, { transactionId = "" }) {
      endTransaction(world, transactionId, hasHeldFunds(world, transactionId), serviceAccount);
    },
  },

  events: { p2pTransfer: eventOf },

  externalEvents: decisionEvent("transfer", "transferIsDecided", (world, transfer, status, input) => {
    const isSuccess = status === "SUCCESSFUL";
    const deletedOwner = [transfer.data.source, transfer.data.destination].find((owner) => !ownerExists(world, owner));
    if (isSuccess && deletedOwner !== undefined) {
      throw new ControlError(`${deletedOwner} was deleted: the transfer can only become UNSUCCESSFUL.`);
    }
    endTransfer(world, transfer, readPaymentEnd(input, status, isSuccess));
  }),
};

function endTransfer(world: MockWorld, transfer: Resource<"transfer">, { status, reason }: PaymentEnd): void {
  const { outgoingId, incomingId } = transfer.data;
  for (const id of [outgoingId, incomingId])
    if (id !== null) endTransaction(world, id, status === "SUCCESSFUL", `transfer ${transfer.id}`);
  if (reason !== undefined) world.records.change(transfer, { reason });
  world.move(transfer, status);
}

function eventOf(world: MockWorld, transfer: Resource<"transfer">): object {
  const { reason: description } = transfer.data;
  const error = description === undefined ? {} : { error: { description, status: 400 } };
  return { ...bodyOf(world, transfer), ...error };
}

function bodyOf(world: MockWorld, { id, states, data, createdAt }: Resource<"transfer">) {
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
