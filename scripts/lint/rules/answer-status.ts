import type { Rule } from "../rule.ts";

export const answerStatus: Rule = {
  name: "answer-status",
  states: "Every answer has a definite status: no `default` and no range such as `4XX`.",
  why: "An answer for several statuses has no definite P-codes, so no client can narrow it.",
  wrong: `
responses:
  default:
    $ref: ../../responses/Unauthorized.yaml`,
  right: `
responses:
  "401":
    $ref: ../../responses/Unauthorized.yaml`,
  judge({ subjects }, check) {
    for (const { label, answers } of subjects) {
      for (const { key, place } of answers) {
        check(
          /^[1-5]\d{2}$/.test(key),
          place,
          `${label} documents an answer "${key}", which is no definite status`,
          "List each status with exactly the codes that it can carry",
        );
      }
    }
  },
};
