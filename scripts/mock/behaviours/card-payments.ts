/** What is paid with cards, and what comes back. */

import type { Entity } from "../kernel/records.ts";
import { amountText } from "./amounts.ts";
import type { Area, MockWorld } from "./behaviour.ts";
import { available, expect, giveBack, hold, outside, refuseFunds, settle } from "./funds.ts";
import { read } from "./happening.ts";
import { givenCurrency, givenUnits } from "./happening-amount.ts";
import { subjectBecoming, subjectGiven, subjectIn } from "./happening-subject.ts";
import { isActive, isPresent } from "./owners.ts";
import type { CardData, CardTransactionData } from "./records.ts";
import { timestamp } from "./timestamps.ts";

/** The types of the history that a use of a card can have. */
const payment = "cardTransaction";
const refund = "partialRefund";

export const cardPayments: Pick<Area<never>, "jobs" | "events" | "outside"> = {
  jobs: {
    settleCardTransaction(world, { cardTransactionId = "" }) {
      const transaction = world.records.get("cardTransaction", cardTransactionId);
      if (transaction.states.status === "IN_PROGRESS") end(world, transaction, "SUCCESSFUL");
    },
  },

  events: {
    cardTransaction: { body: bodyOf },
  },

  outside: {
    "cardTransaction.cardIsUsed": (world, about) => {
      const given = read(about);
      const card = subjectGiven(world, "card", about) ?? subjectIn(world, "card", about, ["ACTIVE"]);
      const type = given.choice("type", [payment, refund], payment);
      const currency = givenCurrency(world, given, "currency", "eur");
      const units = givenUnits(world, given, { field: "amount", currency, otherwise: "10" });
      const merchant = given.text("merchant", "Bakery on the Corner");
      return use(world, card, { type, currency, units, merchant });
    },

    "cardTransaction.paymentIsSettled": (world, about) => {
      const status = read(about).choice("status", ["SUCCESSFUL", "UNSUCCESSFUL"], "SUCCESSFUL");
      const transaction = subjectBecoming(world, "cardTransaction", about, status);
      end(world, transaction, status);
      return transaction;
    },
  },
};

/** Holds what is paid, or expects what comes back; what is declined ends at once. */
function use(
  world: MockWorld,
  card: Entity<CardData>,
  { type, currency, units, merchant }: { type: string; currency: string; units: bigint; merchant: string },
): Entity<CardTransactionData> {
  const { owner } = card;
  const id = world.ids.uuid();
  const isPayment = type === payment;
  const movement = { owner, type, currency, units };
  const isCovered = !isPayment || available(world, owner, currency) >= units;
  const isDeclined = !isCovered || !isUsable(world, card, isPayment);
  const note = !isPayment ? expect : isDeclined ? refuseFunds : hold;
  const transactionId = note(world, movement).id;
  const signed = isPayment ? -units : units;
  const data = { cardId: card.id, units: signed, currency, merchant, transactionId };
  const transaction = world.create("cardTransaction", { id, owner, data });
  if (isDeclined) end(world, transaction, "UNSUCCESSFUL");
  else world.later(world.plan.assumptions.delays.cardSettlement, "settleCardTransaction", { cardTransactionId: id });
  return transaction;
}

/** Money can come back to a card that is blocked or deleted, as long as its user is there. */
function isUsable(world: MockWorld, { owner, states }: Entity<CardData>, isPayment: boolean): boolean {
  return isPayment ? isActive(world, owner) && states.status === "ACTIVE" : isPresent(world, owner);
}

function end(world: MockWorld, transaction: Entity<CardTransactionData>, status: string): void {
  const { transactionId } = transaction.data;
  if (status === "SUCCESSFUL") settle(world, transactionId, outside);
  else giveBack(world, transactionId);
  world.move(transaction, status);
}

function bodyOf(world: MockWorld, { id, owner, states, data, createdAt }: Entity<CardTransactionData>) {
  return {
    id,
    externalUserId: owner,
    cardId: data.cardId,
    amount: amountText(world, data.units, data.currency),
    currency: data.currency,
    merchant: data.merchant,
    status: states.status,
    createdAt: timestamp(createdAt),
  };
}
