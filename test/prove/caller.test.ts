import { expect, it } from "vitest";
import type { Plan } from "../../scripts/mock/plan/index.ts";
import { callerOf, failureOf } from "../../scripts/prove/caller.ts";
import { serve } from "../support/http.ts";
import { plan } from "../support/plan.ts";

const planWith = (...events: { moves: string; to: string[] }[]): Plan =>
  ({
    operations: [{ operationId: "pay", creates: ["payment"] }],
    resources: { payment: { externalEvents: Object.fromEntries(events.entries()) } },
    assumptions: { delays: { payment: 60 } },
  }) as unknown as Plan;

it("there is no failure value for a resource that can only succeed", () => {
  const success = { moves: "payment", to: ["PAID"] };
  expect(failureOf(planWith(success), "pay")).toBeUndefined();
  expect(failureOf(planWith(success, { moves: "payment", to: ["PAID", "FAILED"] }), "pay")).toBe("FAILED");
  expect(failureOf(planWith({ moves: "refund", to: ["PAID", "FAILED"] }), "pay")).toBeUndefined();
});

it("a refused call throws the response, and an unknown operation its name", async () => {
  const server = await serve((_, response) => void response.writeHead(400).end("P403"));
  const call = callerOf(plan, server.url, "key");
  await expect(call("createTransfer", {})).rejects.toThrow("createTransfer: 400 P403");
  await expect(call("flyToTheMoon", {})).rejects.toThrow("no operation flyToTheMoon");
  await server.close();
});
