/** The resources that the service keeps, `openapi/resources.yaml`, and how their states follow each other. */
import type { Lifecycle, Provenance } from "./document.ts";
import type { Place } from "./place.ts";

/** A state of a resource: a status of the interface, or one that no body carries. */
export interface State {
  /** `status` where the resource has a single one. */
  name: string;
  /** Empty for a status, which its schema describes. */
  meaning: string;
  provenance: Provenance | undefined;
  /** All known values. */
  values: string[];
  /** How the values follow each other; undefined where nobody says it. A value without transitions is final. */
  moves: { initial: string[]; transitions: Record<string, string[]> } | undefined;
  place: Place;
}

/** What happens to a resource without a call of the partner. With neither `creates` nor `moves` it changes nothing. */
export interface Happening {
  name: string;
  meaning: string;
  provenance: Provenance | undefined;
  creates: string | undefined;
  moves: string | undefined;
  /** The state that moves; undefined where the resource has a single one. */
  state: string | undefined;
  /** The values that are possible afterwards. */
  to: string[];
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
  outside: Happening[];
  place: Place;
}

/**
 * Reads the register. What does not have its form, which lint reports, is read as far as it goes.
 *
 * @param register the whole file.
 * @param statusAt the schema in a file that an entry names, given as the entry writes it; undefined where there is none.
 */
export function readResources(register: Place, statusAt: (file: string) => Place | undefined): Resource[] {
  return register.entries().map(([name, place]) => ({
    name,
    ...described(place),
    id: textAt(place, "id"),
    repeats: place.own("repeats").value === true,
    details: valuesAt(place, "details"),
    states: readStates(place, statusAt),
    outside: place
      .own("outside")
      .entries()
      .map(([happening, entry]) => readHappening(happening, entry)),
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
  return new Set(Object.values(moves?.transitions ?? {}).flat());
}

/** The values that a resource can have at any time after the given one; that one only where it can return to it. */
export function valuesFollowing({ moves }: Pick<State, "moves">, value: string): Set<string> {
  const found = new Set<string>();
  const add = (from: string): void => {
    for (const next of moves?.transitions[from] ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      add(next);
    }
  };
  add(value);
  return found;
}

function readStates(place: Place, statusAt: (file: string) => Place | undefined): State[] {
  const file = place.own("status");
  if (file.exists) return [readStatus(file, statusAt(String(file.value)))];
  return place
    .own("states")
    .entries()
    .map(([name, state]) => {
      const initial = valuesAt(state, "initial");
      const transitions = transitionsAt(state);
      const values = new Set([...initial, ...Object.keys(transitions), ...Object.values(transitions).flat()]);
      return { name, ...described(state), values: [...values], moves: { initial, transitions }, place: state };
    });
}

function readStatus(place: Place, schema: Place | undefined): State {
  const lifecycle = schema?.own("x-lifecycle");
  return {
    name: "status",
    meaning: "",
    provenance: lifecycle?.own("provenance").value as Lifecycle["provenance"] | undefined,
    values: (schema?.own("x-open-enum").entries() ?? []).map(([value]) => value),
    moves: lifecycle?.exists
      ? { initial: valuesAt(lifecycle, "initial"), transitions: transitionsAt(lifecycle) }
      : undefined,
    place,
  };
}

function readHappening(name: string, place: Place): Happening {
  return {
    name,
    ...described(place),
    creates: optionalTextAt(place, "creates"),
    moves: optionalTextAt(place, "moves"),
    state: optionalTextAt(place, "state"),
    to: valuesAt(place, "to"),
    place,
  };
}

function described(place: Place): { meaning: string; provenance: Provenance | undefined } {
  return {
    meaning: textAt(place, "meaning"),
    provenance: place.own("provenance").value as Provenance | undefined,
  };
}

function transitionsAt(place: Place): Record<string, string[]> {
  const transitions = place.own("transitions").entries();
  return Object.fromEntries(
    transitions.map(([value, next]) => [value, next.items().map((item) => String(item.value))]),
  );
}

function textAt(place: Place, key: string): string {
  return optionalTextAt(place, key) ?? "";
}

function optionalTextAt(place: Place, key: string): string | undefined {
  const { value } = place.own(key);
  return typeof value === "string" ? value : undefined;
}

/** A value, or a list of values. */
function valuesAt(place: Place, key: string): string[] {
  const { value } = place.own(key);
  return value === undefined ? [] : [value].flat().map(String);
}
