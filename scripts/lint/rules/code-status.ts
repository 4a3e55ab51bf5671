import type { Rule } from "../rule.ts";

/**
 * Each P-code of an answer has the HTTP status of that answer.
 *
 * Why: the status of a code is stated once, in its own file, and client, docs and mock take it from there.
 */
export const codeStatus: Rule = {
  name: "code-status",
  judge({ operations }, check) {
    for (const { name, answers } of operations) {
      for (const { status, codes } of answers) {
        for (const { code, place } of codes) {
          const stated = place.at("x-error", "status").value;
          check(
            String(stated) === status,
            place,
            `${code} has the status ${stated} but stands in the ${status} answer of ${name}`,
            `Move it to the ${stated} answer, or correct x-error.status in its file`,
          );
        }
      }
    }
  },
};
