/** Judges changes of resources: those that operations make, and those that happen outside. */
import {
  type Effect,
  type Provenance,
  type Resource,
  type State,
  stateOf,
  valuesAfter,
  weakest,
} from "../contract/index.ts";

/**
 * Why a change is impossible, undefined when it is possible: the resource and its state exist, a new one can have the
 * values, and an existing one can move to them.
 */
export function changeProblem(
  resources: Resource[],
  { kind, resource: name, state: stateName, to }: Pick<Effect, "kind" | "resource" | "state" | "to">,
): string | undefined {
  const resource = resources.find((candidate) => candidate.name === name);
  if (resource === undefined) return `There is no resource ${name}`;
  // What is new has the initial value of every state.
  if (kind === "creates" && to.length === 0) return undefined;
  const state = stateOf(resource, stateName);
  if (state === undefined) return stateProblem(resource, stateName);
  return to.map((value) => valueProblem(resource, state, kind, value)).find((problem) => problem !== undefined);
}

/**
 * Why a statement on the values of a state counts as surer than the state itself, undefined when it does not.
 *
 * @param said the resource and state that it is about, and its own mark.
 * @param enclosing the provenance of the operation or webhook that says it.
 */
export function surenessProblem(
  resources: Resource[],
  said: { resource: string; state: string | undefined; provenance: Provenance | undefined },
  enclosing: Provenance,
): string | undefined {
  const resource = resources.find(({ name }) => name === said.resource);
  const state = resource === undefined ? undefined : stateOf(resource, said.state);
  const counts = weakest(enclosing, said.provenance);
  if (state === undefined || weakest(counts, state.provenance) === counts) return undefined;
  return `It counts as ${counts}, but how the ${state.name} of ${said.resource} changes is ${state.provenance}`;
}

/** Why a name does not say which state of a resource is meant. */
export function stateProblem({ name, states }: Resource, state: string | undefined): string {
  const names = states.map((known) => known.name).join(", ");
  return state === undefined
    ? `The resource ${name} has several states, and none is named: ${names}`
    : `The resource ${name} has no state ${state}, but ${names}`;
}

function valueProblem({ name }: Resource, state: State, kind: Effect["kind"], value: string): string | undefined {
  const of = state.name === "status" ? name : `${state.name} of ${name}`;
  // A status without values is reported by the rule `resources`.
  if (state.values.length === 0) return undefined;
  if (!state.values.includes(value)) return `${value} is no value of the ${of}, but ${state.values.join(", ")}`;
  if (kind === "creates" && !state.moves.initial.includes(value)) return `A new ${name} cannot be ${value}`;
  if (kind === "moves" && !valuesAfter(state).has(value)) return `Nothing moves to ${value} in the ${of}`;
  return undefined;
}
