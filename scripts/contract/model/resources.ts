import type { Delivery, Provenance } from "./document.ts";
import type { SourceLocation } from "./source-location.ts";

/** A state of a resource: a status in the interface, or an internal state that no body contains. */
export interface State {
  /** `status` if the resource has only one state. */
  name: string;
  /** Empty for a status, because the schema of the status describes the values. */
  meaning: string;
  schema: string | undefined;
  provenance: Provenance | undefined;
  openQuestions: string[];
  values: string[];
  /** `transitions` maps a value to the possible next values. A value without next values is final. */
  moves: { initial: string[]; transitions: Record<string, string[]> };
  /** The final values that mean success. Empty if the state says nothing about success. */
  succeeds: string[];
  weakerSteps: Step[];
  location: SourceLocation;
}

export interface Step {
  from: string;
  to: string;
  provenance: Provenance | undefined;
  openQuestions: string[];
  location: SourceLocation;
}

/** A change that happens without a call of the partner. With neither `creates` nor `moves`, only the webhook is sent. */
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
  takes: string[];
  location: SourceLocation;
}

export interface Resource {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  id: string;
  /** Whether `id` is the id of a user, so that a user's next resource of this kind has the same `id`. */
  repeats: boolean;
  details: string[];
  states: State[];
  externalEvents: ExternalEvent[];
  location: SourceLocation;
}

/** The entry of resources.yaml that describes the delivery of webhooks instead of a resource. */
export const deliveryEntry = "webhookDelivery";

export function readDelivery(register: SourceLocation): Delivery | undefined {
  return register.own(deliveryEntry).value as Delivery | undefined;
}

/** Skips malformed parts, which lint reports. @param statusAt returns undefined if the schema does not exist. */
export function readResources(
  register: SourceLocation,
  statusAt: (file: string) => SourceLocation | undefined,
): Resource[] {
  const entries = register.entries().filter(([name]) => name !== deliveryEntry);
  return entries.map(([name, location]) => ({
    name,
    ...described(location),
    id: location.text("id") ?? "",
    repeats: location.own("repeats").value === true,
    details: location.texts("details"),
    states: location
      .own("states")
      .entries()
      .map(([state, entry]) => readState(state, entry, statusAt)),
    externalEvents: location
      .own("externalEvents")
      .entries()
      .map(([event, entry]) => readExternalEvent(event, entry)),
    location,
  }));
}

/** Without `name`, returns the only state, or undefined if there are several. */
export function stateOf({ states }: Resource, name: string | undefined): State | undefined {
  if (name !== undefined) return states.find((state) => state.name === name);
  return states.length === 1 ? states[0] : undefined;
}

export function finalValues({ moves, values }: State): string[] {
  return values.filter((value) => !moves.transitions[value]?.length);
}

/**
 * Maps each final value to whether it is a success. For any other value, the outcome is not known yet. Undefined if the state says nothing
 * about success.
 */
export function resultsOf(state: State): Record<string, boolean> | undefined {
  if (state.succeeds.length === 0) return undefined;
  return Object.fromEntries(finalValues(state).map((value) => [value, state.succeeds.includes(value)]));
}

/** The result contains `value` only if a cycle of transitions leads back to `value`. */
export function valuesFollowing({ moves }: Pick<State, "moves">, value: string): Set<string> {
  const found = new Set<string>();
  const add = (from: string): void => {
    for (const next of moves.transitions[from] ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      add(next);
    }
  };
  add(value);
  return found;
}

function readState(
  name: string,
  location: SourceLocation,
  statusAt: (file: string) => SourceLocation | undefined,
): State {
  const file = location.text("schema");
  const initial = location.texts("initial");
  const steps = stepsAt(location);
  const transitions = Object.fromEntries(
    steps.map(({ from }) => [from, steps.filter((step) => step.from === from).map(({ to }) => to)]),
  );
  const named = new Set([...initial, ...steps.flatMap(({ from, to }) => [from, to])]);
  const status = file === undefined ? undefined : statusAt(file);
  const known = status?.own("x-open-enum").entries();
  return {
    name,
    ...described(location),
    schema: status?.name,
    openQuestions: location.texts("questions"),
    values: file === undefined ? [...named] : (known ?? []).map(([value]) => value),
    moves: { initial, transitions },
    succeeds: location.texts("succeeds"),
    weakerSteps: steps.filter(({ provenance, openQuestions }) => provenance !== undefined || openQuestions.length > 0),
    location,
  };
}

/** In the register, each next value is a string, or an object with the value, provenance and questions. */
function stepsAt(state: SourceLocation): Step[] {
  const transitions = state.own("transitions").entries();
  return transitions.flatMap(([from, next]) =>
    next.items().map((location) => ({
      from,
      to: typeof location.value === "object" ? (location.text("to") ?? "") : String(location.value),
      provenance: location.own("provenance").value as Provenance | undefined,
      openQuestions: location.texts("questions"),
      location,
    })),
  );
}

function readExternalEvent(name: string, location: SourceLocation): ExternalEvent {
  return {
    name,
    ...described(location),
    openQuestions: location.texts("questions"),
    creates: location.text("creates"),
    moves: location.text("moves"),
    state: location.text("state"),
    from: location.texts("from"),
    to: location.texts("to"),
    takes: location.texts("takes"),
    location,
  };
}

function described(location: SourceLocation): { meaning: string; provenance: Provenance | undefined } {
  return {
    meaning: location.text("meaning") ?? "",
    provenance: location.own("provenance").value as Provenance | undefined,
  };
}
