/** What the routes of the control interface and the functions of a mock do to a tenant. */

import { ExternalEventError } from "../behaviours/external-event.ts";
import { eventTriggers } from "../behaviours/index.ts";
import { didYouMean } from "../nearest-name.ts";
import type { Plan } from "../plan/plan.ts";
import { isLoopback } from "../server/door.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Delivery } from "../webhooks/deliveries.ts";
import type { Target } from "../webhooks/target.ts";
import { ControlError } from "./error.ts";
import { lengthOf, objectOf, targetOf, timeOf } from "./fields.ts";

/** An external event that can be triggered. */
export interface PossibleEvent {
  readonly resource: string;
  readonly event: string;
  readonly meaning: string;
  /** The values of the state that it can lead to. */
  readonly to: readonly string[];
  /** The names of what it can be told; without an id it is about the newest resource that allows it. */
  readonly takes: readonly string[];
}

/** The external events that are possible, from the data of the contract. */
export function possibleEvents(plan: Plan): PossibleEvent[] {
  return Object.values(plan.resources).flatMap(({ name, externalEvents }) =>
    Object.entries(externalEvents)
      .filter(([event]) => Object.hasOwn(eventTriggers, `${name}.${event}`))
      .map(([event, { meaning, to, takes }]) => ({ resource: name, event, meaning, to, takes })),
  );
}

/** What has become of a resource. */
export interface AffectedResource {
  readonly resource: string;
  readonly id: string;
  /** Null for the partner. */
  readonly externalUserId: string | null;
  readonly states: Readonly<Record<string, string>>;
}

/**
 * Triggers an external event, such as a deposit that arrives.
 *
 * @param about what it needs to know.
 * @param name what `about` is called in a message.
 * @throws {ControlError} when it is not possible or is told something unknown, with what is possible.
 */
export function triggerEvent(
  tenant: Tenant,
  { resource, event, ...about }: { readonly resource: string; readonly event: string },
  name: string,
): AffectedResource {
  const possible = possibleEvents(tenant.world.plan);
  const wanted = `${resource}.${event}`;
  const found = possible.find((one) => one.resource === resource && one.event === event);
  const make = eventTriggers[wanted];
  if (make === undefined || found === undefined) {
    const names = possible.map((one) => `${one.resource}.${one.event}`);
    throw new ControlError(
      `${wanted} cannot be triggered.${didYouMean(wanted, names)} Possible are ${names.join(", ")}.`,
    );
  }
  objectOf(about, name, found.takes);
  try {
    const { id, owner, states } = tenant.change((world) => make(world, about));
    return { resource, id, externalUserId: owner, states };
  } catch (error) {
    if (error instanceof ExternalEventError) throw new ControlError(error.message);
    throw error;
  }
}

/** Delivers an event once more. @throws {ControlError} when there is none, or nowhere to send it. */
export async function redeliver({ deliveries, timeline }: Tenant, number: number): Promise<Delivery> {
  try {
    return await deliveries.redeliver(number);
  } catch (error) {
    if (error instanceof RangeError) throw new ControlError(error.message);
    throw error;
  } finally {
    timeline.wake();
  }
}

/** @throws {ControlError} with 403 when events would leave this machine for a host that was not allowed. */
export function assertAllowed({ url }: { url: string }, hosts: readonly string[] | undefined): void {
  const host = URL.canParse(url) ? new URL(url).hostname : undefined;
  if (hosts === undefined || host === undefined || isLoopback(host) || hosts.includes(host)) return;
  throw new ControlError(
    `Events can be sent to this machine only. To send them to another host, start the mock with --allow-webhook-host ${host}`,
    403,
  );
}

/** Changes where events are sent to. @throws {ControlError} when it cannot be. */
export function setTarget(tenant: Tenant, target: Target | undefined): void {
  try {
    tenant.target = target === undefined ? undefined : targetOf(target, "webhooks");
  } catch (error) {
    if (error instanceof TypeError) throw new ControlError(error.message);
    throw error;
  }
}

/** The token is not shown. */
export function webhooksOf({ deliveries: { target } }: Tenant): object {
  if (target === undefined) return { url: null };
  const { url = "(a function of the process)", token, paths } = target;
  return {
    url: withoutCredentials(String(url)),
    hasToken: token !== undefined,
    ...(paths === undefined ? {} : { paths }),
  };
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//");
}

export function clockOf({ timeline }: Tenant): object {
  return { now: new Date(timeline.now).toISOString(), isFrozen: timeline.isFrozen };
}

/** Does one of what the document describes: advances, sets, freezes or runs the clock. */
export async function setClock(tenant: Tenant, body: Readonly<Record<string, unknown>>): Promise<object> {
  const { timeline } = tenant;
  if ("advance" in body) await timeline.advance(lengthOf(body.advance, "advance"));
  else if ("set" in body) await timeline.set(timeOf(body.set, "set"));
  else if ("run" in body) await timeline.run();
  else await timeline.freeze(body.freeze === true ? undefined : timeOf(body.freeze, "freeze"));
  return clockOf(tenant);
}
