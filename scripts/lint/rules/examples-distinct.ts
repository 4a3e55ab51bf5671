import type { Rule } from "../rule.ts";

export const examplesDistinct: Rule = {
  name: "examples-distinct",
  severity: "warn",
  states: "The examples of an operation's request differ from each other, and so do those of its answers.",
  why: "An example that repeats another one shows nothing and tests nothing.",
  wrong: `
examples:
  approved:
    value: { externalUserId: user-1042, status: APPROVED }
  rejected:
    value: { externalUserId: user-1042, status: APPROVED }`,
  right: `
examples:
  approved:
    value: { externalUserId: user-1042, status: APPROVED }
  rejected:
    value: { externalUserId: user-1042, status: REJECTED }`,
  judge({ subjects }, check) {
    for (const { label, requestBody, answers } of subjects) {
      for (const bodies of [requestBody?.bodies ?? [], answers.flatMap((answer) => answer.bodies)]) {
        const seen = new Map<string, string>();
        for (const { name, value, place } of bodies.flatMap(({ examples }) => examples)) {
          const text = JSON.stringify(value);
          check(
            !seen.has(text),
            place.at("value"),
            `The example "${name}" of ${label} repeats "${seen.get(text)}"`,
            "Give it values of its own, or remove it",
          );
          seen.set(text, name);
        }
      }
    }
  },
};
