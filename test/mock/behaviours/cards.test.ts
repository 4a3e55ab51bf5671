/** Cards: made, changed, blocked, deleted. What is paid with them is in `card-payments.test.ts`. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HappeningError } from "../../../scripts/mock/behaviours/happening.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { Tenant } from "./tenant.ts";

const user = "user-1";
const request = { externalUserId: user, label: "Groceries", pin: "7306" };
let plan: Plan;
let tenant: Tenant;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  tenant = new Tenant(plan);
  addExtended(user);
});

function addExtended(id: string, attributes: Record<string, string> = {}) {
  tenant.addUser(id);
  tenant.at(() => {
    const added = tenant.world.records.get("user", id);
    tenant.world.records.change(added, { attributes: { ...added.data.attributes, ...attributes } });
    tenant.world.move(added, "extended", "verification");
  });
}

const create = (changes: object = {}) => tenant.call("createVirtualCard", { body: { ...request, ...changes } });
const newCard = (): string => create().body.cardId;
const change = (operationId: string, cardId: string, more: object = {}) =>
  tenant.call(operationId, { body: { externalUserId: user, cardId, ...more } });
const details = (cardId: string) => tenant.call("getCardDetails", { path: { externalUserId: user, cardId } });
const limitsOf = (cardId: string) => tenant.call("getCardLimits", { path: { externalUserId: user, cardId } });
const list = (externalUserId = user) => tenant.call("listUserCards", { path: { externalUserId } });
const statusOf = (cardId: string): string => details(cardId).body.status;

/** ISO/IEC 7812-1, written differently from the mock's. */
function isLuhn(number: string): boolean {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const digits = [...number].map(Number);
  return digits.reduce((sum, digit, index) => sum + (index % 2 === 0 ? (doubled[digit] ?? 0) : digit), 0) % 10 === 0;
}

describe("a new card", () => {
  it("has a test number, a code and an expiry, which the details repeat", () => {
    const { status, body } = create();
    expect(status).toBe(200);
    expect(body).toEqual({
      cardId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cardNumber: expect.stringMatching(/^411111\d{10}$/),
      cvv: expect.stringMatching(/^\d{3}$/),
      exp: "04/30",
    });
    expect(isLuhn(body.cardNumber)).toBe(true);
    const { cardId, ...shown } = body;
    expect(details(cardId).body).toEqual({ status: "ACTIVE", ...shown });
  });

  it("is sent its activation code some seconds later, unless it is not active any more", () => {
    const [kept, deleted] = [newCard(), newCard()];
    change("deleteCard", deleted);
    expect(tenant.events("cardActivationCode")).toEqual([]);
    tenant.pass(plan.assumptions.delays.cardActivation);
    expect(tenant.events("cardActivationCode")).toEqual([
      { externalUserId: user, cardId: kept, code: expect.stringMatching(/^\d{6}$/) },
    ]);
  });

  it("is sent no code once its user is deleted", () => {
    newCard();
    tenant.access(user, "deleted");
    tenant.pass(60);
    expect(tenant.events("cardActivationCode")).toEqual([]);
  });

  it("is listed with those that were deleted, oldest first", () => {
    expect(list().body).toEqual([]);
    const first = create().body;
    const second = create({ label: "Trip" }).body;
    change("deleteCard", second.cardId);
    const createdAt = "2026-04-01T07:00:00+00:00";
    expect(list().body).toEqual([
      {
        ...{ id: first.cardId, status: "ACTIVE", label: "Groceries", createdAt },
        cardLastDigits: first.cardNumber.slice(-4),
      },
      {
        ...{ id: second.cardId, status: "DELETED", label: "Trip", createdAt },
        cardLastDigits: second.cardNumber.slice(-4),
      },
    ]);
  });

  it.each([
    ["P412", "nobody", () => {}],
    ["P459", "unverified", () => tenant.addUnverified("unverified")],
    ["P461", "verified", () => tenant.addUser("verified")],
    ["P451", "abroad", () => addExtended("abroad", { country: "XC" })],
    ["P455", user, () => tenant.access(user, "suspended")],
  ])("is refused with %s to %s, and nothing is left of it", (code, externalUserId, prepare) => {
    prepare();
    const before = tenant.snapshot();
    expect(create({ externalUserId }).code).toBe(code);
    expect(tenant.snapshot()).toBe(before);
  });
});

describe("changes of a card", () => {
  it("block it, more than once, and lift the block, with the documented messages", () => {
    const cardId = newCard();
    for (const _ of [1, 2]) {
      expect(change("blockCard", cardId)).toMatchObject({ status: 200, body: { message: "Card blocked" } });
      expect(statusOf(cardId)).toBe("LOCKED_BY_USER");
    }
    for (const _ of [1, 2]) {
      expect(change("unblockCard", cardId)).toMatchObject({ status: 200, body: { message: "Card unblocked" } });
      expect(statusOf(cardId)).toBe("ACTIVE");
    }
  });

  it("give it another PIN and other limits", () => {
    const cardId = newCard();
    expect(limitsOf(cardId).body).toEqual(plan.assumptions.cards.limits);
    const limits = {
      ...{ monthlyTrxAll: 450.5, dailyTrxAll: 75.25, monthlyTrxAtm: 0 },
      ...{ dailyTrxAtm: 0, monthlyTrxEcom: 450.5, dailyTrxEcom: 75.25 },
    };
    expect(change("updateCardLimits", cardId, limits).body).toEqual({ message: "Card limits updated" });
    expect(limitsOf(cardId).body).toEqual(limits);
    expect(change("updateCardPin", cardId, { pin: "0064" }).body).toEqual({ message: "Card PIN updated" });
    expect(tenant.world.records.get("card", cardId).data.pin).toBe("0064");
  });

  it("do not touch a block of the service, which the service lifts", () => {
    const cardId = newCard();
    tenant.happen("card.cardIsBlocked", { cardId, status: "SUSPENDED" });
    const before = tenant.snapshot();
    expect(change("blockCard", cardId)).toMatchObject({ code: "P403", notes: [expect.stringContaining("SUSPENDED")] });
    expect(change("unblockCard", cardId).code).toBe("P403");
    expect(tenant.snapshot()).toBe(before);
    tenant.happen("card.cardIsReleased");
    expect(statusOf(cardId)).toBe("ACTIVE");
  });

  it("are refused with P434 for a deleted card, whose details are still shown", () => {
    const cardId = newCard();
    expect(change("deleteCard", cardId)).toMatchObject({ status: 200, body: { message: "Card deleted" } });
    const before = tenant.snapshot();
    for (const operationId of ["deleteCard", "blockCard", "unblockCard"]) {
      expect(change(operationId, cardId)).toMatchObject({ code: "P434", notes: [expect.stringContaining(cardId)] });
    }
    expect(change("updateCardPin", cardId, { pin: "9175" }).code).toBe("P434");
    expect(change("updateCardLimits", cardId, { ...plan.assumptions.cards.limits }).code).toBe("P434");
    expect(limitsOf(cardId).code).toBe("P434");
    expect(statusOf(cardId)).toBe("DELETED");
    expect(tenant.snapshot()).toBe(before);
  });

  it.each([
    ["updateCardPin", { pin: "9175" }],
    ["blockCard", {}],
    ["unblockCard", {}],
    ["updateCardLimits", { monthlyTrxAll: 1 }],
    ["deleteCard", {}],
  ])("%s is refused for the card of another user, and for users as P412, P459 and P461 say", (operationId, more) => {
    const cardId = newCard();
    addExtended("user-2");
    tenant.addUser("verified");
    tenant.addUnverified("unverified");
    const codeFor = (externalUserId: string) =>
      tenant.call(operationId, { body: { externalUserId, cardId, ...more } }).code;
    expect(["user-2", "nobody", "unverified", "verified"].map(codeFor)).toEqual(["P434", "P412", "P459", "P461"]);
    tenant.access(user, "deleted");
    expect(codeFor(user)).toBe("P412");
  });
});

it.each([
  ["getCardDetails", ["P459", "P459", "P461"]],
  ["getCardLimits", ["P412", "P459", "P461"]],
  ["listUserCards", ["P459", "P459", "P461"]],
])("%s is refused for nobody, an unverified and a verified user with %s", (operationId, codes) => {
  tenant.addUser("verified");
  tenant.addUnverified("unverified");
  const cardId = newCard();
  const codeFor = (externalUserId: string) => tenant.call(operationId, { path: { externalUserId, cardId } }).code;
  expect(["nobody", "unverified", "verified"].map(codeFor)).toEqual(codes);
});

describe("what happens outside", () => {
  it("sends the codes of an active card", () => {
    const cardId = newCard();
    tenant.happen("card.codeIsRequired", { cardId, code: "482913" });
    tenant.happen("card.activationIsRequired", { code: "730156" });
    expect(tenant.events("card3dsCode")).toEqual([{ externalUserId: user, code: "482913" }]);
    expect(tenant.events("cardActivationCode")).toEqual([{ externalUserId: user, cardId, code: "730156" }]);
  });

  it.each([
    ["card.codeIsRequired", {}, "There is no card that is ACTIVE."],
    ["card.cardIsReleased", {}, "There is no card that is BLOCKED or SUSPENDED."],
    ["card.cardIsBlocked", { status: "LOST" }, "status must be one of BLOCKED, SUSPENDED."],
    ["card.cardIsBlocked", { cardId: "c-0" }, "There is no card whose cardId is c-0."],
  ])("%s with %o is refused: %s", (name, about, message) => {
    const before = tenant.snapshot();
    expect(() => tenant.happen(name, about)).toThrow(new HappeningError(message));
    expect(tenant.snapshot()).toBe(before);
  });

  it("blocks a deleted card no more", () => {
    const cardId = newCard();
    change("deleteCard", cardId);
    expect(() => tenant.happen("card.cardIsBlocked", { cardId })).toThrow(
      `The card ${cardId} is DELETED and cannot become BLOCKED; its status is final.`,
    );
  });
});
