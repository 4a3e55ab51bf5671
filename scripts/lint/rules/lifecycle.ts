import { type Place, valuesFollowing } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const lifecycle: Rule = {
  name: "lifecycle",
  states:
    "A lifecycle names exactly the values of `x-open-enum` beside it: each is either final or has transitions, not both, and can be reached from an initial one.",
  why: "The docs show the lifecycle, and a mock can follow it; a value that is left out, or that nothing leads to, is one that was forgotten.",
  wrong: `
x-lifecycle:
  initial: [PENDING]
  final: [APPROVED, REJECTED, PENDING]
  transitions:
    PENDING: [APPROVED, REJECTED]`,
  right: `
x-lifecycle:
  initial: [PENDING]
  final: [APPROVED, REJECTED]
  transitions:
    PENDING: [APPROVED, REJECTED]`,
  judge(contract, check) {
    for (const { holder, place } of contract.marksOf("x-lifecycle")) {
      const known = holder
        .own("x-open-enum")
        .entries()
        .map(([value]) => value);
      const transitions = place.own("transitions");
      const final = textsOf(place.own("final"));
      const initial = textsOf(place.own("initial"));
      const moves = { initial, transitions: transitionsIn(place) };
      const isSound = valuesIn(place).every(({ value }) => known.includes(value));
      const reached = new Set(initial.flatMap((value) => [value, ...valuesFollowing({ moves }, value)]));
      for (const { value, at } of valuesIn(place)) {
        const remedy = "Correct the value, or add it to x-open-enum of the same schema";
        check(known.includes(value), at, `${value} is no known value of this status`, remedy);
      }
      for (const value of known) {
        const isFinal = final.includes(value);
        const hasTransitions = transitions.own(value).exists;
        check(
          isFinal || hasTransitions,
          transitions,
          `${value} is not final and has no transitions`,
          "List what can follow it, or add it to final",
        );
        check(
          !(isFinal && hasTransitions),
          transitions.own(value),
          `${value} is final but has transitions`,
          "Remove one of the two",
        );
        check(
          !isSound || reached.has(value),
          place,
          `${value} cannot be reached from an initial value`,
          "Add it to initial, or to the transitions of another value",
        );
      }
    }
  },
};

/** Every mention of a value in a lifecycle. */
function valuesIn(mark: Place): { value: string; at: Place }[] {
  const transitions = mark.own("transitions").entries();
  const mentions = [mark.own("initial"), mark.own("final"), ...transitions.map(([, next]) => next)];
  return [
    ...mentions.flatMap((list) => list.items().map((at) => ({ value: String(at.value), at }))),
    ...transitions.map(([value, at]) => ({ value, at })),
  ];
}

function transitionsIn(mark: Place): Record<string, string[]> {
  const transitions = mark.own("transitions").entries();
  return Object.fromEntries(transitions.map(([value, next]) => [value, textsOf(next)]));
}

function textsOf(list: Place): string[] {
  return list.items().map(({ value }) => String(value));
}
