/** The state of a tenant as plain data, which JSON can hold, and back. */
import type { MockWorld } from "../behaviours/behaviour.ts";
import { scripts } from "../behaviours/index.ts";
import type { ResourceData } from "../behaviours/records.ts";
import type { ClockState } from "../kernel/clock.ts";
import { MockFault } from "../kernel/fault.ts";
import type { Entity } from "../kernel/records.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { ControlError } from "./error.ts";
import { decimalOf, type Fields, listOf, objectOf, textOf } from "./fields.ts";

/** The form of the data. */
const format = 1;

/** Names of the fields that are whole minor units. */
type UnitsOf<Data> = { [Field in keyof Data]-?: bigint extends Data[Field] ? Field : never }[keyof Data];
type UnitsField = { [Resource in keyof ResourceData]: UnitsOf<ResourceData[Resource]> }[keyof ResourceData];

/** Does not compile unless all are listed. */
const unitsFields: Readonly<Record<UnitsField, true>> = {
  fee: true,
  fiatUnits: true,
  received: true,
  units: true,
  unitsFrom: true,
  unitsTo: true,
};

/** What a tenant keeps. Amounts are minor units as decimal strings, times are milliseconds since 1970. */
export interface State {
  readonly format: number;
  readonly edition: string;
  readonly clock: ClockState;
  /** How many identifiers were made. */
  readonly ids: number;
  readonly entities: readonly object[];
  /** Values that only one can have, with their holders. */
  readonly claims: readonly (readonly [string, string])[];
  readonly postings: readonly object[];
  readonly jobs: readonly object[];
}

const names = ["format", "edition", "clock", "ids", "entities", "claims", "postings", "jobs"] as const;

/** Everything that a tenant keeps, but for events that were sent, and requests that were seen. */
export function stateOf({ session }: Tenant, edition: string): State {
  const { world, clock } = session;
  const { entities, claims } = world.records.dump();
  return {
    format,
    edition,
    clock: clock.state,
    ids: world.ids.count,
    entities: entities.map((entity) => ({ ...entity, data: withTexts(entity.data) })),
    claims,
    postings: world.ledger.postings.map(({ entries, ...posting }) => ({ ...posting, entries: entries.map(withTexts) })),
    jobs: world.jobs.waiting.map(({ number: _, ...job }) => job),
  };
}

/**
 * Gives a tenant what {@link stateOf} gave, in the place of all that it has. Deliveries and requests are forgotten.
 *
 * @throws {ControlError} when it is no state; the tenant is as before then.
 */
export function restoreState(tenant: Tenant, value: unknown): void {
  const state = objectOf(value, "The state", names);
  if (state.format !== format) throw new ControlError(`format must be ${format}: another mock wrote this state.`);
  const clock = clockOf(state.clock);
  if (!Number.isSafeInteger(state.ids) || Number(state.ids) < 0) throw new ControlError("ids must be a whole number.");
  try {
    tenant.restore((world) => fill(world, state), clock);
  } catch (error) {
    // What the kernel refuses is a mistake of whoever wrote the state.
    if (error instanceof MockFault || error instanceof RangeError)
      throw new ControlError(`The state: ${error.message}`);
    throw error;
  }
}

function fill(world: MockWorld, state: Fields): void {
  const entities = listOf(state.entities, "entities").map((entity, index) => entityOf(entity, `entities.${index}`));
  const claims = listOf(state.claims, "claims").map((claim, index): [string, string] => {
    const [key, holder] = listOf(claim, `claims.${index}`);
    return [textOf(key, `claims.${index}.0`), textOf(holder, `claims.${index}.1`)];
  });
  world.records.load({ entities, claims });
  for (const [index, value] of listOf(state.postings, "postings").entries()) {
    const { reference, at, entries } = objectOf(value, `postings.${index}`, ["reference", "at", "entries"]);
    const about = { reference: textOf(reference, `postings.${index}.reference`), at: Number(at) };
    world.ledger.post(
      listOf(entries, `postings.${index}.entries`).map((entry) => entryOf(entry, `postings.${index}.entries`)),
      about,
    );
  }
  for (const [index, value] of listOf(state.jobs, "jobs").entries()) {
    const { name, due, about } = objectOf(value, `jobs.${index}`, ["name", "due", "about"]);
    const job = textOf(name, `jobs.${index}.name`);
    if (!Object.hasOwn(scripts.jobs, job)) throw new ControlError(`jobs.${index}.name: there is no job ${job}.`);
    world.jobs.add(job, Number(due), objectOf(about, `jobs.${index}.about`) as Record<string, string>);
  }
  world.ids.count = Number(state.ids);
}

const entityNames = ["resource", "id", "owner", "createdAt", "states", "data"] as const;

function entityOf(value: unknown, name: string): Entity {
  const { resource, id, owner, createdAt, states, data } = objectOf(value, name, entityNames);
  return {
    resource: textOf(resource, `${name}.resource`),
    id: textOf(id, `${name}.id`),
    owner: owner === null ? null : textOf(owner, `${name}.owner`),
    createdAt: Number(createdAt),
    states: objectOf(states, `${name}.states`) as Record<string, string>,
    data: withUnits(objectOf(data, `${name}.data`), `${name}.data`),
  };
}

function entryOf(value: unknown, name: string): { account: string; currency: string; units: bigint } {
  const entry = objectOf(value, name, ["account", "currency", "units"]);
  const units = unitsAt(entry.units, `${name}.units`);
  return {
    account: textOf(entry.account, `${name}.account`),
    currency: textOf(entry.currency, `${name}.currency`),
    units,
  };
}

function clockOf(value: unknown): ClockState {
  const { offset, frozenAt } = objectOf(value, "clock", ["offset", "frozenAt"]);
  const isClock = Number.isFinite(offset) && (frozenAt === null || Number.isFinite(frozenAt));
  if (!isClock) throw new ControlError("clock must have offset, and frozenAt or null, in milliseconds.");
  return { offset: Number(offset), frozenAt: frozenAt === null ? null : Number(frozenAt) };
}

/** Whole minor units as decimal strings. */
function withTexts(data: object): object {
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === "bigint" ? String(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function withUnits(data: Fields, name: string): object {
  const entries = Object.entries(data).map(([field, value]) => {
    const isUnits = Object.hasOwn(unitsFields, field) && value !== null;
    return [field, isUnits ? unitsAt(value, `${name}.${field}`) : value];
  });
  return Object.fromEntries(entries);
}

function unitsAt(value: unknown, name: string): bigint {
  const text = typeof value === "string" && value.startsWith("-") ? value.slice(1) : value;
  const digits = decimalOf(text, name);
  if (digits.includes(".")) throw new ControlError(`${name} must be whole minor units.`);
  return text === value ? BigInt(digits) : -BigInt(digits);
}
