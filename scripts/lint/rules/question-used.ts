import type { Rule } from "../rule.ts";

/**
 * Every entry of open-questions.yaml is marked somewhere in the contract.
 *
 * Why: where an assumption bites is derived from the marks; an entry without one looks as if nothing rested on it.
 */
export const questionUsed: Rule = {
  name: "question-used",
  judge(contract, check) {
    const marked = contract.marksOf("x-open-questions").flatMap(({ place }) => place.items().map(({ value }) => value));
    for (const [id, entry] of contract.openQuestions.entries()) {
      check(
        marked.includes(id),
        entry,
        `Nothing is marked with ${id}`,
        "Add it to x-open-questions where the assumption bites, or remove the entry",
      );
    }
  },
};
