/**
 * Moves money, and keeps the records of it that the history shows. An amount that goes out is held on an account of its own
 * until it is settled or given back; one that comes in is credited when it is settled.
 */

import { MockFault } from "../kernel/changes.ts";
import type { MockWorld } from "./behaviour.ts";
import type { Resource, ResourceData } from "./records.ts";

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

/** Takes an amount out of a balance and holds it, if the balance covers it; otherwise it will fail. The record of it is in progress. */
export function hold(world: MockWorld, movement: Movement): Resource<"transaction"> {
  return holdFor(world, refuseFunds(world, movement), movement);
}

/** Notes an outgoing amount that is not held, and will fail. */
export function refuseFunds(world: MockWorld, movement: Movement): Resource<"transaction"> {
  return record(world, { ...movement, units: -movement.units });
}

/** Notes an amount that is on its way to a balance. The record of it is in progress. */
export function expect(world: MockWorld, movement: Movement, status?: string): Resource<"transaction"> {
  return record(world, movement, status);
}

/** The record of an exchange, whose two amounts are in two currencies: what is given is held at once, if the balance covers it. */
export function holdExchange(
  world: MockWorld,
  movement: Omit<Movement, "type">,
  from: { currency: string; units: bigint },
): Resource<"transaction"> {
  const transaction = record(world, { ...movement, type: "exchange" });
  world.records.change(transaction, { unitsFrom: -from.units, currencyFrom: from.currency });
  return holdFor(world, transaction, from);
}

/**
 * Ends a transaction. When it is carried out, what was held goes to an account, and what was expected comes from it; otherwise what was
 * held is given back, and what was expected does not come.
 *
 * @param account the other side.
 * @throws {MockFault} when an outgoing amount is to be carried out that is not held: the mock has a mistake then.
 */
export function endTransaction(world: MockWorld, transactionId: string, isDone: boolean, account = outside): void {
  const transaction = world.records.get("transaction", transactionId);
  const { units, currency, held, unitsFrom = units, currencyFrom = currency, fields } = transaction.data;
  const own = accountOf(transaction.owner);
  if (held !== null) carry(world, transactionId, [held, isDone ? account : own], currencyFrom, -unitsFrom);
  else if (isDone && units < 0n) throw new MockFault(`Nothing is held for the transaction ${transactionId}.`);
  if (isDone && units > 0n) carry(world, transactionId, [account, own], currency, units);
  // A record that is completed gets a `btId`, as some responses show.
  world.records.change(transaction, { held: null, fields: isDone ? { ...fields, btId: world.ids.uuid() } : fields });
  world.move(transaction, isDone ? "SUCCESSFUL" : "UNSUCCESSFUL");
}

/** Whether a transaction can be carried out: nothing is held where the balance did not cover it. */
export function isHeld(world: MockWorld, id: string): boolean {
  return world.records.get("transaction", id).data.held !== null;
}

/** Moves a transaction to another status that is not final, such as waiting for travel rule data. */
export function mark(world: MockWorld, transactionId: string, status: string): void {
  const transaction = world.records.get("transaction", transactionId);
  if (transaction.states.status !== status) world.move(transaction, status);
}

function record(
  world: MockWorld,
  { owner, type, currency, units, fields = {} }: Movement,
  status?: string,
): Resource<"transaction"> {
  const { hiddenFor = world.assumptions.history.delaySeconds * 1000 } = world.demands;
  const shown = hiddenFor > 0 ? { visibleAt: world.now + hiddenFor } : {};
  const data: ResourceData["transaction"] = { type, currency, units, held: null, ...shown, fields };
  return world.create("transaction", { id: world.ids.uuid(), owner, data, ...(status ? { states: { status } } : {}) });
}

/** Moves an amount from the balance of a transaction's owner to an account of its own, if the balance covers it. */
function holdFor(
  world: MockWorld,
  transaction: Resource<"transaction">,
  { currency, units }: { currency: string; units: bigint },
): Resource<"transaction"> {
  const { id, owner } = transaction;
  if (available(world, owner, currency) < units) return transaction;
  const held = `held ${id}`;
  world.records.change(transaction, { held });
  carry(world, id, [accountOf(owner), held], currency, units);
  return transaction;
}

/** Moves an amount for a transaction from one account to another. */
function carry(
  world: MockWorld,
  reference: string,
  [from, to]: readonly [string, string],
  currency: string,
  units: bigint,
): void {
  world.ledger.move({ reference, at: world.now, from, to, currency, units });
}
