/** SEPA transfers to bank accounts, and the accounts that deposits go to and come from. */

import type { Entity } from "../kernel/records.ts";
import { amountText, readAmount } from "./amounts.ts";
import { fiatBalanceOf } from "./balances.ts";
import type { Area, Call, MockWorld, Reply } from "./behaviour.ts";
import { available, giveBack, hold, outside, refuseFunds, settle } from "./funds.ts";
import { nameOf, obstacleOf } from "./owners.ts";
import type { BalanceData, SepaTransferData } from "./records.ts";
import { contactsOf, sepaDeposits } from "./sepa-deposits.ts";
import { timestamp } from "./timestamps.ts";

type Operations =
  | "createSepaTransfer"
  | "getSepaTransferDetails"
  | "getSepaDepositInfo"
  | "listSepaDepositContacts"
  | "createPartnerSepaTransfer"
  | "getPartnerSepaDepositInfo"
  | "listPartnerSepaDepositContacts";

export const sepa: Area<Operations> = {
  operations: {
    createSepaTransfer: (call) => create(call, call.body.sourceExternalUserId),
    createPartnerSepaTransfer: (call) => create(call, null),

    getSepaTransferDetails({ world, path }) {
      return { status: 200, body: detailsOf(world, world.records.get("sepaTransfer", path.transferId)) };
    },

    getSepaDepositInfo({ world, path, refuse }) {
      const balance = fiatBalanceOf(world, path.externalUserId);
      if (balance === undefined) return refuse("P459", `the balances of ${path.externalUserId} are not generated yet`);
      return { status: 200, body: depositInfo(world, balance) };
    },
    getPartnerSepaDepositInfo: ({ world }) => ({
      status: 200,
      body: depositInfo(world, fiatBalanceOf(world, null)),
    }),

    listSepaDepositContacts: ({ world, path }) => ({ status: 200, body: contactsOf(world, path.externalUserId) }),
    listPartnerSepaDepositContacts: ({ world }) => ({ status: 200, body: contactsOf(world, null) }),
  },

  jobs: {
    ...sepaDeposits.jobs,

    endSepaTransfer(world, { transferId = "" }) {
      const transfer = world.records.get("sepaTransfer", transferId);
      const { transactionId } = transfer.data;
      if (transactionId === null) return;
      const hasFailed = failureOf(world, transfer) !== undefined;
      // The event of a failed transfer tells the reason, which is known until the transaction ends.
      world.move(transfer, hasFailed ? "FAILED" : "SUCCESSFUL");
      if (hasFailed) giveBack(world, transactionId);
      else settle(world, transactionId, outside);
    },
  },

  events: { ...sepaDeposits.events, sepaTransfer: { body: eventOf } },
  outside: sepaDeposits.outside,
};

/** Only the format is checked at once; what else stands in the way shows later. */
function create(
  call: Call<"createSepaTransfer"> | Call<"createPartnerSepaTransfer">,
  owner: string | null,
): Reply<"createSepaTransfer"> {
  const { world, body } = call;
  const { currency, units } = readAmount(call, (detail) => call.refuse("P403", detail));
  if (currency !== "eur") call.refuse("P403", `currency ${JSON.stringify(body.currency)} cannot be sent by SEPA`);
  const id = world.ids.uuid();
  const { transferTitle, destinationIban } = body;
  const movement = { owner, type: "sepaTransfer", currency, units, fields: { transferTitle, transferId: id } };
  const isCovered = available(world, owner, currency) >= units;
  const transaction = isCovered ? hold(world, movement) : refuseFunds(world, movement);
  const receiver = {
    receiverFirstName: body.receiverFirstName ?? null,
    receiverLastName: body.receiverLastName ?? null,
    companyName: body.companyName ?? null,
  };
  const data = { units, currency, destinationIban, transferTitle, ...receiver, transactionId: transaction.id };
  world.create("sepaTransfer", { id, owner, data });
  world.later(world.plan.assumptions.delays.sepaTransfer, "endSepaTransfer", { transferId: id });
  return { status: 200, body: { transferId: id } };
}

/** Why a transfer that has not ended will fail; undefined when it will not. */
function failureOf(world: MockWorld, { owner, data }: Entity<SepaTransferData>): string | undefined {
  const obstacle = obstacleOf(world, owner);
  if (obstacle !== undefined) return obstacle;
  const isHeld = data.transactionId !== null && world.records.get("transaction", data.transactionId).data.held !== null;
  return isHeld ? undefined : "Insufficient funds";
}

function detailsOf(world: MockWorld, transfer: Entity<SepaTransferData>) {
  const { id, owner, states, data, createdAt } = transfer;
  return {
    id,
    type: "external" as const,
    amount: amountText(world, data.units, data.currency),
    transferTitle: data.transferTitle,
    destinationIban: data.destinationIban,
    receiverFirstName: data.receiverFirstName,
    receiverLastName: data.receiverLastName,
    status: states.status ?? "",
    currency: data.currency,
    fee: 0,
    createdAt: timestamp(createdAt),
    ...(owner === null ? {} : { user: { externalUserId: owner } }),
  };
}

/** The full details come with the success only. */
function eventOf(world: MockWorld, transfer: Entity<SepaTransferData>): object {
  const { id, states } = transfer;
  if (states.status === "SUCCESSFUL") return detailsOf(world, transfer);
  if (states.status !== "FAILED") return { id, status: states.status };
  return { id, status: states.status, error: { description: failureOf(world, transfer), status: 400 } };
}

/** Before the account is active it has no number (Q-refusal-codes). */
function depositInfo(world: MockWorld, { owner, data }: Entity<BalanceData>): Reply<"getSepaDepositInfo">["body"] {
  const { swift, address } = world.plan.assumptions.bank;
  const accountHolder = nameOf(world, owner);
  return {
    title: data.transferTitle,
    ...(data.iban === null ? {} : { iban: data.iban }),
    swift,
    ...(accountHolder === undefined ? {} : { accountHolder }),
    address,
  };
}
