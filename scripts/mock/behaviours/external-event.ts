import { ControlError } from "../checks/error.ts";
import { readUnits } from "../kernel/money.ts";
import type { Entity } from "../plan/data.ts";
import type { MockWorld, Resource, ResourceName } from "./records.ts";
import { configuredNetworks, cryptocurrenciesOf, currencyOf, findCurrency, usualNetwork } from "./values.ts";

export class EventFields {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.values = values;
  }

  text(name: string, fallback?: string): string {
    const value = this.values[name] ?? fallback;
    if (typeof value === "string" && value !== "") return value;
    throw new ControlError(value === undefined ? `${name} is missing.` : `${name} must be a text that is not empty.`);
  }

  choice(name: string, values: readonly string[], fallback?: string): string {
    const value = this.text(name, fallback);
    if (!values.includes(value)) throw new ControlError(`${name} must be one of ${values.join(", ")}.`);
    return value;
  }

  decimal(name: string, fallback?: string): string {
    const value = this.values[name] ?? fallback;
    const digits = typeof value === "number" ? String(value) : value;
    if (typeof digits === "string" && /^\d+(\.\d+)?$/.test(digits)) return digits;
    throw new ControlError(`${name} must be an amount such as "250.00".`);
  }
}

export function resourceForTransition<R extends ResourceName>(
  world: MockWorld,
  resource: R,
  input: EventFields,
  targetStatus: string,
): Resource<R> {
  const entity =
    resourceById(world, resource, input) ??
    world.records.list(resource).findLast((candidate) => world.records.canMove(candidate, targetStatus));
  if (entity === undefined) throw new ControlError(`There is no ${resource} that can become ${targetStatus}.`);
  if (world.records.canMove(entity, targetStatus)) return entity;
  const { status = "" } = entity.states;
  const nextStatuses = world.plan.resources[resource]?.states.status?.transitions[status] ?? [];
  const possibleStatuses = nextStatuses.length === 0 ? "; its status is final" : `, only ${nextStatuses.join(" or ")}`;
  throw new ControlError(
    `The ${resource} ${entity.id} is ${status} and cannot become ${targetStatus}${possibleStatuses}.`,
  );
}

export function resourceInStatus<R extends ResourceName>(
  world: MockWorld,
  resource: R,
  input: EventFields,
  statuses: readonly string[],
): Resource<R> {
  const hasStatus = ({ states }: Entity) => statuses.includes(states.status ?? "");
  const entity = resourceById(world, resource, input) ?? world.records.list(resource).findLast(hasStatus);
  const expectedStatus = statuses.join(" or ");
  if (entity === undefined) throw new ControlError(`There is no ${resource} that is ${expectedStatus}.`);
  if (hasStatus(entity)) return entity;
  throw new ControlError(`The ${resource} ${entity.id} is ${entity.states.status} and must be ${expectedStatus}.`);
}

export function resourceById<R extends ResourceName>(
  world: MockWorld,
  resource: R,
  input: EventFields,
): Resource<R> | undefined {
  const field = world.plan.resources[resource]?.id ?? "id";
  if (input.values[field] === undefined) return undefined;
  const id = input.text(field);
  const entity = world.records.find(resource, id);
  if (entity === undefined) throw new ControlError(`There is no ${resource} whose ${field} is ${id}.`);
  return entity;
}

export function readCurrency(world: MockWorld, input: EventFields, field: string, fallback?: string): string {
  const code = input.text(field, fallback).toLowerCase();
  if (findCurrency(world, code) !== undefined) return code;
  const possibleCodes = Object.keys(world.assumptions.currencies.list).join(", ");
  throw new ControlError(`${field} must be one of ${possibleCodes}.`);
}

export function readAmountUnits(
  world: MockWorld,
  input: EventFields,
  { field, currency, fallback }: { field: string; currency: string; fallback?: string },
): bigint {
  const units = readUnits(input.decimal(field, fallback), currencyOf(world, currency).decimals);
  if (typeof units === "string") throw new ControlError(`${field} ${units}.`);
  if (units > 0n) return units;
  throw new ControlError(`${field} must be more than zero.`);
}

export function readNetwork(
  world: MockWorld,
  input: EventFields,
  currency: string,
  defaultName: string | undefined = usualNetwork(world, currency),
): string {
  const networks = Object.keys(configuredNetworks(world, currency));
  if (networks.length > 0) return input.choice("network", networks, defaultName);
  const possibleCodes = cryptocurrenciesOf(world).join(", ");
  throw new ControlError(`${currency} has no network: it is no cryptocurrency. Possible are ${possibleCodes}.`);
}
