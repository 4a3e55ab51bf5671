/** Operations, jobs and external events of which `openapi/` says nearly all: the resource that they show or move, and where to. */
import { ControlError } from "../checks/error.ts";
import type { Area, Job, MockWorld } from "./behaviour.ts";
import { type Given, subjectBecoming } from "./external-event.ts";
import { isHeld } from "./funds.ts";
import type { Resource, ResourceName } from "./records.ts";

/** The details of a record; the documented 404 without a P-code where there is none, or it is none of those that are shown. */
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

/**
 * A job that is about a resource, and does nothing once it has left a status.
 *
 * @param work what it does; it is given what else the job knows.
 */
export function whileIn<R extends ResourceName>(
  resource: R,
  status: string,
  work: (world: MockWorld, subject: Resource<R>, about: Parameters<Job>[1]) => void,
): Job {
  return (world, about) => {
    const subject = world.records.get(resource, about[world.plan.resources[resource]?.id ?? ""] ?? "");
    if (subject.states.status === status) work(world, subject, about);
  };
}

/**
 * The external event that moves a resource to one of the values that it can lead to, by default the first. It is given the id of the
 * resource, by default that of the newest that can make the step, and `status`.
 *
 * @param apply what comes with the step; by default nothing else.
 */
export function decision<R extends ResourceName>(
  resource: R,
  event: string,
  apply: (world: MockWorld, subject: Resource<R>, status: string, given: Given) => void = (world, subject, status) =>
    world.move(subject, status),
): NonNullable<Area["externalEvents"]> {
  return {
    [`${resource}.${event}`]: (world, given) => {
      const values = outcomesOf(world, resource, event);
      const status = given.choice("status", values, values[0]);
      const subject = subjectBecoming(world, resource, given, status);
      apply(world, subject, status, given);
      return subject;
    },
  };
}

/** The values that an external event can lead to. */
export function outcomesOf({ plan }: MockWorld, resource: ResourceName, event: string): readonly string[] {
  return plan.resources[resource]?.externalEvents[event]?.to ?? [];
}

/** How something ends that was accepted. */
export interface Ending {
  readonly status: string;
  /** Why it fails; undefined where that is not known, or it does not fail. */
  readonly reason?: string | undefined;
}

/** What an external event decides of a payment. @throws {ControlError} when a success is given a reason. */
export function endingGiven(given: Given, status: string, isSuccess: boolean): Ending {
  if (given.about.reason === undefined) return { status };
  if (isSuccess) throw new ControlError(`reason is that of a failure, and the status is ${status}.`);
  return { status, reason: given.text("reason") };
}

/** @throws {ControlError} when nothing is held for a payment, so that it cannot succeed. @param failure the status that it can have. */
export function assertHeld(
  world: MockWorld,
  resource: ResourceName,
  { id, data }: { readonly id: string; readonly data: { readonly transactionId: string } },
  failure: string,
): void {
  if (isHeld(world, data.transactionId)) return;
  throw new ControlError(`The balance does not cover the ${resource} ${id}: it can only become ${failure}.`);
}

/** The external event that ends a resource before its time. */
export function expiry(resource: "exchangeLock" | "orderLock" | "paymentLink", event: string) {
  return decision(resource, event, (world, subject, status) => {
    world.records.change(subject as Resource<"exchangeLock">, { expiresAt: world.now });
    world.move(subject, status);
  });
}
