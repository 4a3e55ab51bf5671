/** Users, whose something is (the externalUserId of a user, or null for the partner), and what can be done for them. */
import { ControlError } from "../checks/error.ts";
import type { UniqueAttribute } from "../plan/assumptions.ts";
import type { Area, MockWorld } from "./behaviour.ts";
import type { Resource, UserData } from "./records.ts";

type User = Resource<"user">;

/** Who is suspended, active again or extended: `x-effects` says it. A proof of address is not needed to extend (Q-extend-user). */
export const users: Area = {
  operations: {
    createUserAccount({ world, body }) {
      const { externalUserId, ...attributes } = body;
      const country = attributes.country?.toUpperCase() ?? "";
      const { proofOfAddressRequired } = world.assumptions.countries;
      const data: UserData = {
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

    // What waits for the user, such as a verification, comes to nothing: its jobs look whether the user is there.
    deleteUser({ world, path }) {
      const user = world.records.get("user", path.externalUserId);
      for (const attribute of world.assumptions.deletion.frees) free(world, user, attribute);
    },
  },
};

/** A user who is there; undefined for one who never was or is deleted. */
export function presentUser(world: MockWorld, externalUserId: string): User | undefined {
  const user = world.records.find("user", externalUserId);
  return user?.states.access === "deleted" ? undefined : user;
}

/** A user who is there. @throws {ControlError} when there is none. */
export function userFrom(world: MockWorld, externalUserId: string): User {
  const user = presentUser(world, externalUserId);
  if (user === undefined) throw new ControlError(`externalUserId: there is no user ${externalUserId}.`);
  return user;
}

/** The country of a user's address, in upper case. */
export function countryOf(user: User): string {
  return String(user.data.attributes.country ?? "").toUpperCase();
}

/** Gives a user a value that no other user has, in the place of the one before. */
export function claim(world: MockWorld, user: User, attribute: UniqueAttribute, value: string): void {
  free(world, user, attribute);
  world.records.claim(attribute, claimedForm(attribute, value), user.id);
}

function claimContact(world: MockWorld, user: User, { phone, email }: { phone?: string; email?: string }): void {
  if (phone !== undefined) claim(world, user, "phone", phone);
  if (email !== undefined) claim(world, user, "email", email);
}

/** Frees the value that a user has, as it stands in the record: it is changed after this. */
function free(world: MockWorld, user: User, attribute: UniqueAttribute): void {
  const value = attribute === "documentNumber" ? user.data.documentNumber : user.data.attributes[attribute];
  if (typeof value !== "string") return;
  const form = claimedForm(attribute, value);
  if (world.records.holderOf(attribute, form) === user.id) world.records.claim(attribute, form, null);
}

/** Addresses that differ in upper and lower case only are the same. */
function claimedForm(attribute: UniqueAttribute, value: string): string {
  return attribute === "email" ? value.toLowerCase() : value;
}

/** Whether the user exists and was not deleted; the partner always does. */
export function isPresent(world: MockWorld, owner: string | null): boolean {
  return owner === null || presentUser(world, owner) !== undefined;
}

/** Whether transactions are possible: a suspended or deleted user makes none. */
export function isActive(world: MockWorld, owner: string | null): boolean {
  return owner === null || world.records.find("user", owner)?.states.access === "active";
}

/** Why the transactions of an owner fail; undefined when they do not. */
export function obstacleOf(world: MockWorld, owner: string | null): string | undefined {
  if (isActive(world, owner)) return undefined;
  return isPresent(world, owner) ? "User is suspended" : "User does not exist";
}

/** The name of the holder of an account; undefined for a user without one. */
export function nameOf(world: MockWorld, owner: string | null): string | undefined {
  if (owner === null) return world.assumptions.bank.partnerName;
  const { firstName, lastName } = world.records.find("user", owner)?.data.attributes ?? {};
  return [firstName, lastName].filter(Boolean).join(" ") || undefined;
}
