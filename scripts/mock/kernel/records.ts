import type { DataByResource, Entity } from "../plan/data.ts";
import type { PlanResource, PlanState } from "../plan/plan.ts";
import { MockError, type Transactions } from "./transactions.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export interface NewEntity<Data> extends Pick<Entity, "id" | "owner"> {
  readonly data: Data;
  /** The initial value of each state. Default: the first initial value in the lifecycle of the state. */
  readonly states?: Entity["states"];
}

export class Records<K extends DataByResource> {
  readonly #resources: Readonly<Record<string, PlanResource>>;
  readonly #transactions: Transactions;
  readonly #byId = new Map<string, Map<string, Entity>>();
  readonly #byOwner = new Map<string, Entity[]>();
  readonly #claims = new Map<string, string>();

  constructor(resources: Readonly<Record<string, PlanResource>>, transactions: Transactions) {
    this.#resources = resources;
    this.#transactions = transactions;
  }

  find<R extends keyof K & string>(resource: R, id: string): Entity<K[R]> | undefined {
    return this.findAny(resource, id) as Entity<K[R]> | undefined;
  }

  /** As {@link find}, for a name that is known only at run time. */
  findAny(resource: string, id: string): Entity | undefined {
    return this.#byId.get(resource)?.get(id);
  }

  get<R extends keyof K & string>(resource: R, id: string): Entity<K[R]> {
    return this.getAny(resource, id) as Entity<K[R]>;
  }

  /** As {@link get}, for a name that is known only at run time. */
  getAny(resource: string, id: string): Entity {
    const entity = this.findAny(resource, id);
    if (entity === undefined) throw new MockError(`There is no ${resource} ${id}.`);
    return entity;
  }

  ownersOf(id: string): string[] {
    return [...this.#byId.values()].flatMap((entities) => entities.get(id)?.owner ?? []);
  }

  list<R extends keyof K & string>(resource: R): Entity<K[R]>[] {
    return this.listAny(resource) as Entity<K[R]>[];
  }

  /** As {@link list}, for a name that is known only at run time. */
  listAny(resource: string): Entity[] {
    return [...(this.#byId.get(resource)?.values() ?? [])];
  }

  listOwned<R extends keyof K & string>(resource: R, owner: string | null): Entity<K[R]>[] {
    return [...(this.#byOwner.get(ownerKey(resource, owner)) ?? [])] as Entity<K[R]>[];
  }

  /** Adds a resource, or replaces the one of the same kind with the same id. */
  add<R extends keyof K & string>(
    resource: R,
    { id, owner, createdAt, data, states = {} }: NewEntity<K[R]> & Pick<Entity, "createdAt">,
  ): Entity<K[R]> {
    const initialStates = this.#initialStates(resource, states);
    const entity: Entity<K[R]> = { resource, id, owner, createdAt, states: initialStates, data };
    this.#transactions.record(this.#put(entity as Entity));
    return entity;
  }

  change<Data extends object>(entity: Entity<Data>, fields: Partial<Data>): void {
    this.#setContent(entity, { data: { ...entity.data, ...fields }, states: entity.states });
  }

  move(entity: Entity, newValue: string, state = "status"): void {
    if (!this.canMove(entity, newValue, state)) {
      const currentValue = entity.states[state] ?? "";
      throw new MockError(
        `The ${state} of ${entity.resource} ${entity.id} is ${currentValue} and cannot become ${newValue}.`,
      );
    }
    this.#setContent(entity, { data: entity.data, states: { ...entity.states, [state]: newValue } });
  }

  canMove(entity: Entity, newValue: string, state = "status"): boolean {
    const currentValue = entity.states[state] ?? "";
    return this.#resources[entity.resource]?.states[state]?.transitions[currentValue]?.includes(newValue) ?? false;
  }

  holderOf(kind: string, value: string): string | undefined {
    return this.#claims.get(`${kind} ${value}`);
  }

  claim(kind: string, value: string, holder: string | null): void {
    const key = `${kind} ${value}`;
    const previousHolder = this.#claims.get(key) ?? null;
    this.#claim(key, holder);
    this.#transactions.record(() => this.#claim(key, previousHolder));
  }

  dump(): { entities: Entity[]; claims: [string, string][] } {
    return {
      entities: [...this.#byId.values()].flatMap((entities) => [...entities.values()]),
      claims: [...this.#claims],
    };
  }

  load(entity: Entity): void {
    const { resource, states } = entity;
    this.#put(entity);
    for (const [name, state] of Object.entries(this.#statesOf(resource))) {
      const value = states[name] ?? "";
      if (!hasValue(state, value)) throw new MockError(`The ${name} of a ${resource} cannot be ${value}.`);
    }
  }

  loadClaims(claims: readonly (readonly [string, string])[]): void {
    for (const [key, holder] of claims) this.#claim(key, holder);
  }

  #initialStates(resource: string, states: Readonly<Record<string, string>>): Record<string, string> {
    const entries = Object.entries(this.#statesOf(resource)).map(([name, { initial }]) => {
      const value = states[name] ?? initial[0] ?? "";
      if (!initial.includes(value)) throw new MockError(`A new ${resource} cannot have the ${name} ${value}.`);
      return [name, value];
    });
    return Object.fromEntries(entries);
  }

  #statesOf(resource: string): Readonly<Record<string, PlanState>> {
    const states = this.#resources[resource]?.states;
    if (states === undefined) throw new MockError(`The contract has no resource ${resource}.`);
    return states;
  }

  /** @returns a function that restores the previous content. */
  #put(entity: Entity): () => void {
    const { resource, id } = entity;
    const entitiesById = this.#byId.get(resource) ?? new Map<string, Entity>();
    this.#byId.set(resource, entitiesById);
    const replacedEntity = entitiesById.get(id);
    if (replacedEntity !== undefined) this.#removeFromOwner(replacedEntity);
    entitiesById.set(id, entity);
    this.#addToOwner(entity);
    return () => {
      this.#removeFromOwner(entity);
      if (replacedEntity === undefined) entitiesById.delete(id);
      else {
        entitiesById.set(id, replacedEntity);
        this.#addToOwner(replacedEntity);
      }
    };
  }

  #setContent(entity: Entity, { data, states }: Pick<Entity, "data" | "states">): void {
    const mutableEntity = entity as Mutable<Entity>;
    const previousContent = { data: entity.data, states: entity.states };
    Object.assign(mutableEntity, { data, states });
    this.#transactions.record(() => Object.assign(mutableEntity, previousContent));
  }

  #claim(key: string, holder: string | null): void {
    if (holder === null) this.#claims.delete(key);
    else this.#claims.set(key, holder);
  }

  #addToOwner(entity: Entity): void {
    const key = ownerKey(entity.resource, entity.owner);
    const ownedEntities = this.#byOwner.get(key);
    if (ownedEntities === undefined) this.#byOwner.set(key, [entity]);
    else ownedEntities.push(entity);
  }

  #removeFromOwner(entity: Entity): void {
    const ownedEntities = this.#byOwner.get(ownerKey(entity.resource, entity.owner)) ?? [];
    const index = ownedEntities.lastIndexOf(entity);
    if (index >= 0) ownedEntities.splice(index, 1);
  }
}

function ownerKey(resource: string, owner: string | null): string {
  return owner === null ? `${resource} partner` : `${resource} user ${owner}`;
}

function hasValue({ initial, transitions }: PlanState, value: string): boolean {
  return [initial, Object.keys(transitions), ...Object.values(transitions)].some((values) => values.includes(value));
}
