/** A world, and what one call changes in it, as plain data which JSON can hold. Amounts are whole minor units as decimal strings. */

import { type Change, MockFault } from "./changes.ts";
import type { Entity, Kinds, Posting, Snapshot, Unit } from "./data.ts";
import type { World } from "./world.ts";

/** Everything that a world keeps, with the state of its clock. */
export function snapshotOf<K extends Kinds>({ clock, ids, records, ledger, jobs, outbox }: World<K>): Snapshot {
  const { entities, claims } = records.dump();
  return {
    ...{ clock: clock.state, ids: ids.count, claims },
    entities: entities.map(entityAsData),
    postings: ledger.postings.map(postingAsData),
    jobs: jobs.waiting.map(({ number: _, ...job }) => job),
    events: outbox.events.map(({ number: _, ...event }) => event),
  };
}

/** What the changes of a call were, in the order in which {@link loadSnapshot} needs them. */
export function unitOf<K extends Kinds>(made: readonly Change[], { ids }: World<K>): Unit {
  const values: Record<string, Set<unknown>> = {};
  for (const { part, value } of made) {
    if (part === undefined) continue;
    values[part] ??= new Set();
    values[part].add(value);
  }
  const { entities, postings, ...rest } = Object.fromEntries(
    Object.entries(values).map(([part, list]) => [part, [...list]]),
  );
  return {
    ...rest,
    ...(entities && { entities: (entities as Entity[]).map(entityAsData) }),
    ...(postings && { postings: (postings as Posting[]).map(postingAsData) }),
    ...(rest.ids && { ids: ids.count }),
  } as Unit;
}

/**
 * Puts a unit into a world, or fills one that is empty; its clock stays as it is.
 *
 * @param unit has the form that {@link snapshotOf} or {@link unitOf} gives.
 * @param unitsFields the names of the fields of records that are whole minor units.
 * @throws {MockFault} when a resource, the value of a state or a job is none of the contract.
 * @throws {RangeError} when a posting does not sum to zero.
 */
export function loadSnapshot<K extends Kinds>(
  world: World<K>,
  { ids, entities = [], claims = [], postings = [], jobs = [], done = [], events = [] }: Unit,
  unitsFields: Readonly<Record<string, true>>,
): void {
  const records = entities.map((entity) => ({ ...entity, data: withUnits(entity.data, unitsFields) }));
  world.records.load(records, claims);
  for (const { entries, ...posting } of postings) {
    world.ledger.post(
      entries.map((entry) => ({ ...entry, units: BigInt(entry.units) })),
      posting,
    );
  }
  for (const { name, due, about, number } of jobs) {
    if (!world.hasJob(name)) throw new MockFault(`There is no job ${name}.`);
    world.jobs.add(name, due, about, number);
  }
  for (const number of done) world.jobs.drop(number);
  for (const { webhook, at, body, number } of events) world.outbox.add(webhook, at, body, number);
  if (ids !== undefined) world.ids.count = ids;
}

function entityAsData(entity: Entity): Entity {
  const entries = Object.entries(entity.data).map(([name, value]) => [
    name,
    typeof value === "bigint" ? String(value) : value,
  ]);
  return { ...entity, data: Object.fromEntries(entries) };
}

function postingAsData({ entries, ...posting }: Posting): NonNullable<Unit["postings"]>[number] {
  return { ...posting, entries: entries.map((entry) => ({ ...entry, units: String(entry.units) })) };
}

function withUnits(data: object, unitsFields: Readonly<Record<string, true>>): object {
  const entries = Object.entries(data).map(([name, value]) => {
    const isUnits = Object.hasOwn(unitsFields, name) && value !== null;
    return [name, isUnits ? unitsOf(value, name) : value];
  });
  return Object.fromEntries(entries);
}

function unitsOf(text: unknown, name: string): bigint {
  if (typeof text === "string" && /^-?\d+$/.test(text)) return BigInt(text);
  throw new MockFault(`${name} must be whole minor units as a decimal string.`);
}
