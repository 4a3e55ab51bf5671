/** `PROVE_RUNS=20` tests each correct program 20 times with different seeds, in all conditions. */
import { expect, it } from "vitest";
import { proofKinds } from "../../scripts/prove/index.ts";
import type { Mistake } from "./corpus/mistake.ts";
import { type Language, proveProgram, withFolder, writeProgram } from "./support.ts";

const runs = Number(process.env.PROVE_RUNS ?? 1);

/**
 * The conditions for each correct program. Not used if PROVE_RUNS is set, as in the nightly run. prove-calls.slow.test.ts and
 * prove-receiver.slow.test.ts test some of the programs in further conditions, and guide.slow.test.ts tests the programs of the guide.
 */
const shortConditions: Readonly<Record<string, string>> = {
  "payouts ts": "late-history,killed-after",
  "treasury ts": "response-lost,late-history,killed-after,run-twice-at-once,ends-failed",
  "receiver ts": "five-at-once,shuffled-twice,killed-while,everything-again,unknown-values",
  "payouts py": "no-fault,response-lost,killed-after,run-twice-at-once",
  "onboarding ts": "response-lost,killed-after,run-again,run-twice-at-once",
  "receiver py": "five-at-once,everything-again,forged",
};

it.concurrent.each<[Mistake["program"], Language]>([
  ["payouts", "ts"],
  ["payouts", "py"],
  ["treasury", "ts"],
  ["onboarding", "ts"],
  ["receiver", "ts"],
  ["receiver", "py"],
])(
  `a correct %s program (%s) fails no condition, in ${runs} runs with other seeds`,
  async (program, language) => {
    const testedConditions =
      process.env.PROVE_RUNS === undefined ? shortConditions[`${program} ${language}`] : undefined;
    const names =
      testedConditions?.split(",") ??
      proofKinds.flatMap((kind) => (kind.name === program ? kind.conditions : [])).map(({ name }) => name);
    for (let run = 0; run < runs; run += 1) {
      const { findings, conditions } = await withFolder((folder) =>
        proveProgram(program, writeProgram(program, language, [], folder), {
          seed: `run ${run}`,
          only: testedConditions,
        }),
      );
      expect(findings, `seed "run ${run}"`).toEqual([]);
      // Only a program on Node.js can be started at the edge of a month.
      const expected = names.map((name) => [name, language === "py" && name === "month-edge" ? "not-met" : "passed"]);
      expect(conditions.map(({ name, result }) => [name, result])).toEqual(expected);
    }
  },
  runs * 120_000,
);
