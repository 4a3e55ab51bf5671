/** The resources that the service keeps, `openapi/resources.yaml`, and how their states follow each other. */
import type { Delivery, Provenance } from "./document.ts";
import type { Place } from "./place.ts";

/** A state of a resource: a status of the interface, or one that no body carries. */
export interface State {
  /** `status` where the resource has a single one. */
  name: string;
  /** Empty for a status, which its schema describes. */
  meaning: string;
  /** The name of the schema of a status; undefined for a state that no body carries. */
  schema: string | undefined;
  provenance: Provenance | undefined;
  openQuestions: string[];
  /** All known values. */
  values: string[];
  /** How the values follow each other. A value without transitions is final. */
  moves: { initial: string[]; transitions: Record<string, string[]> };
  /** The final values that are a success; the others are failures. Empty where nothing says it. */
  succeeds: string[];
  /** The transitions that are less certain than the others. */
  weakerSteps: Step[];
  place: Place;
}

/** A transition with marks of its own. */
export interface Step {
  from: string;
  to: string;
  provenance: Provenance | undefined;
  openQuestions: string[];
  place: Place;
}

/** What happens to a resource without a call of the partner. With neither `creates` nor `moves` it changes nothing. */
export interface ExternalEvent {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  openQuestions: string[];
  creates: string | undefined;
  moves: string | undefined;
  /** The state that moves; undefined where the resource has a single one. */
  state: string | undefined;
  /** The values that it moves from. Empty where it is any from which the lifecycle leads to the next. */
  from: string[];
  /** The values that are possible afterwards. */
  to: string[];
  /** What the mock can be told about it. */
  takes: string[];
  place: Place;
}

export interface Resource {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  /** The field that tells one from another. */
  id: string;
  /** Whether the next one of the same owner has the same id. */
  repeats: boolean;
  /** The operations that show it. */
  details: string[];
  states: State[];
  externalEvents: ExternalEvent[];
  place: Place;
}

/** The entry of the register that is no resource: how webhooks are delivered. */
export const deliveryEntry = "webhookDelivery";

/** How webhooks are delivered; undefined where the register does not say it. */
export function readDelivery(register: Place): Delivery | undefined {
  return register.own(deliveryEntry).value as Delivery | undefined;
}

/**
 * Reads the register. What does not have its form, which lint reports, is read as far as it goes.
 *
 * @param register the whole file.
 * @param statusAt the schema that an entry names, given as the entry writes it; undefined where there is none.
 */
export function readResources(register: Place, statusAt: (file: string) => Place | undefined): Resource[] {
  const entries = register.entries().filter(([name]) => name !== deliveryEntry);
  return entries.map(([name, place]) => ({
    name,
    ...described(place),
    id: place.text("id") ?? "",
    repeats: place.own("repeats").value === true,
    details: place.texts("details"),
    states: place
      .own("states")
      .entries()
      .map(([state, entry]) => readState(state, entry, statusAt)),
    externalEvents: place
      .own("externalEvents")
      .entries()
      .map(([event, entry]) => readExternalEvent(event, entry)),
    place,
  }));
}

/** The state of a resource by its name; without one, the only state that it has. */
export function stateOf({ states }: Resource, name: string | undefined): State | undefined {
  if (name !== undefined) return states.find((state) => state.name === name);
  return states.length === 1 ? states[0] : undefined;
}

/** The values that can come directly after any other one. */
export function valuesAfter({ moves }: State): Set<string> {
  return new Set(Object.values(moves.transitions).flat());
}

/** The values that a resource can have at any time after the given one; that one only where it can return to it. */
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

function readState(name: string, place: Place, statusAt: (file: string) => Place | undefined): State {
  const file = place.text("schema");
  const initial = place.texts("initial");
  const steps = stepsAt(place);
  const transitions = Object.fromEntries(
    steps.map(({ from }) => [from, steps.filter((step) => step.from === from).map(({ to }) => to)]),
  );
  const named = new Set([...initial, ...steps.flatMap(({ from, to }) => [from, to])]);
  const status = file === undefined ? undefined : statusAt(file);
  const known = status?.own("x-open-enum").entries();
  return {
    name,
    ...described(place),
    schema: status?.name,
    openQuestions: place.texts("questions"),
    values: file === undefined ? [...named] : (known ?? []).map(([value]) => value),
    moves: { initial, transitions },
    succeeds: place.texts("succeeds"),
    weakerSteps: steps.filter(({ provenance, openQuestions }) => provenance !== undefined || openQuestions.length > 0),
    place,
  };
}

/** The transitions of a state: each is a value, or an object with the value and marks. */
function stepsAt(state: Place): Step[] {
  const transitions = state.own("transitions").entries();
  return transitions.flatMap(([from, next]) =>
    next.items().map((place) => ({
      from,
      to: typeof place.value === "object" ? (place.text("to") ?? "") : String(place.value),
      provenance: place.own("provenance").value as Provenance | undefined,
      openQuestions: place.texts("questions"),
      place,
    })),
  );
}

function readExternalEvent(name: string, place: Place): ExternalEvent {
  return {
    name,
    ...described(place),
    openQuestions: place.texts("questions"),
    creates: place.text("creates"),
    moves: place.text("moves"),
    state: place.text("state"),
    from: place.texts("from"),
    to: place.texts("to"),
    takes: place.texts("takes"),
    place,
  };
}

function described(place: Place): { meaning: string; provenance: Provenance | undefined } {
  return {
    meaning: place.text("meaning") ?? "",
    provenance: place.own("provenance").value as Provenance | undefined,
  };
}
