import type { BehaviourGroup, Call, MockWorld } from "./behaviour.ts";
import { type EventFields, readAmountUnits, readCurrency, resourceById, resourceInStatus } from "./external-event.ts";
import { availableUnits, endTransaction, hold, recordTransaction, recordWithoutHold } from "./funds.ts";
import { cardExpiry, newCardNumber } from "./identifiers.ts";
import type { Resource } from "./records.ts";
import { decisionEvent, jobForStatus } from "./steps.ts";
import { isActive, ownerExists } from "./users.ts";
import { timestamp } from "./values.ts";

type CardChange = "updateCardPin" | "blockCard" | "unblockCard" | "updateCardLimits" | "deleteCard";

const serviceBlockStatuses = ["BLOCKED", "SUSPENDED"];

export const cards: BehaviourGroup = {
  operations: {
    createVirtualCard({ world, body }) {
      const { cards: cardAssumptions, delays } = world.assumptions;
      const data = {
        label: body.label,
        pin: body.pin,
        cardNumber: newCardNumber(world),
        cvv: world.ids.digits(3),
        exp: cardExpiry(world.now, cardAssumptions.years),
        limits: cardAssumptions.limits,
      };
      const card = world.create("card", { id: world.ids.uuid(), owner: body.externalUserId, data });
      world.schedule(delays.cardActivation, "sendActivationCode", { cardId: card.id });
      const { cardNumber, cvv, exp } = data;
      return { status: 200, body: { cardId: card.id, cardNumber, cvv, exp } };
    },

    listUserCards({ world, path }) {
      const { listed } = world.assumptions.cards;
      const cards = world.records.listOwned("card", path.externalUserId);
      const visibleCards = cards.filter(({ states }) => listed.includes(states.status ?? ""));
      const body = visibleCards.map(({ id, states, data, createdAt }) => ({
        id,
        status: states.status ?? "",
        label: data.label,
        cardLastDigits: data.cardNumber.slice(-4),
        createdAt: timestamp(createdAt).replace(/\.\d{3}Z$/, "+00:00"),
      }));
      return { status: 200, body };
    },

    getCardDetails({ world, path }) {
      const { states, data } = world.records.get("card", path.cardId);
      const { cardNumber, cvv, exp } = data;
      return { status: 200, body: { status: states.status ?? "", cardNumber, cvv, exp } };
    },

    updateCardPin(call) {
      call.world.records.change(requireCard(call, call.body.cardId), { pin: call.body.pin });
    },

    blockCard: refuseServiceBlock,
    unblockCard: refuseServiceBlock,

    getCardLimits: (call) => ({ status: 200, body: { ...requireCard(call, call.path.cardId).data.limits } }),

    updateCardLimits(call) {
      const card = requireCard(call, call.body.cardId);
      const names = Object.keys(call.world.assumptions.cards.limits) as (keyof typeof call.body & string)[];
      const limits = Object.fromEntries(names.map((name) => [name, Number(call.body[name])]));
      call.world.records.change(card, { limits });
    },

    deleteCard(call) {
      requireCard(call, call.body.cardId);
    },
  },

  jobs: {
    settleCardTransaction: jobForStatus("cardTransaction", "IN_PROGRESS", (world, transaction) =>
      endCardTransaction(world, transaction, "SUCCESSFUL"),
    ),
    sendActivationCode: jobForStatus("card", "ACTIVE", (world, card) => {
      if (ownerExists(world, card.owner)) world.send("cardActivationCode", card, { code: world.ids.digits(6) });
    }),
  },

  sentOnlyByBehaviours: ["card3dsCode", "cardActivationCode"],

  externalEvents: {
    "cardTransaction.cardIsUsed": (world, input) => {
      const card = resourceById(world, "card", input) ?? resourceInStatus(world, "card", input, ["ACTIVE"]);
      const type = input.choice("type", [paymentType, refundType], paymentType);
      const currency = readCurrency(world, input, "currency", "eur");
      const units = readAmountUnits(world, input, { field: "amount", currency, fallback: "10" });
      const merchant = input.text("merchant", "Bakery on the Corner");
      const { owner } = card;
      const id = world.ids.uuid();
      const isPayment = type === paymentType;
      const isCovered = !isPayment || availableUnits(world, owner, currency) >= units;
      const isDeclined = !isCovered || !isUsable(world, card, isPayment);
      const createTransaction = !isPayment ? recordTransaction : isDeclined ? recordWithoutHold : hold;
      const { id: transactionId } = createTransaction(world, { owner, type, currency, units });
      const data = { cardId: card.id, units: isPayment ? -units : units, currency, merchant, transactionId };
      const transaction = world.create("cardTransaction", { id, owner, data });
      if (isDeclined) endCardTransaction(world, transaction, "UNSUCCESSFUL");
      else world.schedule(world.assumptions.delays.cardSettlement, "settleCardTransaction", { cardTransactionId: id });
      return transaction;
    },

    ...decisionEvent("cardTransaction", "paymentIsSettled", endCardTransaction),
    "card.codeIsRequired": (world, input) => sendCode(world, "card3dsCode", input),
    "card.activationIsRequired": (world, input) => sendCode(world, "cardActivationCode", input),

    ...decisionEvent("card", "cardIsBlocked"),

    "card.cardIsReleased": (world, input) => {
      const card = resourceInStatus(world, "card", input, serviceBlockStatuses);
      world.move(card, "ACTIVE");
      return card;
    },
  },
};

/** A deleted card is refused like an unknown one (Q-unknown-ids). */
function requireCard(call: Call<CardChange | "getCardLimits">, cardId: string): Resource<"card"> {
  const card = call.world.records.get("card", cardId);
  return card.states.status === "DELETED" ? call.refuse("P434", card.id) : card;
}

/** Refuses to replace or lift a block that the service has set (Q-service-block). */
function refuseServiceBlock(call: Call<"blockCard"> | Call<"unblockCard">): void {
  const { id, states } = requireCard(call, call.body.cardId);
  if (call.world.assumptions.cards.fixedBlocks.includes(states.status ?? ""))
    call.refuse("P403", `cardId: the card ${id} is ${states.status}`);
}

function sendCode(world: MockWorld, webhook: string, input: EventFields): Resource<"card"> {
  const card = resourceInStatus(world, "card", input, ["ACTIVE"]);
  world.send(webhook, card, { code: input.text("code", world.ids.digits(6)) });
  return card;
}

const paymentType = "cardTransaction";
const refundType = "partialRefund";

function isUsable(world: MockWorld, { owner, states }: Resource<"card">, isPayment: boolean): boolean {
  return isPayment ? isActive(world, owner) && states.status === "ACTIVE" : ownerExists(world, owner);
}

function endCardTransaction(world: MockWorld, transaction: Resource<"cardTransaction">, status: string): void {
  endTransaction(world, transaction.data.transactionId, status === "SUCCESSFUL");
  world.move(transaction, status);
}
