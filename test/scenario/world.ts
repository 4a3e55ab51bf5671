/** The resources of the service while the story is told: which there are, and the values that their states can have. */
import { valuesFollowing } from "../../scripts/contract/index.ts";
import type { Facts, ResourceFacts } from "./facts.ts";

type State = ResourceFacts["states"][number];

/** A resource. A state has several values as long as nobody has told which one it is. */
export interface Entity {
  resource: string;
  id: string;
  /** The user whose call created it; undefined for the partner's. */
  owner: string | undefined;
  states: Map<string, Set<string>>;
  /** When it ends, where the answer that created it says so. */
  expiresAt: string | undefined;
}

export class World {
  readonly #resources: Facts["resources"];
  readonly #entities = new Map<string, Entity>();
  readonly #expected = new Set<string>();
  /** Values that only one user may have, by condition: the user who has each. */
  readonly claims = new Map<string, string>();

  constructor(resources: Facts["resources"]) {
    this.#resources = resources;
  }

  find(resource: string, id: unknown): Entity | undefined {
    return this.#entities.get(`${resource} ${id}`);
  }

  /** A resource is about to be created, in the place of one with the same id. */
  expect(resource: string, id: string): void {
    this.#entities.delete(`${resource} ${id}`);
    this.#expected.add(`${resource} ${id}`);
  }

  /** Whether a resource is created after an answer, and nothing has told of it yet. */
  isExpected(resource: string, id: unknown): boolean {
    return this.#expected.has(`${resource} ${id}`) && this.find(resource, id) === undefined;
  }

  /** All resources of a kind. */
  all(resource: string): Entity[] {
    return [...this.#entities.values()].filter((entity) => entity.resource === resource);
  }

  /**
   * Creates a resource. One with the same id is replaced.
   *
   * @param to the values of the new one; the initial ones without it.
   */
  create(resource: string, id: string, to: string[] = [], about: Partial<Entity> = {}): Entity {
    const states = (this.#resources[resource]?.states ?? []).map((state) => {
      const isMeant = to.length > 0 && to.every((value) => state.values.includes(value));
      return [state.name, new Set(isMeant ? to : (state.moves?.initial ?? state.values))] as const;
    });
    const entity = { resource, id, owner: undefined, expiresAt: undefined, ...about, states: new Map(states) };
    this.#entities.set(`${resource} ${id}`, entity);
    return entity;
  }

  /** The state of a resource by its name; without one, the only state that it has. */
  stateOf(resource: string, name: string | undefined): State | undefined {
    const states = this.#resources[resource]?.states ?? [];
    return name === undefined ? states[0] : states.find((state) => state.name === name);
  }

  /** Moves a state to one of the values, in one step. Returns why that is impossible, undefined when it was done. */
  move(entity: Entity, stateName: string | undefined, to: string[]): string | undefined {
    const state = this.stateOf(entity.resource, stateName);
    if (state === undefined) return `${entity.resource} has no state ${stateName}`;
    const current = [...this.#valuesOf(entity, state)];
    const follows = (from: string, value: string) => state.moves?.transitions[from]?.includes(value) ?? false;
    const next = to.filter((value) => state.moves === undefined || current.some((from) => follows(from, value)));
    if (next.length === 0)
      return `${name(entity, state)} is ${current.join(" or ")} and cannot become ${to.join(" or ")}`;
    entity.states.set(state.name, new Set(next));
    return undefined;
  }

  /** Takes note of a value that was told: the current one, or one that can follow it. Returns why it cannot be so. */
  tell(entity: Entity, state: State, value: string): string | undefined {
    const current = [...this.#valuesOf(entity, state)];
    const isPossible = current.some((from) => from === value || valuesFollowing(state, from).has(value));
    if (!isPossible && state.moves !== undefined) {
      return `${name(entity, state)} was ${current.join(" or ")} and cannot be ${value}`;
    }
    entity.states.set(state.name, new Set([value]));
    return undefined;
  }

  #valuesOf(entity: Entity, state: State): Set<string> {
    return entity.states.get(state.name) ?? new Set();
  }
}

/** Whether a state has one of the values for sure. */
export function is(entity: Entity | undefined, state: string, ...values: string[]): boolean {
  const possible = [...(entity?.states.get(state) ?? [])];
  return possible.length > 0 && possible.every((value) => values.includes(value));
}

function name({ resource, id }: Entity, state: State): string {
  return `the ${state.name} of ${resource} ${id}`;
}
