import type { MockWorld } from "../../behaviours/behaviour.ts";
import { recordWithoutHold } from "../../behaviours/funds.ts";
import { eventTriggers } from "../../behaviours/index.ts";
import { toUnits } from "../../kernel/money.ts";
import type { Step } from "../../kernel/world.ts";
import type { Body, StateAssertion } from "./steps.ts";

export function hasState(world: MockWorld, { resource, id, state, value }: StateAssertion): boolean {
  return world.records.findAny(resource, id)?.states[state] === value;
}

export function applyState(world: MockWorld, assertion: StateAssertion): boolean {
  const { resource, id, value: status } = assertion;
  if (resource === "kycFiles" && status === "ERROR") {
    // The uploaded files of the user are kept, because the scenario uses them later to verify the user.
    world.create("kycFiles", { id, owner: id, data: { names: [] }, states: { status } });
    return true;
  }
  const firstValue = intermediateValue(world, assertion);
  return (
    (firstValue === undefined || triggerEvent(world, { ...assertion, value: firstValue })) &&
    triggerEvent(world, assertion)
  );
}

function triggerEvent(world: MockWorld, { resource, id, state, value, body }: StateAssertion): boolean {
  const definition = world.plan.resources[resource];
  const name = Object.entries(definition?.externalEvents ?? {}).find(([, { moves, state: movedState, to }]) => {
    return moves === resource && (movedState ?? state) === state && to.includes(value);
  })?.[0];
  const trigger = eventTriggers[`${resource}.${name}`];
  if (definition === undefined || trigger === undefined) return false;
  trigger(world, { ...body, [definition.id]: id, status: value });
  return true;
}

export function leadsTo(world: MockWorld, { to }: Step, { resource, id, state, value }: StateAssertion): boolean {
  const { initial = [], transitions = {} } = world.plan.resources[resource]?.states[state] ?? {};
  const currentValue = world.records.findAny(resource, id)?.states[state] ?? "";
  const canChangeFrom = (currentState = "") => transitions[currentState]?.includes(value) ?? false;
  return canChangeFrom(to ?? initial[0]) && !canChangeFrom(currentValue);
}

function intermediateValue(world: MockWorld, { resource, id, state, value }: StateAssertion): string | undefined {
  const { transitions = {} } = world.plan.resources[resource]?.states[state] ?? {};
  const nextValues = transitions[world.records.findAny(resource, id)?.states[state] ?? ""] ?? [];
  return nextValues.includes(value)
    ? undefined
    : nextValues.find((nextValue) => transitions[nextValue]?.includes(value));
}

/** The mock would refuse a transfer without sufficient funds, but the scenario accepts it. A later step makes it fail. */
export function createUncoveredTransfer(world: MockWorld, body: Body, transferId: string): void {
  const source = (body.sourceExternalUserId as string | undefined) ?? null;
  const destination = (body.destinationExternalUserId as string | undefined) ?? null;
  const currency = String(body.currency);
  const units = toUnits(String(body.amount), world.assumptions.currencies.list[currency]?.decimals ?? 0);
  const { id: outgoingId } = recordWithoutHold(world, { owner: source, type: "transfer", currency, units });
  const data = { source, destination, units, currency, outgoingId, incomingId: null };
  world.create("transfer", { id: transferId, owner: source ?? destination, data });
}
