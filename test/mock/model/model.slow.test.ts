import fc from "fast-check";
import { expect, test } from "vitest";
import { plan } from "../../support/plan.ts";
import { sequencesOf } from "./actions.ts";
import { type Defect, runSequence } from "./sequence.ts";

const runs = Number(process.env.MODEL_RUNS ?? 40);

test(
  "random sequences keep the invariants, and are identical after a reset",
  async () => {
    const property = fc.asyncProperty(sequencesOf(25), async (sequence) => {
      expect((await runSequence(plan, sequence)).problems).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs });
  },
  60_000 + runs * 1000,
);

test("a seeded defect is found, and shrunk to a few steps", async () => {
  const recordsMore: Defect = (mock, { step, status }) => {
    if (status !== 201 || "control" in step || step.call.operation.operationId !== "createTransfer") return;
    const state = mock.state();
    const entities = (state.entities ?? []).map((entity) => {
      const isDone = entity.resource === "transaction" && entity.states.status === "SUCCESSFUL";
      return isDone
        ? { ...entity, data: { ...entity.data, units: `${(entity.data as { units: string }).units}0` } }
        : entity;
    });
    mock.restore({ ...state, entities });
  };
  const property = fc.asyncProperty(sequencesOf(8), async (sequence) => {
    return (await runSequence(plan, sequence, recordsMore)).problems.length === 0;
  });
  const { counterexample } = await fc.check(property, { numRuns: 500, seed: 7 });
  const { responses, problems } = await runSequence(plan, counterexample?.[0] ?? [], recordsMore);
  expect(problems.join()).toContain("its records say");
  expect(responses.length).toBeLessThanOrEqual(4);
});
