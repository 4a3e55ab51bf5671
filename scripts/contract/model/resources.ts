import type { Provenance } from "./document.ts";
import type { SourceLocation } from "./source-location.ts";

/** A status in the interface, or an internal state that no body contains. */
export interface State {
  /** `status` if the resource has only one state. */
  name: string;
  /** Empty if the state has a `schema`, which describes the values. */
  meaning: string;
  schema: string | undefined;
  provenance: Provenance | undefined;
  openQuestions: string[];
  values: string[];
  /** `transitions` maps a value to the possible next values. A value without next values is final. */
  lifecycle: { initial: string[]; transitions: Record<string, string[]> };
  /** The final values that mean success. Empty if the contract does not state which values do. */
  successValues: string[];
  /** The transitions that have a provenance or open questions of their own. */
  markedTransitions: Transition[];
  location: SourceLocation;
}

export interface Transition {
  from: string;
  to: string;
  provenance: Provenance | undefined;
  openQuestions: string[];
}

/** A change without a call of the partner. An event without `creates` and `moves` changes no state: the service only sends the webhook. */
export interface ExternalEvent {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  openQuestions: string[];
  creates: string | undefined;
  moves: string | undefined;
  state: string | undefined;
  from: string[];
  to: string[];
  /** The parameters of this event in the mock's control interface. */
  parameterNames: string[];
  location: SourceLocation;
}

export interface Resource {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  id: string;
  /** Whether `id` is the id of the user. All resources of this kind that a user has then have the same `id`. */
  hasUserId: boolean;
  details: string[];
  states: State[];
  externalEvents: ExternalEvent[];
  location: SourceLocation;
}

export interface Delivery {
  attempts: number;
  /** Seconds from each failed attempt to the next attempt. */
  delays: number[];
  healthPath: string;
  provenance: Provenance;
}

/** The entry of resources.yaml that describes the delivery of webhooks instead of a resource. */
export const deliveryEntry = "webhookDelivery";

/** @returns undefined if the entry is missing. */
export function readDelivery(register: SourceLocation): Delivery | undefined {
  const location = register.child(deliveryEntry);
  const [attempts, delays] = [location.child("attempts").value, location.child("delays")];
  if (typeof attempts !== "number" || !Array.isArray(delays.value)) return undefined;
  return {
    attempts,
    delays: delays.items().map(({ value }) => Number(value)),
    healthPath: location.text("healthPath") ?? "",
    provenance: (location.text("provenance") ?? "proposed") as Provenance,
  };
}

/** @param statusAt returns the schema of a status, or undefined if the schema does not exist. */
export function readResources(
  register: SourceLocation,
  statusAt: (file: string) => SourceLocation | undefined,
): Resource[] {
  const entries = register.entries().filter(([name]) => name !== deliveryEntry);
  return entries.map(([name, location]) => ({
    name,
    ...readDescription(location),
    id: location.text("id") ?? "",
    hasUserId: location.child("repeats").value === true,
    details: location.texts("details"),
    states: location
      .child("states")
      .entries()
      .map(([state, entry]) => readState(state, entry, statusAt)),
    externalEvents: location
      .child("externalEvents")
      .entries()
      .map(([event, entry]) => readExternalEvent(event, entry)),
    location,
  }));
}

/** Returns the state with the given name; without a name, the only state. Undefined if there is no such state, or more than one. */
export function stateOf({ states }: Resource, name: string | undefined): State | undefined {
  if (name !== undefined) return states.find((state) => state.name === name);
  return states.length === 1 ? states[0] : undefined;
}

export function finalValues({ lifecycle, values }: State): string[] {
  return values.filter((value) => !lifecycle.transitions[value]?.length);
}

/** For each final value, whether it is a success. Undefined if the contract does not state which values mean success. */
export function resultsOf(state: State): Record<string, boolean> | undefined {
  if (state.successValues.length === 0) return undefined;
  return Object.fromEntries(finalValues(state).map((value) => [value, state.successValues.includes(value)]));
}

/** All values that can follow `value`, directly or later. `value` itself is one of them only if transitions lead back to it. */
export function valuesFollowing({ lifecycle }: Pick<State, "lifecycle">, value: string): Set<string> {
  const followingValues = new Set<string>();
  const addFollowing = (fromValue: string): void => {
    for (const nextValue of lifecycle.transitions[fromValue] ?? []) {
      if (followingValues.has(nextValue)) continue;
      followingValues.add(nextValue);
      addFollowing(nextValue);
    }
  };
  addFollowing(value);
  return followingValues;
}

function readState(
  name: string,
  location: SourceLocation,
  statusAt: (file: string) => SourceLocation | undefined,
): State {
  const file = location.text("schema");
  const initial = location.texts("initial");
  const listedTransitions = transitionsAt(location);
  const transitions = Object.fromEntries(
    listedTransitions.map(({ from }) => [
      from,
      listedTransitions.filter((other) => other.from === from).map(({ to }) => to),
    ]),
  );
  const mentionedValues = new Set([...initial, ...listedTransitions.flatMap(({ from, to }) => [from, to])]);
  const status = file === undefined ? undefined : statusAt(file);
  const enumEntries = status?.child("x-open-enum").entries();
  return {
    name,
    ...readDescription(location),
    schema: status?.name,
    openQuestions: location.texts("questions"),
    values: file === undefined ? [...mentionedValues] : (enumEntries ?? []).map(([value]) => value),
    lifecycle: { initial, transitions },
    successValues: location.texts("succeeds"),
    markedTransitions: listedTransitions.filter(
      ({ provenance, openQuestions }) => provenance !== undefined || openQuestions.length > 0,
    ),
    location,
  };
}

/** Each next value is a string, or an object with the value, its provenance and questions. */
function transitionsAt(state: SourceLocation): Transition[] {
  const transitions = state.child("transitions").entries();
  return transitions.flatMap(([from, next]) =>
    next.items().map((location) => ({
      from,
      to: typeof location.value === "object" ? (location.text("to") ?? "") : String(location.value),
      provenance: location.child("provenance").value as Provenance | undefined,
      openQuestions: location.texts("questions"),
    })),
  );
}

function readExternalEvent(name: string, location: SourceLocation): ExternalEvent {
  return {
    name,
    ...readDescription(location),
    openQuestions: location.texts("questions"),
    creates: location.text("creates"),
    moves: location.text("moves"),
    state: location.text("state"),
    from: location.texts("from"),
    to: location.texts("to"),
    parameterNames: location.texts("takes"),
    location,
  };
}

function readDescription(location: SourceLocation): { meaning: string; provenance: Provenance | undefined } {
  return {
    meaning: location.text("meaning") ?? "",
    provenance: location.child("provenance").value as Provenance | undefined,
  };
}
