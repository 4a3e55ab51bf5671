/** What a tenant keeps: users, transfers, cards… as plain data, each with its states. */

import type { PlanResource } from "../plan/plan.ts";
import { type Changes, MockFault } from "./changes.ts";
import type { Entity, Kinds } from "./data.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export class Records<K extends Kinds> {
  readonly #resources: Readonly<Record<string, PlanResource>>;
  readonly #changes: Changes;
  readonly #byId = new Map<string, Map<string, Entity>>();
  readonly #byOwner = new Map<string, Entity[]>();
  /** Who has a value that only one can have. */
  readonly #claims = new Map<string, string>();

  constructor(resources: Readonly<Record<string, PlanResource>>, changes: Changes) {
    this.#resources = resources;
    this.#changes = changes;
  }

  find<R extends keyof K & string>(resource: R, id: string): Entity<K[R]> | undefined {
    return this.#byId.get(resource)?.get(id) as Entity<K[R]> | undefined;
  }

  /**
   * The resource with an id that something else refers to.
   *
   * @throws {MockFault} when there is none: the mock has a mistake then.
   */
  get<R extends keyof K & string>(resource: R, id: string): Entity<K[R]> {
    const found = this.find(resource, id);
    if (found === undefined) throw new MockFault(`There is no ${resource} ${id}.`);
    return found;
  }

  /** All resources of a kind, oldest first. */
  all<R extends keyof K & string>(resource: R): Entity<K[R]>[] {
    return [...(this.#byId.get(resource)?.values() ?? [])] as Entity<K[R]>[];
  }

  /** Those of a user, or with null those of the partner, oldest first. */
  ownedBy<R extends keyof K & string>(resource: R, owner: string | null): Entity<K[R]>[] {
    return [...(this.#byOwner.get(ownerKey(resource, owner)) ?? [])] as Entity<K[R]>[];
  }

  /**
   * Adds a resource. One with the same id is replaced.
   *
   * @param states values other than the first initial one of each state.
   * @throws {MockFault} when such a value is not initial.
   */
  add<R extends keyof K & string>(
    resource: R,
    about: {
      id: string;
      owner: string | null;
      createdAt: number;
      data: K[R];
      states?: Readonly<Record<string, string>>;
    },
  ): Entity<K[R]> {
    const states = this.#initialStates(resource, about.states ?? {});
    const entity: Entity<K[R]> = { resource, ...about, states };
    const kind = this.#byId.get(resource) ?? new Map<string, Entity>();
    this.#byId.set(resource, kind);
    const replaced = kind.get(about.id);
    if (replaced !== undefined) this.#disown(replaced);
    kind.set(about.id, entity);
    this.#own(entity);
    const undo = () => {
      this.#disown(entity);
      if (replaced === undefined) kind.delete(about.id);
      else {
        kind.set(about.id, replaced);
        this.#own(replaced);
      }
    };
    this.#changes.record(undo, "entities", entity);
    return entity;
  }

  /** Changes fields of a resource. */
  change<Data extends object>(entity: Entity<Data>, fields: Partial<Data>): void {
    const mutable = entity as Mutable<Entity<Data>>;
    const before = entity.data;
    mutable.data = { ...before, ...fields };
    const undo = () => {
      mutable.data = before;
    };
    this.#changes.record(undo, "entities", entity);
  }

  /**
   * Moves a state of a resource to another value.
   *
   * @throws {MockFault} when its lifecycle has no such step: the mock has a mistake then.
   */
  move(entity: Entity, to: string, state = "status"): void {
    const from = entity.states[state] ?? "";
    const following = this.#resources[entity.resource]?.states[state]?.transitions[from] ?? [];
    if (!following.includes(to)) {
      throw new MockFault(`The ${state} of ${entity.resource} ${entity.id} is ${from} and cannot become ${to}.`);
    }
    const mutable = entity as Mutable<Entity>;
    const before = entity.states;
    mutable.states = { ...before, [state]: to };
    const undo = () => {
      mutable.states = before;
    };
    this.#changes.record(undo, "entities", entity);
  }

  /** Whether a step of the lifecycle leads from the present value to another one. */
  canMove(entity: Entity, to: string, state = "status"): boolean {
    const from = entity.states[state] ?? "";
    return this.#resources[entity.resource]?.states[state]?.transitions[from]?.includes(to) ?? false;
  }

  /** Who has a value of a kind that only one can have, such as an e-mail address. */
  holderOf(kind: string, value: string): string | undefined {
    return this.#claims.get(`${kind} ${value}`);
  }

  /** Gives a value to its holder; null frees it. */
  claim(kind: string, value: string, holder: string | null): void {
    const key = `${kind} ${value}`;
    const before = this.#claims.get(key);
    const set = (to: string | null | undefined) => {
      if (to == null) this.#claims.delete(key);
      else this.#claims.set(key, to);
    };
    set(holder);
    this.#changes.record(() => set(before), "claims", [key, holder]);
  }

  /** Everything, as plain data. */
  dump(): { entities: Entity[]; claims: [string, string][] } {
    return {
      entities: [...this.#byId.values()].flatMap((kind) => [...kind.values()]),
      claims: [...this.#claims],
    };
  }

  /**
   * Puts in what {@link dump} gave. A resource that is there is changed, and null frees a claim.
   *
   * @throws {MockFault} when a resource or the value of a state is none of the contract.
   */
  load(entities: readonly Entity[], claims: readonly (readonly [string, string | null])[]): void {
    for (const entity of entities) {
      const states = this.#resources[entity.resource]?.states;
      if (states === undefined) throw new MockFault(`The contract has no resource ${entity.resource}.`);
      for (const [name, { initial, transitions }] of Object.entries(states)) {
        const value = entity.states[name] ?? "";
        const values = [...initial, ...Object.keys(transitions), ...Object.values(transitions).flat()];
        if (!values.includes(value)) throw new MockFault(`The ${name} of a ${entity.resource} cannot be ${value}.`);
      }
      const kind = this.#byId.get(entity.resource) ?? new Map<string, Entity>();
      const known = kind.get(entity.id);
      if (known?.owner === entity.owner && known.createdAt === entity.createdAt) Object.assign(known, entity);
      else {
        if (known !== undefined) this.#disown(known);
        this.#byId.set(entity.resource, kind.set(entity.id, entity));
        this.#own(entity);
      }
    }
    for (const [key, holder] of claims) {
      if (holder === null) this.#claims.delete(key);
      else this.#claims.set(key, holder);
    }
  }

  #initialStates(resource: string, given: Readonly<Record<string, string>>): Record<string, string> {
    const states = this.#resources[resource]?.states;
    if (states === undefined) throw new MockFault(`The contract has no resource ${resource}.`);
    return Object.fromEntries(
      Object.entries(states).map(([name, { initial }]) => {
        const value = given[name] ?? initial[0] ?? "";
        if (!initial.includes(value)) throw new MockFault(`A new ${resource} cannot have the ${name} ${value}.`);
        return [name, value];
      }),
    );
  }

  #own(entity: Entity): void {
    const key = ownerKey(entity.resource, entity.owner);
    const owned = this.#byOwner.get(key);
    if (owned === undefined) this.#byOwner.set(key, [entity]);
    else owned.push(entity);
  }

  #disown(entity: Entity): void {
    const owned = this.#byOwner.get(ownerKey(entity.resource, entity.owner));
    const index = owned?.lastIndexOf(entity) ?? -1;
    if (index >= 0) owned?.splice(index, 1);
  }
}

function ownerKey(resource: string, owner: string | null): string {
  return owner === null ? `${resource} partner` : `${resource} user ${owner}`;
}
