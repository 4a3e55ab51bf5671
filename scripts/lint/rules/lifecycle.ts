import type { Place } from "../place.ts";
import type { Rule } from "../rule.ts";

/**
 * A lifecycle is about the values of `x-open-enum` beside it, all of them: each is final or has transitions, none is both.
 *
 * Why: docs draw it and the mock follows it; a value without a way on would be a dead end by mistake.
 */
export const lifecycle: Rule = {
  name: "lifecycle",
  judge(contract, check) {
    for (const { holder, place } of contract.marksOf("x-lifecycle")) {
      const known = holder
        .own("x-open-enum")
        .entries()
        .map(([value]) => value);
      const transitions = place.own("transitions");
      const final = textsOf(place.own("final"));
      for (const { value, at } of valuesIn(place)) {
        const remedy = "Correct the value, or add it to x-open-enum of the same schema";
        check(known.includes(value), at, `${value} is no known value of this status`, remedy);
      }
      for (const value of known) {
        const isFinal = final.includes(value);
        const goesOn = transitions.own(value).exists;
        check(
          isFinal || goesOn,
          transitions,
          `${value} is not final and has no transitions`,
          "List what can follow it, or add it to final",
        );
        check(
          !(isFinal && goesOn),
          transitions.own(value),
          `${value} is final but has transitions`,
          "Remove one of the two",
        );
      }
    }
  },
};

/** Every mention of a value in a lifecycle. */
function valuesIn(lifecycle: Place): { value: string; at: Place }[] {
  const transitions = lifecycle.own("transitions").entries();
  const mentions = [lifecycle.own("initial"), lifecycle.own("final"), ...transitions.map(([, next]) => next)];
  return [
    ...mentions.flatMap((list) => list.items().map((at) => ({ value: String(at.value), at }))),
    ...transitions.map(([value, at]) => ({ value, at })),
  ];
}

function textsOf(list: Place): string[] {
  return list.items().map(({ value }) => String(value));
}
