/** `openapi/extensions.yaml` defines the conditions of `x-requires` and their P-codes. */

import type { AnyCall, MockWorld } from "../behaviours/behaviour.ts";
import { availableUnits } from "../behaviours/funds.ts";
import { formatMonth } from "../behaviours/history.ts";
import { hasExpired } from "../behaviours/kyc.ts";
import { countryOf, existingUser, ownerExists } from "../behaviours/users.ts";
import { findCurrency } from "../behaviours/values.ts";
import { readUnits } from "../kernel/money.ts";
import { MockError } from "../kernel/transactions.ts";
import { memoize } from "../memoize.ts";
import type { PlanOperation } from "../plan/plan.ts";

export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The P-code; undefined for the documented 404 without a P-code. */
  readonly code: string | undefined;

  constructor(code: string | undefined, detail: string) {
    super(detail);
    this.code = code;
  }
}

export interface ConditionContext extends Pick<AnyCall, "world" | "path" | "query" | "amount"> {
  readonly body: Readonly<Record<string, unknown>>;
}

/** @returns a text that details the refusal; undefined if the value fulfils the condition. */
type Condition = (value: string, context: ConditionContext) => string | undefined;

interface RuntimeExpression {
  readonly source: "path" | "query" | "body";
  readonly name: string;
}

const rulesOf = memoize(({ moves, requires }: PlanOperation) => ({
  moves: moves.map((move) => ({ ...move, expression: parseExpression(move.id) })),
  requires: requires.map((requirement) => ({
    ...requirement,
    expressions: requirement.expressions.map(parseExpression),
  })),
}));

function parseExpression(expression: string): RuntimeExpression {
  const [, source, name] = /^\$request\.(path|query|body)(?:\.|#\/)(\w+)$/.exec(expression) ?? [];
  if (name === undefined)
    throw new MockError(`x-requires or x-effects has the expression ${expression}, which the mock cannot read.`);
  return { source: source as RuntimeExpression["source"], name };
}

export function checkRequirements(operation: PlanOperation, context: ConditionContext): void {
  checkAssumedRules(operation, context);
  for (const { condition, expressions, requiresAny, code } of rulesOf(operation).requires) {
    const values = expressions.map(({ source, name }) => context[source][name]).filter((value) => value != null);
    // `requiresAny` only requires that one of the values is present. Any other condition is checked for each value in the request.
    if (requiresAny && values.length === 0) {
      throw new Refusal(code, `none of ${expressions.map(({ name }) => name).join(", ")} is given`);
    }
    const check = requiresAny ? undefined : conditions[condition];
    if (check === undefined) continue;
    for (const value of values) {
      const problem = check(String(value), context);
      if (problem === undefined) continue;
      throw new Refusal(
        condition === "documentNotExpired" ? context.world.assumptions.verification.expiredDocument : code,
        problem,
      );
    }
  }
}

/** Checks rules that apply only with changed assumptions. @throws {Refusal} when the call violates one. */
function checkAssumedRules({ operationId }: PlanOperation, { world, path, query, body }: ConditionContext): void {
  if (!world.hasChangedAssumptions) return;
  const ids = Object.entries({ ...path, ...query, ...body }).flatMap(([name, value]) =>
    /externalUserId$/i.test(name) && typeof value === "string" ? value : [],
  );
  const { maxIdLength, fixed } = world.assumptions.users;
  const tooLongId = ids.find((id) => id.length > (maxIdLength ?? id.length));
  if (operationId === "createUserAccount" && tooLongId !== undefined) {
    throw new Refusal("P403", `externalUserId must have at most ${maxIdLength} characters`);
  }
  const fixedField = fixed.find((name) => operationId === "updateUser" && name in body);
  if (fixedField !== undefined) throw new Refusal("P403", `${fixedField} cannot be updated`);
  if (world.assumptions.refused.ofSuspended.includes(operationId)) {
    const suspendedId = ids.find((id) => world.records.find("user", id)?.states.access === "suspended");
    if (suspendedId !== undefined) throw new Refusal("P455", suspendedId);
  }
}

/**
 * A state that already has the value stays unchanged, or the call is refused (Q-already-done).
 *
 * @returns whether the operation has immediate effects.
 */
export function applyImmediateEffects(operation: PlanOperation, context: ConditionContext): boolean {
  const { world } = context;
  const { moves } = rulesOf(operation);
  for (const { resource, state, to, expression } of moves) {
    const record = world.records.getAny(resource, String(context[expression.source][expression.name]));
    if (record.states[state] !== to) world.move(record, to, state);
    else if (world.assumptions.refused.alreadyDone !== null) {
      throw new Refusal(world.assumptions.refused.alreadyDone, `the ${state} is ${to} already`);
    }
  }
  return moves.length > 0;
}

/** A condition without a check here is checked by a behaviour or, with `requiresAny`, by {@link checkRequirements}. */
export const conditions: Readonly<Record<string, Condition>> = {
  userExists: (id, { world }) => (ownerExists(world, id) ? undefined : id),
  userUnknown: (id, { world }) => {
    const isReusable =
      world.assumptions.deletion.frees.includes("externalUserId") && existingUser(world, id) === undefined;
    return isReusable || world.records.find("user", id) === undefined ? undefined : id;
  },
  userVerified: (id, { world }) => (verificationOf(world, id) === "unverified" ? id : undefined),
  userNotVerified: (id, { world }) => {
    const user = existingUser(world, id);
    // A user whose verification has expired can be verified again (Q-status-transitions).
    const canBeVerified = user === undefined || user.states.verification === "unverified" || hasExpired(world, user);
    return canBeVerified ? undefined : id;
  },
  userExtended: (id, { world }) => (verificationOf(world, id) === "extended" ? undefined : id),
  userNotSuspended: (id, { world }) => (world.records.find("user", id)?.states.access === "suspended" ? id : undefined),
  phoneFree: (phone, context) => uniquenessProblem("phone", phone, context),
  emailFree: (email, context) => uniquenessProblem("email", email.toLowerCase(), context),
  documentFree: (number, context) => uniquenessProblem("documentNumber", number, context),
  countryServed: (country, { world }) =>
    world.assumptions.countries.forbidden.includes(country.toUpperCase()) ? country : undefined,
  countryUnchanged: (country, { world, path }) => {
    const currentCountry = countryOf(world.records.find("user", path.externalUserId ?? ""));
    return country.toUpperCase() === currentCountry ? undefined : "another country than that of the user";
  },
  cardCountryServed: (id, { world }) => {
    const country = countryOf(world.records.find("user", id));
    return world.assumptions.countries.withoutCards.includes(country) ? `${country}, the country of ${id}` : undefined;
  },
  addressNotVerified: (id, { world }) =>
    world.records.find("user", id)?.states.proofOfAddress === "APPROVED" ? id : undefined,
  kycExists: (id, { world }) => (world.records.find("kycVerification", id) === undefined ? id : undefined),
  filesUploaded: filesProblem,
  documentNotExpired: (date, { world }) =>
    date < new Date(world.now).toISOString().slice(0, 10) ? "the document has expired" : undefined,
  verificationsLeft: (id, { world }) =>
    (world.records.find("user", id)?.data.attempts ?? 0) < world.assumptions.verification.attempts ? undefined : id,
  riskAccepted: (id, { world }) =>
    world.assumptions.countries.blockedByHighRisk.includes(countryOf(world.records.find("user", id))) ? id : undefined,
  monthInWindow: monthProblem,
  cardExists: (id, { world, path, body }) => {
    const card = world.records.find("card", id);
    const user = path.externalUserId ?? body.externalUserId;
    return card !== undefined && card.owner === user ? undefined : id;
  },
  noActiveCards: (id, { world }) =>
    world.records
      .listOwned("card", id)
      .some(({ states }) => world.assumptions.cards.preventSuspension.includes(states.status ?? ""))
      ? id
      : undefined,
  fundsSuffice: fundsProblem,
  currencyKnown: (code, { world }) => (findCurrency(world, code.toLowerCase()) === undefined ? code : undefined),
  lockUsable: lockProblem,
  sepaTransferExists: (id, { world }) => (world.records.find("sepaTransfer", id) === undefined ? id : undefined),
};

function verificationOf(world: MockWorld, id: string): string {
  return existingUser(world, id)?.states.verification ?? "unverified";
}

function uniquenessProblem(kind: string, value: string, { world, path, body }: ConditionContext): string | undefined {
  const holder = world.records.holderOf(kind, value);
  const userId = path.externalUserId ?? body.externalUserId;
  return holder === undefined || holder === userId ? undefined : `another user has this ${kind}`;
}

/** The files required for each document type (interface specification, 4.5); a type without an entry requires no files. */
const requiredFiles: Readonly<Record<string, readonly string[]>> = {
  PASSPORT: ["front_id", "selfie"],
  ID_CARD: ["front_id", "back_id", "selfie"],
};

function filesProblem(id: string, { world, body }: ConditionContext): string | undefined {
  const uploadedFiles = world.records.find("user", id)?.data.files ?? [];
  // In the hosted flow, the user uploads the files to the hosted page, not through the API.
  if (world.records.find("kycVerification", id)?.data.verificationId != null) return undefined;
  const missingFiles = (requiredFiles[String(body.documentType)] ?? []).filter((name) => !uploadedFiles.includes(name));
  return missingFiles.length === 0 ? undefined : `${missingFiles.join(", ")} of ${id}`;
}

/** Accepts the current month and the `months - 1` months before it (Q-history-window). */
function monthProblem(_value: string, { world, path }: ConditionContext): string | undefined {
  const { month = "", year = "" } = path;
  const { timeZone, months } = world.assumptions.history;
  const [currentYear, currentMonth] = formatMonth(timeZone, world.now).split("-").map(Number) as [number, number];
  const monthsAgo = (currentYear - Number(year)) * 12 + currentMonth - Number(month);
  return monthsAgo >= 0 && monthsAgo < months
    ? undefined
    : `${month}/${year} is no month within the past ${months - 1} months`;
}

function fundsProblem(_amount: string, { world, body, amount }: ConditionContext): string | undefined {
  const source = (body.sourceExternalUserId as string | undefined) ?? null;
  const code = String(body.currency).toLowerCase();
  const currency = findCurrency(world, code);
  const text = amount("amount");
  const units = currency && text ? readUnits(text, currency.decimals) : "";
  if (typeof units === "string" || availableUnits(world, source, code) >= units) return undefined;
  return `${source ?? "the partner"} does not have ${text} ${code}`;
}

function lockProblem(id: string, { world }: ConditionContext): string | undefined {
  const lock = world.records.find("exchangeLock", id) ?? world.records.find("orderLock", id);
  if (lock === undefined) return `lockId: there is no lock ${id}`;
  if (lock.states.status === "used") return `lockId: the lock ${id} was used`;
  const isExpired = lock.states.status === "expired" || lock.data.expiresAt <= world.now;
  return isExpired ? `lockId: the lock ${id} expired at ${new Date(lock.data.expiresAt).toISOString()}` : undefined;
}
