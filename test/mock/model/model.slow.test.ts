import fc from "fast-check";
import { expect, test } from "vitest";
import { plan } from "../../support/plan.ts";
import { sequencesOf } from "./actions.ts";
import { runSequence } from "./sequence.ts";

const runs = Number(process.env.MODEL_RUNS ?? 40);

test(
  "random sequences keep the invariants, and are identical after a reset",
  async () => {
    const property = fc.asyncProperty(sequencesOf(25), async (sequence) => {
      expect(await runSequence(plan, sequence)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs });
  },
  60_000 + runs * 1000,
);
