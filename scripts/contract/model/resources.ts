/** The resources of the service and their lifecycles, `openapi/resources.yaml`. */
import type { Delivery, Provenance } from "./document.ts";
import type { SourceLocation } from "./source-location.ts";

/** A state of a resource: a status in the interface, or a state that no body carries. */
export interface State {
  /** `status` where the resource has only one. */
  name: string;
  /** The meaning; empty for a status, which its schema describes. */
  meaning: string;
  /** The schema of a status; undefined for a state that no body carries. */
  schema: string | undefined;
  provenance: Provenance | undefined;
  openQuestions: string[];
  /** All known values. */
  values: string[];
  /** The lifecycle. A value without transitions is final. */
  moves: { initial: string[]; transitions: Record<string, string[]> };
  /** The final values that are a success; the others are failures. Empty where it is not stated. */
  succeeds: string[];
  /** The transitions that are less certain than the state's provenance. */
  weakerSteps: Step[];
  location: SourceLocation;
}

/** A transition with marks of its own. */
export interface Step {
  from: string;
  to: string;
  provenance: Provenance | undefined;
  openQuestions: string[];
  location: SourceLocation;
}

/** A change of a resource without a call of the partner. With neither `creates` nor `moves`, only its webhook is sent. */
export interface ExternalEvent {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  openQuestions: string[];
  creates: string | undefined;
  moves: string | undefined;
  /** The state that changes; undefined where the resource has only one. */
  state: string | undefined;
  /** The previous values. Empty for any value with a transition to the next one. */
  from: string[];
  /** The possible values afterwards. */
  to: string[];
  /** The parameters of the mock's trigger. */
  takes: string[];
  location: SourceLocation;
}

export interface Resource {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  /** The field that identifies a resource. */
  id: string;
  /** Whether the owner's next resource has the same id. */
  repeats: boolean;
  /** The operations that return it. */
  details: string[];
  states: State[];
  externalEvents: ExternalEvent[];
  location: SourceLocation;
}

/** The entry of resources.yaml that is not a resource: the delivery of webhooks. */
export const deliveryEntry = "webhookDelivery";

/** How webhooks are delivered; undefined where the register does not define it. */
export function readDelivery(register: SourceLocation): Delivery | undefined {
  return register.own(deliveryEntry).value as Delivery | undefined;
}

/**
 * Parses the register. Malformed parts, which lint reports, are skipped.
 *
 * @param register the whole file.
 * @param statusAt returns the schema for an entry's reference; undefined where there is none.
 */
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

/** The state with a name; without a name, the only state. */
export function stateOf({ states }: Resource, name: string | undefined): State | undefined {
  if (name !== undefined) return states.find((state) => state.name === name);
  return states.length === 1 ? states[0] : undefined;
}

/** The values with an incoming transition. */
export function valuesAfter({ moves }: State): Set<string> {
  return new Set(Object.values(moves.transitions).flat());
}

/** The values reachable from the given one; that one itself only if a cycle leads back to it. */
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

/** The transitions of a state: each is a value, or an object with the value and marks. */
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
