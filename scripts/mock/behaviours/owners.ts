/** Whose something is: a user by the externalUserId, or with null the partner. */
import type { MockWorld } from "./behaviour.ts";

/** Whether the user exists and was not deleted; the partner always does. */
export function isPresent(world: MockWorld, owner: string | null): boolean {
  return owner === null || ["active", "suspended"].includes(accessOf(world, owner));
}

/** Whether transactions are possible: a suspended or deleted user makes none. */
export function isActive(world: MockWorld, owner: string | null): boolean {
  return owner === null || accessOf(world, owner) === "active";
}

/** Why the transactions of an owner fail; undefined when they do not. */
export function obstacleOf(world: MockWorld, owner: string | null): string | undefined {
  if (isActive(world, owner)) return undefined;
  return isPresent(world, owner) ? "User is suspended" : "User does not exist";
}

/** The name of the holder of an account; undefined for a user without one. */
export function nameOf(world: MockWorld, owner: string | null): string | undefined {
  if (owner === null) return world.plan.assumptions.bank.partnerName;
  const { firstName, lastName } = world.records.find("user", owner)?.data.attributes ?? {};
  const names = [firstName, lastName].filter((name) => typeof name === "string" && name !== "");
  return names.length === 0 ? undefined : names.join(" ");
}

function accessOf(world: MockWorld, owner: string): string {
  return world.records.find("user", owner)?.states.access ?? "";
}
