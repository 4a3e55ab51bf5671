/** The failure that a condition causes is the last value to which an external event can move the resource. */
import { expect, it } from "vitest";
import type { Plan } from "../../scripts/mock/plan/index.ts";
import { failureOf } from "../../scripts/prove/caller.ts";

const planWith = (...events: { moves: string; to: string[] }[]): Plan =>
  ({
    operations: [{ operationId: "pay", creates: ["payment"] }],
    resources: { payment: { externalEvents: Object.fromEntries(events.entries()) } },
    assumptions: { delays: { payment: 60 } },
  }) as unknown as Plan;

it("is none for a resource that only succeeds", () => {
  const success = { moves: "payment", to: ["PAID"] };
  expect(failureOf(planWith(success), "pay")).toBeUndefined();
  expect(failureOf(planWith(success, { moves: "payment", to: ["PAID", "FAILED"] }), "pay")).toBe("FAILED");
  expect(failureOf(planWith({ moves: "refund", to: ["PAID", "FAILED"] }), "pay")).toBeUndefined();
});
