import { ControlError } from "../checks/error.ts";
import { fiatBalanceOf, requireBalance } from "./balances.ts";
import type { BehaviourGroup, Call, MockWorld, Reply } from "./behaviour.ts";
import { type EventFields, readAmountUnits } from "./external-event.ts";
import { endTransaction, hasHeldFunds, hold, recordTransaction } from "./funds.ts";
import { makeIban } from "./identifiers.ts";
import type { Resource } from "./records.ts";
import {
  assertFundsHeld,
  decisionEvent,
  jobForStatus,
  makeDetailsFilter,
  outcomesOf,
  type PaymentEnd,
  readPaymentEnd,
} from "./steps.ts";
import { blockingReason, isActive, nameOf, ownerExists } from "./users.ts";
import { amountText, readAmount, timestamp } from "./values.ts";

export const sepa: BehaviourGroup = {
  operations: {
    createSepaTransfer: (call) => createTransfer(call, call.body.sourceExternalUserId),
    createPartnerSepaTransfer: (call) => createTransfer(call, null),

    getSepaTransferDetails({ world, path, refuse }) {
      const transfer = world.records.get("sepaTransfer", path.transferId);
      if (!makeDetailsFilter(world)(transfer)) return refuse("P428", path.transferId);
      return { status: 200, body: detailsOf(world, transfer) };
    },

    getSepaDepositInfo({ world, path, refuse }) {
      const balance = fiatBalanceOf(world, path.externalUserId);
      if (balance === undefined) return refuse("P459", `the balances of ${path.externalUserId} are not generated yet`);
      return { status: 200, body: depositInfo(world, balance) };
    },
    getPartnerSepaDepositInfo: ({ world }) => ({ status: 200, body: depositInfo(world, fiatBalanceOf(world, null)) }),

    listSepaDepositContacts: ({ world, path }) => ({ status: 200, body: contactsOf(world, path.externalUserId) }),
    listPartnerSepaDepositContacts: ({ world }) => ({ status: 200, body: contactsOf(world, null) }),
  },

  jobs: {
    endSepaDeposit: jobForStatus("sepaDeposit", "IN_PROGRESS", (world, deposit, { status }) => {
      const isChosenCredit = status === "SUCCESSFUL" && ownerExists(world, deposit.owner);
      endDeposit(world, deposit, status === "" ? canBeCredited(world, deposit) : isChosenCredit);
    }),

    endSepaTransfer: jobForStatus("sepaTransfer", "IN_PROGRESS", (world, transfer) => {
      const areFundsHeld = hasHeldFunds(world, transfer.data.transactionId);
      const reason = blockingReason(world, transfer.owner) ?? (areFundsHeld ? undefined : "Insufficient funds");
      endTransfer(world, transfer, reason === undefined ? { status: "SUCCESSFUL" } : { status: "FAILED", reason });
    }),
  },

  events: { sepaTransfer: eventOf },

  externalEvents: {
    "sepaDeposit.depositArrives": (world, input) => {
      const { owner, data: account } = receiverOf(world, input);
      const currency = input.choice("currency", [account.currency], account.currency);
      const units = readAmountUnits(world, input, { field: "amount", currency, fallback: "100.00" });
      const outcomes = outcomesOf(world, "sepaDeposit", "depositIsDecided");
      const status = input.values.status === undefined ? "" : input.choice("status", outcomes);
      const fields = {
        transferTitle: input.text("transferTitle", account.transferTitle),
        sourceAccountNumber: input.text("sourceAccountNumber", defaultSourceOf(world, owner)),
        issuer: input.text("issuer", world.assumptions.bank.sender),
      };
      const { id: transactionId } = recordTransaction(world, { owner, type: "sepaDeposit", currency, units, fields });
      const data = { units, currency, ...fields, transactionId };
      const deposit = world.create("sepaDeposit", { id: world.ids.uuid(), owner, data });
      const { delays } = world.assumptions;
      world.schedule(delays.sepaDeposit, "endSepaDeposit", { sepaDepositId: deposit.id, status });
      return deposit;
    },

    ...decisionEvent("sepaTransfer", "sepaTransferIsDecided", (world, transfer, status, input) => {
      const isSuccess = status === "SUCCESSFUL";
      if (isSuccess) assertFundsHeld(world, "sepaTransfer", transfer, "FAILED");
      endTransfer(world, transfer, readPaymentEnd(input, status, isSuccess));
    }),

    ...decisionEvent("sepaDeposit", "depositIsDecided", (world, deposit, status) => {
      if (status === "SUCCESSFUL" && !ownerExists(world, deposit.owner)) {
        throw new ControlError(`${deposit.owner} was deleted: the deposit can only become UNSUCCESSFUL.`);
      }
      endDeposit(world, deposit, status === "SUCCESSFUL");
    }),
  },
};

/**
 * Refuses only a wrong currency or amount, because `x-requires` was checked before. Without sufficient funds, or for a suspended or deleted
 * user, the transfer fails later.
 */
function createTransfer(
  call: Call<"createSepaTransfer"> | Call<"createPartnerSepaTransfer">,
  owner: string | null,
): Reply<"createSepaTransfer"> {
  const { world, body } = call;
  const { currency, units } = readAmount(call);
  if (currency !== "eur") call.refuse("P403", `currency ${JSON.stringify(body.currency)} cannot be sent by SEPA`);
  const id = world.ids.uuid();
  const { transferTitle, destinationIban, receiverFirstName = null, receiverLastName = null } = body;
  const movement = { owner, type: "sepaTransfer", currency, units, fields: { transferTitle, transferId: id } };
  const { id: transactionId } = hold(world, movement);
  const receiver = { receiverFirstName, receiverLastName };
  const data = { units, currency, destinationIban, transferTitle, ...receiver, transactionId };
  world.create("sepaTransfer", { id, owner, data });
  world.schedule(world.assumptions.delays.sepaTransfer, "endSepaTransfer", { transferId: id });
  return { status: 200, body: { transferId: id } };
}

function endTransfer(world: MockWorld, transfer: Resource<"sepaTransfer">, { status, reason }: PaymentEnd): void {
  endTransaction(world, transfer.data.transactionId, status === "SUCCESSFUL");
  if (reason !== undefined) world.records.change(transfer, { reason });
  world.move(transfer, status);
}

function detailsOf(world: MockWorld, transfer: Resource<"sepaTransfer">) {
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

function eventOf(world: MockWorld, transfer: Resource<"sepaTransfer">): object {
  const { id, states, data } = transfer;
  if (states.status === "SUCCESSFUL") return detailsOf(world, transfer);
  if (states.status !== "FAILED") return { id, status: states.status };
  const error = data.reason === undefined ? {} : { description: data.reason, status: 400 };
  return { id, status: states.status, error };
}

/** The body has no IBAN until the account is active (Q-refusal-codes). */
function depositInfo(world: MockWorld, { owner, data }: Resource<"fiatBalance">): Reply<"getSepaDepositInfo">["body"] {
  const { swift, address } = world.assumptions.bank;
  const accountHolder = nameOf(world, owner);
  return {
    title: data.transferTitle,
    ...(data.iban === null ? {} : { iban: data.iban }),
    swift,
    ...(accountHolder === undefined ? {} : { accountHolder }),
    address,
  };
}

/** The meaning of contacts is not documented. The mock shows the source accounts of credited deposits (Q-unshown-operations). */
function contactsOf(world: MockWorld, owner: string | null): Reply<"listSepaDepositContacts">["body"] {
  const accountHolder = nameOf(world, owner);
  const holderMember = accountHolder === undefined ? {} : { accountHolder };
  const creditedDeposits = world.records
    .listOwned("sepaDeposit", owner)
    .filter(({ states }) => states.status === "SUCCESSFUL");
  const sources = new Set(creditedDeposits.map(({ data }) => data.sourceAccountNumber));
  return [...sources].map((iban) => ({ ...holderMember, iban }));
}

function defaultSourceOf(world: MockWorld, owner: string | null): string {
  return (
    world.records.listOwned("sepaDeposit", owner).at(-1)?.data.sourceAccountNumber ?? makeIban(world, "senderCode")
  );
}

function receiverOf(world: MockWorld, input: EventFields): Resource<"fiatBalance"> {
  const { externalUserId, transferTitle } = input.values;
  if (externalUserId === null) return fiatBalanceOf(world, null);
  if (externalUserId !== undefined) return requireBalance(world, input);
  if (transferTitle === undefined) {
    throw new ControlError("Give externalUserId (null for the partner) or the transferTitle of the deposit info.");
  }
  const account = world.records.list("fiatBalance").find(({ data }) => data.transferTitle === transferTitle);
  if (account !== undefined && ownerExists(world, account.owner)) return account;
  throw new ControlError("No account has this transferTitle: read it with SEPA Deposit Info.");
}

function canBeCredited(world: MockWorld, { owner, data }: Resource<"sepaDeposit">): boolean {
  const account = fiatBalanceOf(world, owner);
  const isTitleCorrect = account?.data.transferTitle === data.transferTitle;
  return isTitleCorrect && account.states.status === "ACTIVE" && isActive(world, owner);
}

function endDeposit(world: MockWorld, deposit: Resource<"sepaDeposit">, isCredited: boolean): void {
  endTransaction(world, deposit.data.transactionId, isCredited);
  world.move(deposit, isCredited ? "SUCCESSFUL" : "UNSUCCESSFUL");
}
