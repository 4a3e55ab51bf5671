import { expect, it } from "vitest";
import { ablations } from "./ablations.ts";
import { runCases } from "./run.ts";
import { callEndings } from "./service.ts";
import { caseOf, quickCases } from "./worlds.ts";

it("finds nothing wrong in the quick cases, and explores them completely", {
  timeout: 600_000,
}, async () => {
  const results = await runCases(quickCases);
  const wrongResults = results.filter(
    ({ violation, unexpandedCount }) => violation !== undefined || unexpandedCount > 0,
  );
  expect(wrongResults.map(({ name, violation, story }) => ({ name, violation, story }))).toEqual([]);
});

// `npm run explore -- --rules` also explores the rules that need a decision or two payments, which takes more time.
const quickRules = ablations.filter(
  ({ violatedCase }) => violatedCase?.bounds.payments === 1 && violatedCase.bounds.decisions === 0,
);

it.for(quickRules)(
  "finds a story of at most 15 steps without the rule: $rule",
  { timeout: 600_000 },
  async (ablation) => {
    const [result] = await runCases(ablation.violatedCase === undefined ? [] : [ablation.violatedCase], {
      ablation,
    });
    expect(result?.violation).toEqual(expect.any(String));
    expect(result?.story?.length).toBeLessThanOrEqual(15);
  },
);

it("finds as many idle states as with an exact comparison of processes", { timeout: 600_000 }, async () => {
  // Lost responses are enough for every kind of decision. The other endings of a call would only add states.
  const cases = [false, true].map((isExact) => {
    const { world, ...rest } = caseOf(["usual"], { decisions: 1, isExact });
    return { ...rest, world: { ...world, callEndings: callEndings.lost } };
  });
  const [quick, exact] = await runCases(cases);
  expect(quick?.idleStateCount).toBe(exact?.idleStateCount);
});
