import type { Rule } from "../rule.ts";

/**
 * Every operation documents 401.
 *
 * Why: each of them needs the API key, and a missing or wrong one is answered with 401 Access Denied.
 */
export const unauthorizedAnswer: Rule = {
  name: "unauthorized-answer",
  judge({ operations }, check) {
    for (const { name, place, answers } of operations) {
      check(
        answers.some(({ status }) => status === "401"),
        place.own("responses"),
        `${name} does not document 401`,
        'Add "401" with a $ref to responses/Unauthorized.yaml',
      );
    }
  },
};
