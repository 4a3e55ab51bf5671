/**
 * Moves money, and keeps the records of it that the history shows. An amount that goes out is held on an account of its own
 * until it is settled or given back; one that comes in is credited when it is settled.
 */

import { MockFault } from "../kernel/changes.ts";
import type { Entity } from "../kernel/data.ts";
import type { MockWorld } from "./behaviour.ts";
import type { TransactionData } from "./records.ts";

/** The account of a user, or with null that of the partner. */
export function accountOf(owner: string | null): string {
  return owner === null ? "partner" : `user ${owner}`;
}

/** The account of everything that is outside: banks, blockchains, shops. */
export const outside = "outside";

/** The account that exchanges go through. */
export const exchanges = "exchanges";

/** The account of what is moved to the master balance, and of fees. */
export const service = "service";

/** What a user, or with null the partner, can spend, in minor units. */
export function available(world: MockWorld, owner: string | null, currency: string): bigint {
  return world.ledger.balance(accountOf(owner), currency);
}

interface Movement {
  /** The externalUserId of the user, null for the partner. */
  owner: string | null;
  /** As in the history, `transfer`, `sepaDeposit`… */
  type: string;
  currency: string;
  /** Minor units, more than zero. */
  units: bigint;
  /** Further fields of the record, such as transferTitle. */
  fields?: Readonly<Record<string, string>>;
}

/**
 * Takes an amount out of a balance and holds it. The record of it is in progress.
 *
 * @throws {MockFault} when the balance does not cover it: compare it with {@link available} before.
 */
export function hold(world: MockWorld, movement: Movement): Entity<TransactionData> {
  const { owner, currency, units } = movement;
  if (available(world, owner, currency) < units)
    throw new MockFault("An amount is held that the balance does not cover.");
  const transaction = record(world, movement, -units);
  holdBack(world, transaction, currency, units);
  return transaction;
}

/** The same for an amount that the balance may not cover: it is not held then, and will fail. */
export function holdIfCovered(world: MockWorld, movement: Movement): Entity<TransactionData> {
  const isCovered = available(world, movement.owner, movement.currency) >= movement.units;
  return isCovered ? hold(world, movement) : refuseFunds(world, movement);
}

/** Notes an outgoing amount that is not held, because the balance does not cover it: it will fail. */
export function refuseFunds(world: MockWorld, movement: Movement): Entity<TransactionData> {
  return record(world, movement, -movement.units);
}

/** Notes an amount that is on its way to a balance. The record of it is in progress. */
export function expect(world: MockWorld, movement: Movement, status?: string): Entity<TransactionData> {
  return record(world, movement, movement.units, status);
}

/**
 * Ends a transaction well: what was held goes to an account, or what was expected comes from it.
 *
 * @param account the other side.
 */
export function settle(world: MockWorld, transactionId: string, account: string): void {
  const transaction = world.records.get("transaction", transactionId);
  const { units, held } = transaction.data;
  if (units < 0n && held === null) throw new MockFault(`Nothing is held for the transaction ${transactionId}.`);
  if (units > 0n) carry(world, transaction, [account, accountOf(transaction.owner)]);
  else if (held !== null) carry(world, transaction, [held, account]);
  end(world, transaction, "SUCCESSFUL");
}

/** Ends a transaction badly: what was held is given back, and what was expected does not come. */
export function giveBack(world: MockWorld, transactionId: string): void {
  const transaction = world.records.get("transaction", transactionId);
  const { held } = transaction.data;
  if (held !== null) carry(world, transaction, [held, accountOf(transaction.owner)]);
  end(world, transaction, "UNSUCCESSFUL");
}

/**
 * The record of an exchange, whose two amounts are in two currencies: what is given is held at once.
 *
 * @param isCovered whether the balance covers it; otherwise nothing is held, and the exchange will fail.
 */
export function holdExchange(
  world: MockWorld,
  {
    owner,
    from,
    to,
    exchangeId,
    isCovered,
  }: {
    owner: string | null;
    from: { currency: string; units: bigint };
    to: { currency: string; units: bigint };
    exchangeId: string;
    isCovered: boolean;
  },
): Entity<TransactionData> {
  const transaction = record(world, { owner, type: "exchange", ...to, fields: { exchangeId } }, to.units);
  world.records.change(transaction, { unitsFrom: -from.units, currencyFrom: from.currency });
  if (isCovered) holdBack(world, transaction, from.currency, from.units);
  return transaction;
}

/** Ends an exchange: what is held goes out and the other currency comes in, or it is given back. */
export function endExchange(world: MockWorld, transactionId: string, isCompleted: boolean): void {
  const transaction = world.records.get("transaction", transactionId);
  const { held, unitsFrom, currencyFrom } = transaction.data;
  const account = accountOf(transaction.owner);
  if (held !== null && unitsFrom !== undefined && currencyFrom !== undefined) {
    carry(world, transaction, [held, isCompleted ? exchanges : account], { currency: currencyFrom, units: unitsFrom });
  }
  if (isCompleted) carry(world, transaction, [exchanges, account]);
  end(world, transaction, isCompleted ? "SUCCESSFUL" : "UNSUCCESSFUL");
}

/** Whether a transaction can be carried out: nothing is held where the balance did not cover it. */
export function isHeld(world: MockWorld, id: string | null): boolean {
  return id !== null && world.records.get("transaction", id).data.held !== null;
}

/** Moves a transaction to another status that is not final, such as waiting for travel rule data. */
export function mark(world: MockWorld, transactionId: string, status: string): void {
  const transaction = world.records.get("transaction", transactionId);
  if (transaction.states.status !== status) world.move(transaction, status);
}

function record(
  world: MockWorld,
  { owner, type, currency, fields = {} }: Movement,
  units: bigint,
  status?: string,
): Entity<TransactionData> {
  const data: TransactionData = { type, currency, units, held: null, fields };
  return world.create("transaction", { id: world.ids.uuid(), owner, data, ...(status ? { states: { status } } : {}) });
}

/** Moves an amount from the balance of a transaction's owner to an account of its own. */
function holdBack(world: MockWorld, transaction: Entity<TransactionData>, currency: string, units: bigint): void {
  const held = `held ${transaction.id}`;
  world.records.change(transaction, { held });
  carry(world, transaction, [accountOf(transaction.owner), held], { currency, units });
}

/** Moves an amount for a transaction, by default its own, from one account to another. */
function carry(
  world: MockWorld,
  { id, data }: Entity<TransactionData>,
  [from, to]: readonly [string, string],
  { currency, units }: Pick<TransactionData, "currency" | "units"> = data,
): void {
  world.ledger.move({ reference: id, at: world.now, from, to, currency, units: units < 0n ? -units : units });
}

/** A record that is completed gets a `btId`, as some responses show. */
function end(world: MockWorld, transaction: Entity<TransactionData>, status: string): void {
  const fields =
    status === "SUCCESSFUL" ? { ...transaction.data.fields, btId: world.ids.uuid() } : transaction.data.fields;
  world.records.change(transaction, { held: null, fields });
  world.move(transaction, status);
}
