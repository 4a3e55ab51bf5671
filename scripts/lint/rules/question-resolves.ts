import type { Rule } from "../rule.ts";

/**
 * Every open question that a place is marked with is an entry of open-questions.yaml.
 *
 * Why: the docs and the types show the question and what is assumed meanwhile; a mark without entry says nothing.
 */
export const questionResolves: Rule = {
  name: "question-resolves",
  judge(contract, check) {
    for (const { place } of contract.marksOf("x-open-questions")) {
      for (const item of place.items()) {
        check(
          contract.openQuestions.own(String(item.value)).exists,
          item,
          `There is no open question ${item.value}`,
          "Correct the id, or add the question to openapi/open-questions.yaml",
        );
      }
    }
  },
};
