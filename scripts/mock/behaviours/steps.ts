import { ControlError } from "../checks/error.ts";
import type { BehaviourGroup, Job, MockWorld } from "./behaviour.ts";
import { type EventFields, resourceForTransition } from "./external-event.ts";
import { hasHeldFunds } from "./funds.ts";
import type { Resource, ResourceName } from "./records.ts";

export function showRecord<R extends ResourceName, Body>(
  { world, refuseNotFound }: { readonly world: MockWorld; refuseNotFound(): never },
  resource: R,
  id: string,
  bodyOf: (world: MockWorld, record: Resource<R>) => Body,
  isShown: (record: Resource<R>) => boolean = () => true,
): { status: 200; body: Body } {
  const record = world.records.find(resource, id);
  return record && isShown(record) ? { status: 200, body: bodyOf(world, record) } : refuseNotFound();
}

/** An assumption can hide the details of the partner's payments (Q-partner-details). */
export function makeDetailsFilter({ assumptions }: MockWorld): (record: { readonly owner: string | null }) => boolean {
  return ({ owner }) => owner !== null || assumptions.details.ofPartner;
}

export function jobForStatus<R extends ResourceName>(
  resource: R,
  status: string,
  work: (world: MockWorld, record: Resource<R>, values: Parameters<Job>[1]) => void,
): Job {
  return (world, values) => {
    const record = world.records.get(resource, values[world.plan.resources[resource]?.id ?? ""] ?? "");
    if (record.states.status === status) work(world, record, values);
  };
}

/** Moves a resource to the status given in the event; by default to the first possible status. */
export function decisionEvent<R extends ResourceName>(
  resource: R,
  event: string,
  apply: (world: MockWorld, record: Resource<R>, status: string, input: EventFields) => void = (
    world,
    record,
    status,
  ) => world.move(record, status),
): NonNullable<BehaviourGroup["externalEvents"]> {
  return {
    [`${resource}.${event}`]: (world, input) => {
      const values = outcomesOf(world, resource, event);
      const status = input.choice("status", values, values[0]);
      const record = resourceForTransition(world, resource, input, status);
      apply(world, record, status, input);
      return record;
    },
  };
}

export function outcomesOf({ plan }: MockWorld, resource: ResourceName, event: string): readonly string[] {
  return plan.resources[resource]?.externalEvents[event]?.to ?? [];
}

export interface PaymentEnd {
  readonly status: string;
  readonly reason?: string | undefined;
}

export function readPaymentEnd(input: EventFields, status: string, isSuccess: boolean): PaymentEnd {
  if (input.values.reason === undefined) return { status };
  if (isSuccess) throw new ControlError(`reason applies to failures only, and the status is ${status}.`);
  return { status, reason: input.text("reason") };
}

export function assertFundsHeld(
  world: MockWorld,
  resource: ResourceName,
  { id, data }: { readonly id: string; readonly data: { readonly transactionId: string } },
  failureStatus: string,
): void {
  if (hasHeldFunds(world, data.transactionId)) return;
  throw new ControlError(`The balance does not cover the ${resource} ${id}: it can only become ${failureStatus}.`);
}

export function expiryEvent(resource: "exchangeLock" | "orderLock" | "paymentLink", event: string) {
  return decisionEvent(resource, event, (world, record, status) => {
    world.records.change(record as Resource<"exchangeLock">, { expiresAt: world.now });
    world.move(record, status);
  });
}
