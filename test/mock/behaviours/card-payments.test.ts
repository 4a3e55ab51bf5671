/** Card payments and refunds: held, settled, declined. */
import { beforeEach, describe, expect, it } from "vitest";
import { tenantForEach } from "./tenant.ts";

const user = "user-1";
const tenant = tenantForEach((fresh) => fresh.addExtended(user));

const newCard = (): string =>
  tenant.call("createVirtualCard", { body: { externalUserId: user, label: "Groceries", pin: "7306" } }).body.cardId;
const change = (operationId: string, cardId: string) =>
  tenant.call(operationId, { body: { externalUserId: user, cardId } });
const use = (about: Record<string, unknown> = {}) => tenant.triggerEvent("cardTransaction.cardIsUsed", about);

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

    tenant.pass(tenant.world.plan.assumptions.delays.cardSettlement);
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
    tenant.triggerEvent("cardTransaction.paymentIsSettled", { cardTransactionId: id, status: "UNSUCCESSFUL" });
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
    tenant.pass(tenant.world.plan.assumptions.delays.cardSettlement);
    expect(tenant.euro(user)).toBe("112.50");
    expect(tenant.history(user)[1]).toMatchObject({ type: "partialRefund", amount: 12.5, status: "SUCCESSFUL" });
    expect(tenant.events("cardTransaction")[1]).toMatchObject({ amount: "12.50", status: "SUCCESSFUL" });
    tenant.expectSound(user);
  });
});
