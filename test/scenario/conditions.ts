/** The conditions of x-requires, as far as the story shows whether they hold. */
import type { Moment } from "./story.ts";
import { fieldOf } from "./story.ts";
import { is, type World } from "./world.ts";

/** Whether a condition holds for the value that its expression refers to. */
export type Predicate = (world: World, value: string, moment: Moment) => boolean;

/** Conditions on a user alone. Error examples that name a user are held against them as well. */
export const userConditions: Record<string, Predicate> = {
  userExists: (world, user) => is(world.find("user", user), "access", "active", "suspended"),
  userUnknown: (world, user) => world.find("user", user) === undefined,
  userVerified: (world, user) => is(world.find("user", user), "verification", "verified", "extended"),
  userNotVerified: (world, user) => is(world.find("user", user), "verification", "unverified"),
  userExtended: (world, user) => is(world.find("user", user), "verification", "extended"),
  userNotSuspended: (world, user) => is(world.find("user", user), "access", "active"),
  addressNotVerified: (world, user) => !is(world.find("user", user), "proofOfAddress", "APPROVED"),
  kycExists: (world, user) => world.find("kycVerification", user) !== undefined,
  // Nothing tells of every upload, and none of files that were sent in the hosted flow.
  filesUploaded: (world, user) =>
    is(world.find("kycFiles", user), "status", "ADDED") ||
    world.isExpected("kycFiles", user) ||
    world.find("kycVerification", user) !== undefined,
  noActiveCards: (world, user) =>
    world
      .all("card")
      .every((card) => card.owner !== user || is(card, "status", "DELETED", "LOCKED_BY_USER", "BLOCKED", "SUSPENDED")),
};

/** All conditions that the story shows. */
export const predicates: Record<string, Predicate> = {
  ...userConditions,
  phoneFree: isFree("phone"),
  emailFree: isFree("email"),
  documentFree: isFree("document"),
  countryUnchanged: (_world, country) => country === "",
  documentNotExpired: (_world, date, { at }) => Date.parse(date) > Date.parse(at),
  monthInWindow: (_world, _part, moment) => isInWindow(moment),
  cardExists: (world, card) => world.find("card", card) !== undefined,
  sepaTransferExists: (world, transfer) => world.find("sepaTransfer", transfer) !== undefined,
  userNamed: isAnyGiven,
  fileGiven: isAnyGiven,
  lockUsable: (world, lock, { at }) =>
    ["exchangeLock", "orderLock"].some((resource) => {
      const entity = world.find(resource, lock);
      const isOver = entity?.expiresAt !== undefined && Date.parse(entity.expiresAt) <= Date.parse(at);
      return is(entity, "status", "alive") && !isOver;
    }),
};

/** Conditions that the story cannot show, and why. */
export const notShown: Record<string, string> = {
  countryServed: "Nobody states which countries are served.",
  cardCountryServed: "Nobody states in which countries there are cards.",
  verificationsLeft: "Nobody states how many verifications a user has.",
  riskAccepted: "What risk decides is not told before the answer.",
  currencyKnown: "The lists of currencies are open.",
  fundsSuffice: "A transfer without funds is accepted and fails later; the sums at the end of the month show the rest.",
};

function isAnyGiven(_world: World, given: string): boolean {
  return given !== "";
}

/** Whether nobody else has the value. The one who sends it has it from then on. */
function isFree(kind: string): Predicate {
  return ({ claims }, value, { sent, parameters, path }) => {
    const owner = String(path?.externalUserId ?? fieldOf(sent, "externalUserId") ?? parameters.externalUserId);
    const holder = claims.get(`${kind} ${value}`);
    claims.set(`${kind} ${value}`, owner);
    return holder === undefined || holder === owner;
  };
}

/** Whether the month of a moment is the current one or one of the twelve before it. */
function isInWindow({ at, parameters }: Moment): boolean {
  const now = new Date(at);
  const asked = Number(parameters.year) * 12 + Number(parameters.month) - 1;
  const age = now.getUTCFullYear() * 12 + now.getUTCMonth() - asked;
  return age >= 0 && age <= 12;
}
