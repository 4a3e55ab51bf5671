import type { Rule } from "../rule.ts";

export const codeStatus: Rule = {
  name: "code-status",
  states: "Each P-code of an answer has the HTTP status of that answer.",
  why: "The status of a code is stated once, in its error file, and the client, the docs and the mock take it from there.",
  wrong: `
# x-error.status of P412 is 404
"400":
  content:
    application/json:
      schema:
        oneOf:
          - $ref: ../../errors/P412.yaml`,
  right: `
# x-error.status of P412 is 404
"404":
  content:
    application/json:
      schema:
        oneOf:
          - $ref: ../../errors/P412.yaml`,
  judge({ operations }, check) {
    for (const { label, answers } of operations) {
      for (const { key, codeRefs } of answers) {
        for (const { code, place } of codeRefs) {
          const stated = place.at("x-error", "status").value;
          check(
            String(stated) === key,
            place,
            `${code} has the status ${stated} but stands in the ${key} answer of ${label}`,
            `Move it to the ${stated} answer, or correct x-error.status in its file`,
          );
        }
      }
    }
  },
};
