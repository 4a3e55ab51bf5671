/** Jobs and external events of which `openapi/resources.yaml` says nearly all: which resource they move, and where to. */
import type { Entity } from "../kernel/data.ts";
import type { EventTrigger, Job, MockWorld } from "./behaviour.ts";
import { read, subjectBecoming } from "./external-event.ts";
import type { ResourceData } from "./records.ts";

type Resource = keyof ResourceData & string;
type About = Readonly<Record<string, string>>;

/**
 * A job that is about a resource, and does nothing once it has left a status.
 *
 * @param work what it does; it is given what else the job knows.
 */
export function whileIn<R extends Resource>(
  resource: R,
  status: string,
  work: (world: MockWorld, subject: Entity<ResourceData[R]>, about: About) => void,
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
export function decision<R extends Resource>(
  resource: R,
  event: string,
  apply: (world: MockWorld, subject: Entity<ResourceData[R]>, status: string) => void = (world, subject, status) =>
    world.move(subject, status),
): Readonly<Record<string, EventTrigger>> {
  const trigger: EventTrigger = (world, about) => {
    const values = world.plan.resources[resource]?.externalEvents[event]?.to ?? [];
    const status = read(about).choice("status", values, values[0]);
    const subject = subjectBecoming(world, resource, about, status);
    apply(world, subject, status);
    return subject;
  };
  return { [`${resource}.${event}`]: trigger };
}

/** The external event that ends a resource before its time. */
export function expiry(resource: "exchangeLock" | "orderLock" | "paymentLink", event: string) {
  return decision(resource, event, (world, subject, status) => {
    world.records.change(subject as Entity<{ expiresAt: number }>, { expiresAt: world.now });
    world.move(subject, status);
  });
}
