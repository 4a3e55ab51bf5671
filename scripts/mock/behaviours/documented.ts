import type { Entity } from "../plan/data.ts";
import type { PlanWebhook } from "../plan/plan.ts";
import type { MockWorld } from "./behaviour.ts";
import { amountNumber, amountText, timestamp } from "./values.ts";

/** Takes a documented example, preferably one with the same state, and sets the values of the resource in it. */
export function documentedEvent(
  world: MockWorld,
  { examples, fields, state }: PlanWebhook,
  { resource, id, owner, states, createdAt, data }: Entity,
): object {
  const { units, currency } = data as { units?: bigint; currency?: string };
  const bodies = Object.values(examples) as Readonly<Record<string, unknown>>[];
  const example = bodies.find((body) => body[bodyField(fields, state)] === states[state]) ?? bodies[0] ?? {};
  const amountOf = typeof example.amount === "number" ? amountNumber : amountText;
  const values: Readonly<Record<string, unknown>> = {
    ...data,
    externalUserId: owner,
    createdAt: timestamp(createdAt),
    ...(units === undefined || currency === undefined ? {} : { amount: amountOf(world, units, currency) }),
    [bodyField(fields, state)]: states[state],
    [bodyField(fields, world.plan.resources[resource]?.id ?? "")]: id,
  };
  const entries = Object.entries(example).map(([name, value]) => [
    name,
    Object.hasOwn(values, name) ? values[name] : value,
  ]);
  return Object.fromEntries(entries);
}

export function bodyField(fields: PlanWebhook["fields"], field: string): string {
  return Object.entries(fields).find(([, resourceField]) => resourceField === field)?.[0] ?? field;
}
