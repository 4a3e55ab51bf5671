import type { Rule } from "../rule.ts";

/**
 * An operation requires a state exactly when it can return the P-code for its absence. Which code stands for which state
 * is stated in extensions.yaml, under `states` of x-requires.
 *
 * Why: docs and mock read the preconditions, clients the codes; when the two disagree, one of them lies.
 */
export const requiresCodes: Rule = {
  name: "requires-codes",
  judge({ operations, extensions }, check) {
    const states = extensions.at("x-requires", "states").entries();
    for (const { name, place, answers } of operations) {
      const mark = place.own("x-requires");
      const required = mark.items().map(({ value }) => value);
      const codes = answers.flatMap((answer) => answer.codes.map(({ code }) => code));
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
          !required.includes(state) || codes.includes(String(code)),
          mark,
          `${name} requires ${state} but does not list ${code}`,
          `Add ${code} to its answers, or remove ${state}`,
        );
        check(
          required.includes(state) || !codes.includes(String(code)),
          mark.exists ? mark : place,
          `${name} lists ${code} but does not require ${state}`,
          `Add ${state} to x-requires, or remove ${code} from its answers`,
        );
      }
    }
  },
};
