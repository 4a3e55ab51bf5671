import { ControlError } from "../checks/error.ts";
import type { UniqueAttribute } from "../plan/assumptions.ts";
import type { BehaviourGroup, MockWorld } from "./behaviour.ts";
import { availableUnits } from "./funds.ts";
import type { Resource, ResourceData } from "./records.ts";

type User = Resource<"user">;

/** Suspend User and Unsuspend User have no behaviour, because their `x-effects` suffice. */
export const users: BehaviourGroup = {
  operations: {
    createUserAccount({ world, body }) {
      const { externalUserId, ...attributes } = body;
      const country = attributes.country?.toUpperCase() ?? "";
      const { proofOfAddressRequired } = world.assumptions.countries;
      const data: ResourceData["user"] = {
        userId: world.ids.uuid(),
        attributes,
        poaRequiredForExtended: proofOfAddressRequired.includes(country),
        documentNumber: null,
        verifiedUntil: null,
        attempts: 0,
        files: [],
      };
      const user = world.create("user", { id: externalUserId, owner: externalUserId, data });
      claimContact(world, user, body);
      return { status: 201, body: { userId: data.userId, poaRequiredForExtended: data.poaRequiredForExtended } };
    },

    updateUser({ world, path, body }) {
      const user = world.records.get("user", path.externalUserId);
      claimContact(world, user, body);
      world.records.change(user, { attributes: { ...user.data.attributes, ...body } });
    },

    // Pending jobs of the user, such as a verification, are not removed: where it matters, a job checks whether the user still exists.
    deleteUser({ world, path, refuse }) {
      const user = world.records.get("user", path.externalUserId);
      const { frees, withFunds } = world.assumptions.deletion;
      const hasFunds = Object.keys(world.assumptions.currencies.list).some(
        (code) => availableUnits(world, user.id, code) > 0n,
      );
      if (withFunds !== null && hasFunds) return refuse(withFunds as "P412", `${user.id} has money`);
      for (const attribute of frees) releaseClaim(world, user, attribute);
    },
  },
};

export function existingUser(world: MockWorld, externalUserId: string): User | undefined {
  const user = world.records.find("user", externalUserId);
  return user?.states.access === "deleted" ? undefined : user;
}

export function requireUser(world: MockWorld, externalUserId: string): User {
  const user = existingUser(world, externalUserId);
  if (user === undefined) throw new ControlError(`externalUserId: there is no user ${externalUserId}.`);
  return user;
}

export function countryOf(user: User | undefined): string {
  return String(user?.data.attributes.country ?? "").toUpperCase();
}

export function claim(world: MockWorld, user: User, attribute: UniqueAttribute, value: string): void {
  releaseClaim(world, user, attribute);
  world.records.claim(attribute, normaliseClaim(attribute, value), user.id);
}

function claimContact(
  world: MockWorld,
  user: User,
  { phone, email }: { phone?: string | undefined; email?: string | undefined },
): void {
  if (phone !== undefined) claim(world, user, "phone", phone);
  if (email !== undefined) claim(world, user, "email", email);
}

function releaseClaim(world: MockWorld, user: User, attribute: UniqueAttribute): void {
  if (attribute === "externalUserId") return;
  const value = attribute === "documentNumber" ? user.data.documentNumber : user.data.attributes[attribute];
  if (typeof value !== "string") return;
  const normalisedValue = normaliseClaim(attribute, value);
  if (world.records.holderOf(attribute, normalisedValue) === user.id)
    world.records.claim(attribute, normalisedValue, null);
}

function normaliseClaim(attribute: UniqueAttribute, value: string): string {
  return attribute === "email" ? value.toLowerCase() : value;
}

export function ownerExists(world: MockWorld, owner: string | null): boolean {
  return owner === null || existingUser(world, owner) !== undefined;
}

export function isActive(world: MockWorld, owner: string | null): boolean {
  return owner === null || world.records.find("user", owner)?.states.access === "active";
}

export function blockingReason(world: MockWorld, owner: string | null): string | undefined {
  if (isActive(world, owner)) return undefined;
  return ownerExists(world, owner) ? "User is suspended" : "User does not exist";
}

export function nameOf(world: MockWorld, owner: string | null): string | undefined {
  if (owner === null) return world.assumptions.bank.partnerName;
  const { firstName, lastName } = world.records.find("user", owner)?.data.attributes ?? {};
  return [firstName, lastName].filter(Boolean).join(" ") || undefined;
}
