/**
 * An outgoing amount is moved to a separate hold account until it is settled or returned. An incoming amount is credited when it is
 * settled.
 */

import { MockError } from "../kernel/transactions.ts";
import type { MockWorld } from "./behaviour.ts";
import type { Resource, ResourceData } from "./records.ts";

export function accountOf(owner: string | null): string {
  return owner === null ? "partner" : `user ${owner}`;
}

/** The ledger account of all counterparties outside the service: banks, blockchains, shops. */
export const externalAccount = "outside";

export const exchangeAccount = "exchanges";

/** The ledger account that receives fees and transfers to the master balance. */
export const serviceAccount = "service";

export function availableUnits(world: MockWorld, owner: string | null, currency: string): bigint {
  return world.ledger.balance(accountOf(owner), currency);
}

interface Movement {
  owner: string | null;
  type: string;
  currency: string;
  /** Minor units, greater than zero; negative only for an outgoing transaction in {@link recordTransaction}. */
  units: bigint;
  fields?: Readonly<Record<string, string>>;
}

/** Refuses only if a P-code is assumed for this refusal. Otherwise, the payment fails later (Q-money-refusals). */
export function refuseWithoutFunds(
  { world, refuse }: { readonly world: MockWorld; refuse(code: "P403", detail: string): never },
  owner: string | null,
  currency: string,
  units: bigint,
): void {
  const { withoutFunds } = world.assumptions.refused;
  if (withoutFunds === null || availableUnits(world, owner, currency) >= units) return;
  // The type is asserted, because an answer to the question can set a P-code that the operation does not document.
  refuse(withoutFunds as "P403", `amount: ${owner ?? "the partner"} does not have it`);
}

/** If the balance is too low, nothing is held, and the payment fails later. */
export function hold(world: MockWorld, movement: Movement): Resource<"transaction"> {
  return holdUnits(world, recordWithoutHold(world, movement), movement);
}

export function recordWithoutHold(world: MockWorld, movement: Movement): Resource<"transaction"> {
  return recordTransaction(world, { ...movement, units: -movement.units });
}

export function recordTransaction(
  world: MockWorld,
  { owner, type, currency, units, fields = {} }: Movement,
  status?: string,
): Resource<"transaction"> {
  const { hiddenFor = world.assumptions.history.delaySeconds * 1000 } = world.overrides;
  const visibility = hiddenFor > 0 ? { visibleAt: world.now + hiddenFor } : {};
  const data: ResourceData["transaction"] = { type, currency, units, held: null, ...visibility, fields };
  return world.create("transaction", { id: world.ids.uuid(), owner, data, ...(status ? { states: { status } } : {}) });
}

export function holdExchange(
  world: MockWorld,
  movement: Omit<Movement, "type">,
  debit: { currency: string; units: bigint },
): Resource<"transaction"> {
  const transaction = recordTransaction(world, { ...movement, type: "exchange" });
  world.records.change(transaction, { unitsFrom: -debit.units, currencyFrom: debit.currency });
  return holdUnits(world, transaction, debit);
}

/**
 * On success, a held amount goes to `account`, and an incoming amount comes from it; an exchange has both. On failure, a held amount goes
 * back to the owner.
 */
export function endTransaction(
  world: MockWorld,
  transactionId: string,
  isSuccess: boolean,
  account = externalAccount,
): void {
  const transaction = world.records.get("transaction", transactionId);
  const { units, currency, held: holdAccount, unitsFrom = units, currencyFrom = currency, fields } = transaction.data;
  const ownerAccount = accountOf(transaction.owner);
  if (holdAccount !== null)
    moveFunds(world, transactionId, [holdAccount, isSuccess ? account : ownerAccount], currencyFrom, -unitsFrom);
  else if (isSuccess && units < 0n) throw new MockError(`Nothing is held for the transaction ${transactionId}.`);
  if (isSuccess && units > 0n) moveFunds(world, transactionId, [account, ownerAccount], currency, units);
  world.records.change(transaction, { held: null, fields: isSuccess ? { ...fields, btId: world.ids.uuid() } : fields });
  world.move(transaction, isSuccess ? "SUCCESSFUL" : "UNSUCCESSFUL");
}

export function hasHeldFunds(world: MockWorld, id: string): boolean {
  return world.records.get("transaction", id).data.held !== null;
}

export function setTransactionStatus(world: MockWorld, transactionId: string, status: string): void {
  const transaction = world.records.get("transaction", transactionId);
  if (transaction.states.status !== status) world.move(transaction, status);
}

function holdUnits(
  world: MockWorld,
  transaction: Resource<"transaction">,
  { currency, units }: { currency: string; units: bigint },
): Resource<"transaction"> {
  const { id, owner } = transaction;
  if (availableUnits(world, owner, currency) < units) return transaction;
  const holdAccount = `held ${id}`;
  world.records.change(transaction, { held: holdAccount });
  moveFunds(world, id, [accountOf(owner), holdAccount], currency, units);
  return transaction;
}

export function moveFunds(
  world: MockWorld,
  reference: string,
  [from, to]: readonly [string, string],
  currency: string,
  units: bigint,
): void {
  world.ledger.move({ reference, at: world.now, from, to, currency, units });
}
