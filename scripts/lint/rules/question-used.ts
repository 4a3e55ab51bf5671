import type { Rule } from "../rule.ts";

export const questionUsed: Rule = {
  name: "question-used",
  severity: "warn",
  states: "Every entry of open-questions.yaml is named somewhere in the contract.",
  why: "The places that rest on an assumption are found by these marks; for an entry without one, nothing seems to rest on it.",
  wrong: `
# open-questions.yaml has Q-webhook-delivery
post:
  x-open-questions:
    - Q-webhook-paths`,
  right: `
post:
  x-open-questions:
    - Q-webhook-paths
    - Q-webhook-delivery`,
  judge(contract, check) {
    const marked = contract.questionIds.map(({ value }) => value);
    for (const [id, entry] of contract.openQuestions.entries()) {
      check(
        marked.includes(id),
        entry,
        `Nothing is marked with ${id}`,
        "Add it to x-open-questions where the contract rests on the assumption, or remove the entry",
      );
    }
  },
};
