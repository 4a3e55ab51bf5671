import type { Rule } from "../rule.ts";

/**
 * Every answer has a definite status: no `default` and no range such as `4XX`.
 *
 * Why: a loose answer has no definite codes, so no client can narrow it.
 */
export const answerStatus: Rule = {
  name: "answer-status",
  judge({ operations, webhooks }, check) {
    for (const { name, answers } of [...operations, ...webhooks]) {
      for (const { status, place } of answers) {
        check(
          /^[1-5]\d{2}$/.test(status),
          place,
          `${name} documents an answer "${status}", which is no definite status`,
          "List each status with exactly the codes that it can carry",
        );
      }
    }
  },
};
