import type { Rule } from "../rule.ts";

export const unauthorizedAnswer: Rule = {
  name: "unauthorized-answer",
  states: "Every operation documents 401.",
  why: "Each operation needs the API key, and a missing or wrong one is answered with 401 Access Denied.",
  wrong: `
responses:
  "200":
    description: The card.`,
  right: `
responses:
  "200":
    description: The card.
  "401":
    $ref: ../../responses/Unauthorized.yaml`,
  judge({ operations }, check) {
    for (const { label, place, answers } of operations) {
      check(
        answers.some(({ status }) => status === 401),
        place.own("responses"),
        `${label} does not document 401`,
        'Add "401" with a $ref to responses/Unauthorized.yaml',
      );
    }
  },
};
