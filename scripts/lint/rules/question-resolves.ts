import type { Rule } from "../rule.ts";
import { questionsWithin } from "../source-contract.ts";

export const questionResolves: Rule = {
  name: "question-resolves",
  states:
    "Every id under `x-open-questions`, and under `questions` of a mark, of resources.yaml or of mock.yaml, is an entry of open-questions.yaml.",
  why: "The docs and the types show the question and what the contract assumes; an id without an entry says nothing.",
  wrong: `
post:
  x-open-questions:
    - Q-webhook-path`,
  right: `
post:
  x-open-questions:
    - Q-webhook-paths`,
  judge(contract, check) {
    for (const item of [...contract.questionIds, ...questionsWithin(contract.mock)]) {
      check(
        contract.openQuestions.own(String(item.value)).exists,
        item,
        `There is no open question ${item.value}`,
        "Correct the id, or add the question to openapi/open-questions.yaml",
      );
    }
  },
};
