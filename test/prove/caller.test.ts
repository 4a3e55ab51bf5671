import { expect, it } from "vitest";
import type { Plan } from "../../scripts/mock/plan/index.ts";
import { failureStatusOf } from "../../scripts/prove/caller.ts";

const planWith = (...events: { moves: string; to: string[] }[]): Plan =>
  ({
    operations: [{ operationId: "pay", creates: ["payment"] }],
    resources: {
      payment: {
        externalEvents: Object.fromEntries(events.entries()),
        states: {
          status: {
            initial: ["NEW"],
            transitions: { NEW: ["PAID", "FAILED"] },
            final: ["PAID", "FAILED"],
            results: { PAID: true, FAILED: false },
          },
        },
      },
    },
    assumptions: { delays: { payment: 60 } },
  }) as unknown as Plan;

it("there is no failure value for a resource that can only succeed", () => {
  const success = { moves: "payment", to: ["PAID"] };
  expect(failureStatusOf(planWith(success), "pay")).toBeUndefined();
  expect(failureStatusOf(planWith(success, { moves: "payment", to: ["PAID", "FAILED"] }), "pay")).toBe("FAILED");
  expect(failureStatusOf(planWith({ moves: "refund", to: ["PAID", "FAILED"] }), "pay")).toBeUndefined();
});
