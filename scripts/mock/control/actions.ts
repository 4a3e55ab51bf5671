/** What the routes of the control interface and the functions of a mock do to a tenant. */

import { HappeningError } from "../behaviours/happening.ts";
import { namesOf } from "../behaviours/happening-names.ts";
import { happenings } from "../behaviours/index.ts";
import type { Plan } from "../plan/plan.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Delivery } from "../webhooks/delivery.ts";
import type { Target } from "../webhooks/target.ts";
import { ControlError } from "./error.ts";
import { lengthOf, objectOf, targetOf, timeOf } from "./fields.ts";

/** Something that can happen outside. */
export interface PossibleEvent {
  readonly resource: string;
  readonly happening: string;
  readonly meaning: string;
  /** The values of the state that it can lead to. */
  readonly to: readonly string[];
  /** The names of what it can be told; without an id it happens to the newest resource that it can happen to. */
  readonly takes: readonly string[];
}

/** Everything that can happen outside, from the data of the contract. */
export function possibleEvents(plan: Plan): PossibleEvent[] {
  return Object.values(plan.resources).flatMap(({ name, outside }) =>
    Object.entries(outside)
      .filter(([happening]) => Object.hasOwn(happenings, `${name}.${happening}`))
      .map(([happening, { meaning, to }]) => ({
        resource: name,
        happening,
        meaning,
        to,
        takes: [...namesOf(plan, `${name}.${happening}`)],
      })),
  );
}

/** What has become of a resource. */
export interface Happened {
  readonly resource: string;
  readonly id: string;
  /** Null for the partner. */
  readonly externalUserId: string | null;
  readonly states: Readonly<Record<string, string>>;
}

interface HappenOptions {
  readonly tenant: Tenant;
  /** What `about` is called in a message; "about" by default. */
  readonly given?: string;
  /** Names that stand beside those of `about`, for a message. */
  readonly others?: readonly string[];
}

/**
 * Lets something happen outside, such as a deposit that arrives.
 *
 * @param about what it needs to know.
 * @throws {ControlError} when it cannot happen or is told something unknown, with what is possible.
 */
export function happen(
  { tenant, given = "about", others = [] }: HappenOptions,
  resource: string,
  happening: string,
  about: Readonly<Record<string, unknown>>,
): Happened {
  const { plan } = tenant.session.world;
  const possible = possibleEvents(plan).map((event) => `${event.resource}.${event.happening}`);
  const name = `${resource}.${happening}`;
  const make = happenings[name];
  if (make === undefined || !possible.includes(name)) {
    throw new ControlError(`${name} cannot happen. Possible are ${possible.join(", ")}.`);
  }
  objectOf(about, given, [...others, ...namesOf(plan, name)]);
  try {
    const { id, owner, states } = tenant.change((world) => make(world, about));
    return { resource, id, externalUserId: owner, states };
  } catch (error) {
    if (error instanceof HappeningError) throw new ControlError(error.message);
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

/** Changes where events are sent to. @throws {ControlError} when it cannot be. */
export function setTarget({ deliveries }: Tenant, target: Target | undefined): void {
  try {
    deliveries.target = target === undefined ? undefined : targetOf(target, "webhooks");
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

const clockNames = ["advance", "set", "freeze", "run"];

export async function setClock(tenant: Tenant, body: unknown): Promise<object> {
  const fields = objectOf(body, "The body", clockNames);
  const [name, ...others] = Object.keys(fields);
  if (name === undefined || others.length > 0) throw new ControlError(`Give one of ${clockNames.join(", ")}.`);
  const { timeline } = tenant;
  if (name === "advance") await timeline.advance(lengthOf(fields.advance, "advance"));
  else if (name === "set") await timeline.set(timeOf(fields.set, "set"));
  else if (fields[name] === false)
    throw new ControlError(`${name} must be true${name === "freeze" ? " or a time" : ""}.`);
  else if (name === "run") await timeline.run();
  else await timeline.freeze(fields.freeze === true ? undefined : timeOf(fields.freeze, "freeze"));
  return clockOf(tenant);
}
