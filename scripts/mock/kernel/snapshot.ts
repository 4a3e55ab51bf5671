/** The data is JSON-compatible: amounts are minor units as decimal strings. */

import type { DataByResource, Entity, Posting, Snapshot, WorldData } from "../plan/data.ts";
import { MockError } from "./transactions.ts";
import type { World } from "./world.ts";

export function snapshotOf<K extends DataByResource>(world: World<K>): Snapshot {
  return { ...snapshotWithoutPostings(world), postings: world.ledger.postings.map(toPlain) };
}

export function worldDataOf<K extends DataByResource>(world: World<K>): WorldData {
  const { jobs, outbox, target } = world;
  const queues = { jobs: jobs.pendingJobs, events: outbox.events, deliveries: outbox.deliveries };
  return { ...snapshotOf(world), ...queues, ...(target === undefined ? {} : { target }) };
}

function snapshotWithoutPostings<K extends DataByResource>({
  clock,
  ids,
  records,
  jobs,
  outbox,
  changedAssumptions: assumed,
}: World<K>): Omit<Snapshot, "postings"> {
  const { entities, claims } = records.dump();
  return {
    clock: clock.state,
    ids: ids.count,
    claims,
    entities: entities.map(withPlainData),
    jobs: jobs.pendingJobs.map(({ number: _, ...job }) => job),
    events: outbox.events.map(({ number: _, isUndelivered: __, ...event }) => event),
    ...(Object.keys(assumed).length === 0 ? {} : { assumed }),
  };
}

/**
 * Loads data into an empty world. The caller must set the clock and the receiver of events. The objects of the data are changed and become
 * part of the world.
 */
export function loadSnapshot<K extends DataByResource>(
  world: World<K>,
  { ids, entities = [], claims = [], postings = [], jobs = [], assumed, ...rest }: WorldData,
  unitsFields: readonly string[],
): void {
  for (const entity of entities) {
    parseUnits(entity.data ?? {}, unitsFields);
    world.records.load(entity);
  }
  world.records.loadClaims(claims);
  for (const posting of postings) {
    parseUnits(posting, ["units"]);
    world.ledger.move(posting as object as Posting);
  }
  for (const { name, due, about, number } of jobs) {
    if (!world.hasJob(name)) throw new MockError(`There is no job ${name}.`);
    world.jobs.add(name, due, about, number);
  }
  const { events = [], deliveries = [] } = rest;
  for (const [index, event] of events.entries()) world.outbox.load({ number: index, ...event });
  for (const delivery of deliveries) world.outbox.loadDelivery(delivery);
  if (ids !== undefined) world.ids.count = ids;
  if (assumed !== undefined) world.assume(assumed);
}

function withPlainData(entity: Entity): Entity {
  return { ...entity, data: toPlain(entity.data) };
}

type Plain<Type> = { [Key in keyof Type]: Type[Key] extends bigint ? string : Type[Key] };

function toPlain<Type extends object>(data: Type): Plain<Type> {
  const copy = { ...data } as Record<string, unknown>;
  for (const name in copy) if (typeof copy[name] === "bigint") copy[name] = String(copy[name]);
  return copy as Plain<Type>;
}

function parseUnits(data: object, names: readonly string[]): void {
  const fields = data as Record<string, unknown>;
  for (const name of names) {
    const text = fields[name];
    // The value is already converted if a list contains the same object twice.
    if (text == null || typeof text === "bigint") continue;
    if (typeof text !== "string" || !/^-?\d+$/.test(text)) {
      throw new MockError(`${name} must be whole minor units as a decimal string.`);
    }
    fields[name] = BigInt(text);
  }
}
