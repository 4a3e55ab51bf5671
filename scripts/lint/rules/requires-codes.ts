import type { Rule } from "../rule.ts";

export const requiresCodes: Rule = {
  name: "requires-codes",
  states:
    "An operation requires a state (`x-requires`) exactly when it can return the P-code for its absence. extensions.yaml names that code, under `states` of x-requires.",
  why: "The docs show the preconditions and clients handle the codes; when the two disagree, one of them is wrong.",
  wrong: `
x-requires: [user, verified]
responses:
  "404":
    content:
      application/json:
        schema:
          oneOf:
            - $ref: ../../errors/P412.yaml`,
  right: `
x-requires: [user]
responses:
  "404":
    content:
      application/json:
        schema:
          oneOf:
            - $ref: ../../errors/P412.yaml`,
  judge({ operations, extensions }, check) {
    const states = extensions.at("x-requires", "states").entries();
    for (const { label, place, requires, answers } of operations) {
      const mark = place.own("x-requires");
      const codes = answers.flatMap((answer) => answer.codes);
      for (const item of mark.items()) {
        check(
          states.some(([state]) => state === item.value),
          item,
          `No P-code is named for the state ${item.value}`,
          "Add it to states of x-requires in openapi/extensions.yaml",
        );
      }
      for (const [state, { value: code }] of states) {
        check(
          !requires.includes(state) || codes.includes(String(code)),
          mark,
          `${label} requires ${state} but does not list ${code}`,
          `Add ${code} to its answers, or remove ${state}`,
        );
        check(
          requires.includes(state) || !codes.includes(String(code)),
          mark.exists ? mark : place,
          `${label} lists ${code} but does not require ${state}`,
          `Add ${state} to x-requires, or remove ${code} from its answers`,
        );
      }
    }
  },
};
