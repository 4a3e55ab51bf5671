import { describe, expect, it } from "vitest";
import { tenantForEach } from "./tenant.ts";

const user = "user-1";
const tenant = tenantForEach((newTenant) => newTenant.addExtendedUser(user));

const create = (changes: object = {}) => tenant.call("createVirtualCard", { externalUserId: user, ...changes });
const createCard = (): string => create().body.cardId;
const change = (operationId: string, cardId: string) => tenant.call(operationId, { externalUserId: user, cardId });
const readDetails = (cardId: string) => tenant.call("getCardDetails", { externalUserId: user, cardId });
const list = () => tenant.call("listUserCards", { externalUserId: user });
const statusOf = (cardId: string): string => readDetails(cardId).body.status;

/** ISO/IEC 7812-1, calculated in another way than in the mock. */
function isLuhn(number: string): boolean {
  const doubledDigits = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const digits = [...number].map(Number);
  return (
    digits.reduce((sum, digit, index) => sum + (index % 2 === 0 ? (doubledDigits[digit] ?? 0) : digit), 0) % 10 === 0
  );
}

describe("a new card", () => {
  it("has a test number, a CVV and an expiry, which the card details return", () => {
    const { status, body } = create();
    expect(status).toBe(200);
    expect(body).toEqual({
      cardId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cardNumber: expect.stringMatching(/^411111\d{10}$/),
      cvv: expect.stringMatching(/^\d{3}$/),
      exp: "04/30",
    });
    const numbers = [body, ...Array.from({ length: 9 }, () => create().body)].map(({ cardNumber }) => cardNumber);
    expect(numbers.filter((number) => !isLuhn(number))).toEqual([]);
    const { cardId, ...shownDetails } = body;
    expect(readDetails(cardId).body).toEqual({ status: "ACTIVE", ...shownDetails });
  });

  it("sends its activation code some seconds later, if it is still active", () => {
    const [keptCard, deletedCard] = [createCard(), createCard()];
    change("deleteCard", deletedCard);
    expect(tenant.eventsOf("cardActivationCode")).toEqual([]);
    tenant.advance(tenant.world.plan.assumptions.delays.cardActivation);
    expect(tenant.eventsOf("cardActivationCode")).toEqual([
      { externalUserId: user, cardId: keptCard, code: expect.stringMatching(/^\d{6}$/) },
    ]);
  });

  it("sends no activation code once its user is deleted", () => {
    createCard();
    tenant.setAccess(user, "deleted");
    tenant.advance(60);
    expect(tenant.eventsOf("cardActivationCode")).toEqual([]);
  });

  it("is listed together with deleted cards, oldest first", () => {
    expect(list().body).toEqual([]);
    const firstCard = create().body;
    const secondCard = create({ label: "Trip" }).body;
    change("deleteCard", secondCard.cardId);
    expect(statusOf(secondCard.cardId)).toBe("DELETED");
    const createdAt = "2026-04-01T07:00:00+00:00";
    expect(list().body).toEqual([
      {
        id: firstCard.cardId,
        status: "ACTIVE",
        label: "Groceries",
        createdAt,
        cardLastDigits: firstCard.cardNumber.slice(-4),
      },
      {
        id: secondCard.cardId,
        status: "DELETED",
        label: "Trip",
        createdAt,
        cardLastDigits: secondCard.cardNumber.slice(-4),
      },
    ]);
  });
});

describe("changes of a card", () => {
  it("block it, repeatedly if wanted, and unblock it, with the documented messages", () => {
    const cardId = createCard();
    for (const _ of [1, 2]) {
      expect(change("blockCard", cardId)).toMatchObject({ status: 200, body: { message: "Card blocked" } });
      expect(statusOf(cardId)).toBe("LOCKED_BY_USER");
    }
    for (const _ of [1, 2]) {
      expect(change("unblockCard", cardId)).toMatchObject({ status: 200, body: { message: "Card unblocked" } });
      expect(statusOf(cardId)).toBe("ACTIVE");
    }
  });
});

describe("external events", () => {
  it("blocks a card, and releases it", () => {
    const cardId = createCard();
    tenant.triggerEvent("card.cardIsBlocked", { cardId, status: "SUSPENDED" });
    expect(statusOf(cardId)).toBe("SUSPENDED");
    tenant.triggerEvent("card.cardIsReleased");
    expect(statusOf(cardId)).toBe("ACTIVE");
  });

  it("sends the one-time codes of an active card", () => {
    const cardId = createCard();
    tenant.triggerEvent("card.codeIsRequired", { cardId, code: "482913" });
    tenant.triggerEvent("card.activationIsRequired", { code: "730156" });
    expect(tenant.eventsOf("card3dsCode")).toEqual([{ externalUserId: user, code: "482913" }]);
    expect(tenant.eventsOf("cardActivationCode")).toEqual([{ externalUserId: user, cardId, code: "730156" }]);
  });
});
