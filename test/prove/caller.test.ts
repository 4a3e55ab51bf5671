import { expect, it } from "vitest";
import { startMock } from "../../scripts/mock/host/index.ts";
import type { Plan } from "../../scripts/mock/plan/index.ts";
import { callerOf, failureStatusOf, mayRepeatAll, refusalCodeOf } from "../../scripts/prove/caller.ts";
import { plan } from "../support/plan.ts";

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

it("a call that the mock refuses rejects with its response, and one of an unknown operation with its name", async () => {
  const mock = await startMock(plan, { seed: "test", edition: "test" });
  try {
    const call = callerOf(plan, mock.url, "prove-test");
    await expect(call("createTransfer", {})).rejects.toThrow(/^createTransfer: 400 \{.*"errorCode":/);
    await expect(call("createNothing", {})).rejects.toThrow("The contract has no operation createNothing.");
  } finally {
    await mock.close();
  }
});

it("a payment of money has the P-code for insufficient funds, and must not be repeated", () => {
  const operations = ["createTransfer", "createOrderRateLock", "createNothing"];
  expect(operations.map((name) => refusalCodeOf(plan, name))).toEqual(["P433", undefined, undefined]);
  expect(mayRepeatAll(plan, ["createTransfer"])).toBe(false);
  expect(mayRepeatAll(plan, ["getKycStatus"])).toBe(true);
  expect(mayRepeatAll(plan, ["getKycStatus", "createTransfer"])).toBe(false);
});

it("there is no failure value for a resource that can only succeed", () => {
  const success = { moves: "payment", to: ["PAID"] };
  expect(failureStatusOf(planWith(success), "pay")).toBeUndefined();
  expect(failureStatusOf(planWith(success, { moves: "payment", to: ["PAID", "FAILED"] }), "pay")).toBe("FAILED");
  expect(failureStatusOf(planWith({ moves: "refund", to: ["PAID", "FAILED"] }), "pay")).toBeUndefined();
});
