/** Virtual cards of users. What is paid with them is in `card-payments.ts`. */

import type { Entity } from "../kernel/records.ts";
import type { Area, Call, MockWorld } from "./behaviour.ts";
import { expiryAfter, newCardNumber } from "./card-numbers.ts";
import { cardPayments } from "./card-payments.ts";
import { documentedAnswer } from "./documented.ts";
import { read } from "./happening.ts";
import { subjectBecoming, subjectIn } from "./happening-subject.ts";
import { isPresent } from "./owners.ts";
import type { CardData } from "./records.ts";
import { timestampWithOffset } from "./timestamps.ts";

/** The operations that name the user and the card in the body. */
type CardChange = "updateCardPin" | "blockCard" | "unblockCard" | "updateCardLimits" | "deleteCard";

/** The values that a block of the service leads to. */
const ownBlocks = ["BLOCKED", "SUSPENDED"];

export const cards: Area<CardChange | "createVirtualCard" | "listUserCards" | "getCardDetails" | "getCardLimits"> = {
  operations: {
    createVirtualCard({ world, body }) {
      const { cards: assumed, delays } = world.plan.assumptions;
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
      const names = Object.keys(call.world.plan.assumptions.cards.limits) as (keyof typeof call.body & string)[];
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
    ...cardPayments.jobs,
    sendActivationCode(world, { cardId = "" }) {
      const card = world.records.get("card", cardId);
      if (card.states.status !== "ACTIVE" || !isPresent(world, card.owner)) return;
      world.send("cardActivationCode", card, { code: world.ids.digits(6) });
    },
  },

  events: {
    ...cardPayments.events,
    card3dsCode: { body: (_world, { owner }) => ({ externalUserId: owner }), isOccasional: true },
    cardActivationCode: {
      body: (_world, { owner, id }) => ({ externalUserId: owner, cardId: id }),
      isOccasional: true,
    },
  },

  outside: {
    ...cardPayments.outside,
    "card.codeIsRequired": (world, about) => sendCode(world, "card3dsCode", about),
    "card.activationIsRequired": (world, about) => sendCode(world, "cardActivationCode", about),

    "card.cardIsBlocked": (world, about) => {
      const status = read(about).choice("status", ownBlocks, "BLOCKED");
      const card = subjectBecoming(world, "card", about, status);
      world.move(card, status);
      return card;
    },

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
