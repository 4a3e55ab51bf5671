/** Virtual cards of users, what is paid with them, and what comes back. */
import type { Entity } from "../kernel/data.ts";
import type { Area, Call, MockWorld } from "./behaviour.ts";
import { documentedAnswer } from "./documented.ts";
import { givenCurrency, givenUnits, read, subjectGiven, subjectIn } from "./external-event.ts";
import { available, expect, giveBack, hold, outside, refuseFunds, settle } from "./funds.ts";
import { expiryAfter, newCardNumber } from "./identifiers.ts";
import type { CardData, CardTransactionData } from "./records.ts";
import { decision, whileIn } from "./steps.ts";
import { isActive, isPresent } from "./users.ts";
import { amountText, timestamp, timestampWithOffset } from "./values.ts";

/** The operations that name the user and the card in the body. */
type CardChange = "updateCardPin" | "blockCard" | "unblockCard" | "updateCardLimits" | "deleteCard";

/** The values that a block of the service leads to. */
const ownBlocks = ["BLOCKED", "SUSPENDED"];

export const cards: Area<CardChange | "createVirtualCard" | "listUserCards" | "getCardDetails" | "getCardLimits"> = {
  operations: {
    createVirtualCard({ world, body }) {
      const { cards: assumed, delays } = world.assumptions;
      const data: CardData = {
        label: body.label,
        pin: body.pin,
        cardNumber: newCardNumber(world),
        cvv: world.ids.digits(3),
        exp: expiryAfter(world.now, assumed.years),
        limits: assumed.limits,
      };
      const card = world.create("card", { id: world.ids.uuid(), owner: body.externalUserId, data });
      world.later(delays.cardActivation, "sendActivationCode", { cardId: card.id });
      const { cardNumber, cvv, exp } = data;
      return { status: 200, body: { cardId: card.id, cardNumber, cvv, exp } };
    },

    listUserCards({ world, path }) {
      const body = world.records.ownedBy("card", path.externalUserId).map(({ id, states, data, createdAt }) => ({
        id,
        status: states.status ?? "",
        label: data.label,
        cardLastDigits: data.cardNumber.slice(-4),
        createdAt: timestampWithOffset(createdAt),
      }));
      return { status: 200, body };
    },

    getCardDetails({ world, path }) {
      const { states, data } = world.records.get("card", path.cardId);
      const { cardNumber, cvv, exp } = data;
      return { status: 200, body: { status: states.status ?? "", cardNumber, cvv, exp } };
    },

    updateCardPin(call) {
      call.world.records.change(presentCard(call), { pin: call.body.pin });
      return { status: 200, body: documentedAnswer(call.operation, 200) };
    },

    blockCard(call) {
      const card = presentCard(call);
      refuseOwnBlock(call, card);
      if (card.states.status !== "LOCKED_BY_USER") call.world.move(card, "LOCKED_BY_USER");
      return { status: 200, body: documentedAnswer(call.operation, 200) };
    },

    unblockCard(call) {
      const card = presentCard(call);
      refuseOwnBlock(call, card);
      if (card.states.status !== "ACTIVE") call.world.move(card, "ACTIVE");
      return { status: 200, body: documentedAnswer(call.operation, 200) };
    },

    getCardLimits(call) {
      const { world, path } = call;
      const card = world.records.get("card", path.cardId);
      if (card.states.status === "DELETED") return call.refuse("P434", path.cardId);
      return { status: 200, body: { ...card.data.limits } };
    },

    updateCardLimits(call) {
      const card = presentCard(call);
      const names = Object.keys(call.world.assumptions.cards.limits) as (keyof typeof call.body & string)[];
      const limits = Object.fromEntries(names.map((name) => [name, Number(call.body[name])]));
      call.world.records.change(card, { limits });
      return { status: 200, body: documentedAnswer(call.operation, 200) };
    },

    deleteCard(call) {
      call.world.move(presentCard(call), "DELETED");
      return { status: 200, body: documentedAnswer(call.operation, 200) };
    },
  },

  jobs: {
    settleCardTransaction: whileIn("cardTransaction", "IN_PROGRESS", (world, transaction) =>
      end(world, transaction, "SUCCESSFUL"),
    ),
    sendActivationCode: whileIn("card", "ACTIVE", (world, card) => {
      if (isPresent(world, card.owner)) world.send("cardActivationCode", card, { code: world.ids.digits(6) });
    }),
  },

  events: {
    cardTransaction: { body: bodyOf },
    card3dsCode: { body: (_world, { owner }) => ({ externalUserId: owner }), isOccasional: true },
    cardActivationCode: {
      body: (_world, { owner, id }) => ({ externalUserId: owner, cardId: id }),
      isOccasional: true,
    },
  },

  externalEvents: {
    "cardTransaction.cardIsUsed": (world, about) => {
      const given = read(about);
      const card = subjectGiven(world, "card", about) ?? subjectIn(world, "card", about, ["ACTIVE"]);
      const type = given.choice("type", [payment, refund], payment);
      const currency = givenCurrency(world, given, "currency", "eur");
      const units = givenUnits(world, given, { field: "amount", currency, otherwise: "10" });
      const merchant = given.text("merchant", "Bakery on the Corner");
      return use(world, card, { type, currency, units, merchant });
    },

    ...decision("cardTransaction", "paymentIsSettled", end),
    "card.codeIsRequired": (world, about) => sendCode(world, "card3dsCode", about),
    "card.activationIsRequired": (world, about) => sendCode(world, "cardActivationCode", about),

    ...decision("card", "cardIsBlocked"),

    // The block of a user is lifted with Unblock Card.
    "card.cardIsReleased": (world, about) => {
      const card = subjectIn(world, "card", about, ownBlocks);
      world.move(card, "ACTIVE");
      return card;
    },
  },
};

/** The card of the request. A deleted one is answered as one that does not exist (Q-unknown-ids). */
function presentCard(call: Call<CardChange>): Entity<CardData> {
  const card = call.world.records.get("card", call.body.cardId);
  return card.states.status === "DELETED" ? call.refuse("P434", card.id) : card;
}

/** A block of the service is neither replaced nor lifted by the user (Q-service-block). */
function refuseOwnBlock(call: Call<"blockCard"> | Call<"unblockCard">, { id, states }: Entity<CardData>): void {
  if (ownBlocks.includes(states.status ?? "")) call.refuse("P403", `cardId: the card ${id} is ${states.status}`);
}

function sendCode(world: MockWorld, webhook: string, about: Readonly<Record<string, unknown>>): Entity<CardData> {
  const card = subjectIn(world, "card", about, ["ACTIVE"]);
  world.send(webhook, card, { code: read(about).text("code", world.ids.digits(6)) });
  return card;
}

/** The types of the history that a use of a card can have. */
const payment = "cardTransaction";
const refund = "partialRefund";

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
  else world.later(world.assumptions.delays.cardSettlement, "settleCardTransaction", { cardTransactionId: id });
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
