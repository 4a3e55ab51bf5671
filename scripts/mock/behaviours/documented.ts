/** Makes event bodies from the documented examples. */

import type { Entity } from "../plan/data.ts";
import type { PlanWebhook } from "../plan/plan.ts";
import type { MockWorld } from "./behaviour.ts";
import { amountNumber, amountText, timestamp } from "./values.ts";

/**
 * Makes an event body from a documented example (preferably one with the resource's state) by replacing its id, owner, state, amount and
 * equally named fields with those of the resource.
 */
export function documentedEvent(
  world: MockWorld,
  { examples, fields, state }: PlanWebhook,
  { resource, id, owner, states, createdAt, data }: Entity,
): object {
  const carrierOf = (field: string) => Object.entries(fields).find(([, carried]) => carried === field)?.[0] ?? field;
  const { units, currency } = data as { units?: bigint; currency?: string };
  const bodies = Object.values(examples) as Readonly<Record<string, unknown>>[];
  const example = bodies.find((body) => body[carrierOf(state)] === states[state]) ?? bodies[0] ?? {};
  const amountOf = typeof example.amount === "number" ? amountNumber : amountText;
  const known: Readonly<Record<string, unknown>> = {
    ...{ ...data, externalUserId: owner, createdAt: timestamp(createdAt) },
    ...(units === undefined || currency === undefined ? {} : { amount: amountOf(world, units, currency) }),
    [carrierOf(state)]: states[state],
    [carrierOf(world.plan.resources[resource]?.id ?? "")]: id,
  };
  const told = (name: string, value: unknown) => [name, Object.hasOwn(known, name) ? known[name] : value];
  return Object.fromEntries(Object.entries(example).map(([name, value]) => told(name, value)));
}
