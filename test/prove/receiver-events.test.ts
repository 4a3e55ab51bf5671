import { expect, it } from "vitest";
import { startMock } from "../../scripts/mock/host/index.ts";
import { callerOf } from "../../scripts/prove/caller.ts";
import { makeEventSequence } from "../../scripts/prove/receiver-events.ts";
import { plan } from "../support/plan.ts";

it.each([
  [false, 14, 0],
  [true, 18, 4],
])(
  "two rounds of movements have the expected balances; with failed payments: %s",
  async (hasFailures, movements, failures) => {
    const mock = await startMock(plan, { seed: "test", edition: "test" });
    try {
      const call = callerOf(plan, mock.url, "prove-test");
      const sequence = await makeEventSequence(plan, mock.tenant("prove-test"), call, hasFailures);
      expect(sequence.movements).toHaveLength(movements);
      expect(sequence.expectedSums).toEqual({
        "user-a/eur": "227.40",
        "user-b/eur": "10.00",
        "user-b/usdc": "200.000000",
      });
      const bodies = sequence.events.map(({ body }) => JSON.parse(body));
      expect(bodies.filter(({ status }) => status === "UNSUCCESSFUL" || status === "FAILED")).toHaveLength(failures);
      expect(new Set(bodies.flatMap(({ id, cryptoDepositId }) => id ?? cryptoDepositId)).size).toBe(movements);
    } finally {
      await mock.close();
    }
  },
);

it.each([
  ["Q-request-amounts", "Numbers only"],
  ["Q-request-amounts", "Decimal strings only"],
  ["Q-amount-bounds", "A bound"],
])("the movements are made where %s is answered %s", async (id, answer) => {
  const mock = await startMock(plan, { seed: "test", edition: "test" });
  try {
    const answers = { [id]: answer };
    const world = mock.tenant("prove-test");
    world.answer(answers);
    const call = callerOf(plan, mock.url, "prove-test", answers);
    const sequence = await makeEventSequence(plan, world, call, true);
    expect(sequence.expectedSums).toMatchObject({ "user-a/eur": "227.40", "user-b/eur": "10.00" });
  } finally {
    await mock.close();
  }
});
