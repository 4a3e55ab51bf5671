import { type Contract, type Resource, type State, stateOf } from "../../contract/model/index.ts";
import { wordsOf } from "../text/words.ts";

/** An operation or external event that creates a resource or changes its state. */
export interface Cause {
  kind: "operation" | "outside";
  /** The operationId, or the external event's name in `resources.yaml`. */
  name: string;
  label: string;
  meaning: string;
  isCreation: boolean;
  /** The possible values before the change. Empty for a creation, and if every transition to a value in `to` is possible. */
  from: string[];
  /** The possible values after the change. If the contract does not state the value after a creation, all initial values. */
  to: string[];
  isLater: boolean;
}

export interface Transition {
  number: number;
  from: string | undefined;
  to: string;
  causes: Cause[];
}

export function causesOf({ operations }: Pick<Contract, "operations">, resource: Resource, state: State): Cause[] {
  const isOfState = (name: string | undefined, isCreation: boolean): boolean =>
    (isCreation && name === undefined) || stateOf(resource, name) === state;
  const calls = operations.flatMap(({ operationId, summary, effects }) =>
    effects
      .filter((effect) => effect.resource === resource.name && isOfState(effect.state, effect.kind === "creates"))
      .map(({ kind, from, to, later }) => ({
        kind: "operation" as const,
        name: operationId,
        label: summary,
        meaning: "",
        isCreation: kind === "creates",
        from,
        to,
        isLater: later,
      })),
  );
  const externalEvents = resource.externalEvents
    .filter(({ creates, moves, ...event }) => {
      const isCreation = creates === resource.name;
      return (isCreation || moves === resource.name) && isOfState(event.state, isCreation);
    })
    .map(({ name, meaning, creates, from, to }) => ({
      kind: "outside" as const,
      name,
      label: wordsOf(name),
      meaning,
      isCreation: creates !== undefined,
      from,
      to,
      isLater: false,
    }));
  // If the contract does not state the value after a creation, all initial values of the state are possible.
  return [...calls, ...externalEvents].map((cause) =>
    cause.isCreation && cause.to.length === 0 ? { ...cause, to: state.lifecycle.initial } : cause,
  );
}

export function transitionsOf({ lifecycle }: State, causes: readonly Cause[]): Transition[] {
  const pairs: [string | undefined, string][] = [
    ...lifecycle.initial.map((to): [undefined, string] => [undefined, to]),
    ...Object.entries(lifecycle.transitions).flatMap(([from, nextValues]) =>
      nextValues.map((to): [string, string] => [from, to]),
    ),
  ];
  return pairs.map(([from, to], index) => ({
    number: index + 1,
    from,
    to,
    causes: causes.filter(
      (cause) =>
        cause.to.includes(to) &&
        (from === undefined
          ? cause.isCreation
          : !cause.isCreation && (cause.from.length === 0 || cause.from.includes(from))),
    ),
  }));
}
