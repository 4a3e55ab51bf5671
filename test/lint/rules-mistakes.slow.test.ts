import { describe, it } from "vitest";
import { rules } from "../../scripts/lint/rules/index.ts";
import { cases, expectReport, lintTogether } from "./rule-cases.ts";

/** All mistakes of a rule except the first, which is its example and is linted by rules.test.ts. */
const mistakesOf = (name: string) => (cases[name] ?? []).slice(1);
const findingsOf = lintTogether(rules.flatMap(({ name }) => mistakesOf(name)));

describe.each(rules.filter(({ name }) => mistakesOf(name).length > 0))("$name", (rule) => {
  const mistakes = mistakesOf(rule.name).map(
    (mistake) => [mistake.description ?? "without a description", mistake] as const,
  );

  it.each(mistakes)("reports %s, and no other rule does", async (_description, mistake) => {
    await expectReport(rule, mistake, findingsOf);
  });
});
