/** What is paid with cards and what comes back: held, settled, declined. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HappeningError } from "../../../scripts/mock/behaviours/happening.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { Tenant } from "./tenant.ts";

const user = "user-1";
let plan: Plan;
let tenant: Tenant;

beforeAll(async () => {
  plan = await loadPlan();
});

beforeEach(() => {
  tenant = new Tenant(plan);
  tenant.addUser(user);
  tenant.at(() => tenant.world.move(tenant.world.records.get("user", user), "extended", "verification"));
});

const newCard = (): string =>
  tenant.call("createVirtualCard", { body: { externalUserId: user, label: "Groceries", pin: "7306" } }).body.cardId;
const change = (operationId: string, cardId: string) =>
  tenant.call(operationId, { body: { externalUserId: user, cardId } });
const use = (about: Record<string, unknown> = {}) => tenant.happen("cardTransaction.cardIsUsed", about);

describe("a payment", () => {
  beforeEach(() => tenant.fund(user, "100.00"));

  it("is held at once and settled later, with both events and the record", () => {
    const cardId = newCard();
    const { id } = use({ cardId, amount: "38.90", merchant: "Bakery on the Corner" });
    expect(tenant.euro(user)).toBe("61.10");
    const event = {
      ...{ id, externalUserId: user, cardId, amount: "-38.90", currency: "eur", merchant: "Bakery on the Corner" },
      ...{ status: "IN_PROGRESS", createdAt: "2026-04-01T07:00:01.000Z" },
    };
    expect(tenant.events("cardTransaction")).toEqual([event]);
    expect(tenant.history(user)[1]).toMatchObject({ type: "cardTransaction", amount: -38.9, status: "IN_PROGRESS" });

    tenant.pass(plan.assumptions.delays.cardSettlement);
    expect(tenant.events("cardTransaction")).toEqual([event, { ...event, status: "SUCCESSFUL" }]);
    expect(tenant.euro(user)).toBe("61.10");
    expect(Object.keys(tenant.history(user)[1])).toEqual([
      ...["id", "createdAt", "type", "amount", "currency", "status", "btId"],
    ]);
    tenant.expectSound(user);
  });

  it("is given back when the merchant reverses it, and not settled afterwards", () => {
    newCard();
    const { id } = use({ amount: 100 });
    expect(tenant.euro(user)).toBe("0.00");
    tenant.happen("cardTransaction.paymentIsSettled", { cardTransactionId: id, status: "UNSUCCESSFUL" });
    tenant.pass(60);
    expect(tenant.euro(user)).toBe("100.00");
    expect(tenant.events("cardTransaction").map(({ status }) => status)).toEqual(["IN_PROGRESS", "UNSUCCESSFUL"]);
    tenant.expectSound(user);
  });

  it.each([
    ["without funds", (cardId: string) => ({ cardId, amount: "100.01" })],
    [
      "with a card that the user has locked",
      (cardId: string) => {
        change("blockCard", cardId);
        return { cardId };
      },
    ],
    [
      "with a deleted card",
      (cardId: string) => {
        change("deleteCard", cardId);
        return { cardId };
      },
    ],
    [
      "of a suspended user",
      (cardId: string) => {
        tenant.access(user, "suspended");
        return { cardId };
      },
    ],
  ])("%s is declined: nothing moves, and it is told and recorded", (_why, prepare) => {
    const about = prepare(newCard());
    const { id } = use(about);
    tenant.pass(60);
    const statuses = tenant.events("cardTransaction").map((event) => [event.id, event.status]);
    expect(statuses).toEqual([
      [id, "IN_PROGRESS"],
      [id, "UNSUCCESSFUL"],
    ]);
    expect(tenant.history(user)[1]).toMatchObject({ type: "cardTransaction", status: "UNSUCCESSFUL" });
    expect(tenant.history(user)[1].btId).toBeUndefined();
    expect(tenant.euro(user)).toBe("100.00");
    tenant.expectSound(user);
  });

  it("comes back as a partial refund, to a locked card too", () => {
    const cardId = newCard();
    change("blockCard", cardId);
    use({ cardId, type: "partialRefund", amount: "12.50", merchant: "Paper and Pens" });
    expect(tenant.euro(user)).toBe("100.00");
    tenant.pass(plan.assumptions.delays.cardSettlement);
    expect(tenant.euro(user)).toBe("112.50");
    expect(tenant.history(user)[1]).toMatchObject({ type: "partialRefund", amount: 12.5, status: "SUCCESSFUL" });
    expect(tenant.events("cardTransaction")[1]).toMatchObject({ amount: "12.50", status: "SUCCESSFUL" });
    tenant.expectSound(user);
  });
});

describe("what cannot happen", () => {
  it.each([
    ["cardTransaction.cardIsUsed", { cardId: 7 }, "cardId must be a text that is not empty."],
    ["cardTransaction.paymentIsSettled", {}, "There is no cardTransaction that can become SUCCESSFUL."],
    ["cardTransaction.cardIsUsed", {}, "There is no card that is ACTIVE."],
  ])("%s with %o is refused: %s", (name, about, message) => {
    const before = tenant.snapshot();
    expect(() => tenant.happen(name, about)).toThrow(new HappeningError(message));
    expect(tenant.snapshot()).toBe(before);
  });

  it.each([
    [{ amount: "0.00" }, "amount must be more than zero."],
    [{ amount: "1.005" }, "amount must have at most 2 decimal places."],
    [{ amount: "-5" }, 'amount must be an amount such as "250.00".'],
    [{ type: "atmFee" }, "type must be one of cardTransaction, partialRefund."],
    [{ currency: "constructor" }, "currency must be one of eur, usdc, btc, eth, ltc, pol."],
  ])("a card is not used with %o: %s", (about, message) => {
    newCard();
    expect(() => use(about)).toThrow(new HappeningError(message));
  });
});
