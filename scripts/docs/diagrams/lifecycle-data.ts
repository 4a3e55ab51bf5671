/** What a picture of a lifecycle shows: transitions, and what is known to lead to them. */
import { type Contract, type Resource, type State, stateOf } from "../../contract/index.ts";
import { wordsOf } from "./text-size.ts";

/** A call, or something outside, after which a resource has another value. */
export interface Cause {
  kind: "operation" | "outside";
  /** The operationId, or the name in the register. */
  name: string;
  /** The name that people know it by. */
  words: string;
  /** Empty for an operation, which has a page. */
  meaning: string;
  isCreation: boolean;
  /** The values that are possible afterwards; empty where nobody says which value a new resource has. */
  to: string[];
  /** Whether it happens after the answer. */
  isLater: boolean;
}

/** An arrow of the picture. */
export interface Transition {
  /** From 1 on; new resources come first. */
  number: number;
  /** Undefined for a new resource. */
  from: string | undefined;
  to: string;
  causes: Cause[];
}

/** What changes a state of a resource, operations first. The contract says to which value, not from which one. */
export function causesOf({ operations }: Pick<Contract, "operations">, resource: Resource, state: State): Cause[] {
  const isOfState = (name: string | undefined, isCreation: boolean): boolean =>
    (isCreation && name === undefined) || stateOf(resource, name) === state;
  const calls = operations.flatMap(({ operationId, summary, effects }) =>
    effects
      .filter((effect) => effect.resource === resource.name && isOfState(effect.state, effect.kind === "creates"))
      .map(({ kind, to, later }) => ({
        ...{ kind: "operation" as const, name: operationId, words: summary, meaning: "" },
        ...{ isCreation: kind === "creates", to, isLater: later },
      })),
  );
  const externalEvents = resource.externalEvents
    .filter(({ creates, moves, ...event }) => {
      const isCreation = creates === resource.name;
      return (isCreation || moves === resource.name) && isOfState(event.state, isCreation);
    })
    .map(({ name, meaning, creates, to }) => ({
      ...{ kind: "outside" as const, name, words: wordsOf(name), meaning },
      ...{ isCreation: creates !== undefined, to, isLater: false },
    }));
  // A new one of which nobody says the value has one of the first.
  return [...calls, ...externalEvents].map((cause) =>
    cause.isCreation && cause.to.length === 0 ? { ...cause, to: state.moves.initial } : cause,
  );
}

/** All transitions, new resources first. */
export function transitionsOf({ moves }: State, causes: readonly Cause[]): Transition[] {
  const pairs: [string | undefined, string][] = [
    ...moves.initial.map((to): [undefined, string] => [undefined, to]),
    ...Object.entries(moves.transitions).flatMap(([from, next]) => next.map((to): [string, string] => [from, to])),
  ];
  return pairs.map(([from, to], index) => ({
    number: index + 1,
    from,
    to,
    causes: causes.filter((cause) => cause.isCreation === (from === undefined) && cause.to.includes(to)),
  }));
}

/** The values after which no other one comes. */
export function finalValues({ moves, values }: State): string[] {
  return values.filter((value) => (moves.transitions[value] ?? []).length === 0);
}

/** The heading of a picture. */
export function titleOf(resource: Resource, state: State): string {
  const part = state.name === "status" ? "" : `, ${wordsOf(state.name)}`;
  return `Lifecycle of ${wordsOf(resource.name)}${part}`;
}

/** The picture in words. */
export function lifecycleInWords(state: State, transitions: readonly Transition[]): string {
  const to = (from: string | undefined): string =>
    transitions
      .filter((transition) => transition.from === from)
      .map((transition) => `${transition.to}${inParentheses(transition.causes)}`)
      .join(", or ");
  const sources = [...new Set(transitions.map(({ from }) => from))].filter((from) => from !== undefined);
  const final = finalValues(state);
  return [
    `A new one is ${to(undefined) || "in an unknown state"}.`,
    ...sources.map((from) => `${from} can become ${to(from)}.`),
    final.length === 0 ? "No value is final." : `Final: ${final.join(", ")}.`,
  ].join(" ");
}

function inParentheses(causes: readonly Cause[]): string {
  return causes.length === 0 ? "" : ` (${causes.map(({ words }) => words).join(" or ")})`;
}

/** Whether the causes of some transition could belong to another one with the same value at its end. */
export function isAmbiguous(transitions: readonly Transition[]): boolean {
  const moves = transitions.filter(({ from }) => from !== undefined);
  return moves.some(({ to, causes }) => causes.length > 0 && moves.filter((other) => other.to === to).length > 1);
}
