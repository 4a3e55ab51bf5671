import { describe, it } from "vitest";
import { rules } from "../../scripts/lint/rules/index.ts";
import { cases, expectReport, lintTogether } from "./rule-cases.ts";

/** The mistakes of a rule after the first one, its example, which rules.test.ts lints. */
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
