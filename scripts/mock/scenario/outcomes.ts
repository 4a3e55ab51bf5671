/** Lets a resource become what the story tells, where nothing in the behaviours would do it by itself. */

import { fiatBalanceOf } from "../behaviours/balances.ts";
import type { MockWorld } from "../behaviours/behaviour.ts";
import { endWithdrawal } from "../behaviours/crypto-withdrawals.ts";
import { endExchange, giveBack, refuseFunds } from "../behaviours/funds.ts";
import { happenings } from "../behaviours/index.ts";
import { toUnits } from "../kernel/money.ts";
import type { Body, ShownBalances, Told } from "./story.ts";

/** Whether a resource has the value that is told. */
export function isSo(world: MockWorld, { resource, id, state, value }: Told): boolean {
  return world.records.find(resource as "user", id)?.states[state] === value;
}

/**
 * Does what has to be done for a told value, now.
 *
 * @returns false when there is nothing that leads to it.
 */
export function bringAbout(world: MockWorld, told: Told): boolean {
  const own = outcomes[`${told.resource} ${told.value}`];
  if (own !== undefined) {
    own(world, told);
    return true;
  }
  const between = valueBetween(world, told);
  return (between === undefined || happen(world, { ...told, value: between })) && happen(world, told);
}

/** Lets a resource become something by an event outside. Returns false when there is none. */
function happen(world: MockWorld, { resource, id, state, value, body }: Told): boolean {
  const known = world.plan.resources[resource];
  const name = Object.entries(known?.outside ?? {}).find(([, { moves, state: moved, to }]) => {
    return moves === resource && (moved ?? state) === state && to.includes(value);
  })?.[0];
  const happening = happenings[`${resource}.${name}`];
  if (known === undefined || happening === undefined) return false;
  happening(world, { ...body, [known.id]: id, status: value });
  return true;
}

/** The value that a state has to have before the one that is told; undefined when there is nothing between. */
function valueBetween(world: MockWorld, { resource, id, state, value }: Told): string | undefined {
  const { transitions = {} } = world.plan.resources[resource]?.states[state] ?? {};
  const following = transitions[world.records.find(resource as "user", id)?.states[state] ?? ""] ?? [];
  return following.includes(value) ? undefined : following.find((next) => transitions[next]?.includes(value));
}

type Outcome = (world: MockWorld, told: Told) => void;

/** By the resource and the value. */
const outcomes: Readonly<Record<string, Outcome>> = {
  // The files stay, since the user is verified with them later.
  "kycFiles ERROR": (world, { id }) => {
    world.create("kycFiles", { id, owner: id, data: { names: [] }, states: { status: "ERROR" } });
  },

  "wallet created": (world, { id, body }) => {
    const owner = (body.externalUserId as string | undefined) ?? null;
    createWallet(world, { owner, address: id, currency: String(body.currency), network: String(body.network) });
  },

  "iban APPROVED": (world, { id, body }) => approveIban(world, id, String(body.iban)),

  "exchange FAILED": (world, { id }) => {
    const exchange = world.records.get("exchange", id);
    if (exchange.data.transactionId !== null) endExchange(world, exchange.data.transactionId, false);
    world.move(exchange, "FAILED");
  },

  "transfer UNSUCCESSFUL": (world, { id }) => {
    const transfer = world.records.get("transfer", id);
    if (transfer.data.outgoingId !== null) giveBack(world, transfer.data.outgoingId);
    world.move(transfer, "UNSUCCESSFUL");
  },

  "cryptoWithdrawal SUCCESSFUL": (world, { id, body }) => {
    endWithdrawal(world, world.records.get("cryptoWithdrawal", id), true, String(body.transactionHash));
  },

  "cryptoWithdrawal UNSUCCESSFUL": (world, { id }) => {
    endWithdrawal(world, world.records.get("cryptoWithdrawal", id), false);
  },
};

/** Gives a user the account number that was requested, one that is known. */
export function approveIban(world: MockWorld, owner: string, number: string): void {
  const iban = world.records.get("iban", owner);
  const balance = fiatBalanceOf(world, owner);
  world.records.change(iban, { iban: number });
  if (balance !== undefined) {
    world.records.change(balance, { iban: number });
    world.move(balance, "ACTIVE");
  }
  world.move(iban, "APPROVED");
}

/** Creates a wallet whose address is known. */
export function createWallet(
  world: MockWorld,
  { owner, address, currency, network }: { owner: string | null; address: string; currency: string; network: string },
): void {
  world.create("wallet", { id: address, owner, data: { currency, network } });
}

/** Gives a balance the identifiers that are shown of it. */
export function showBalance(world: MockWorld, owner: string | null, shown: ShownBalances): void {
  const balance = fiatBalanceOf(world, owner);
  if (balance === undefined) return;
  const { transferTitle = balance.data.transferTitle, cryptoIds } = shown;
  const iban = owner === null ? (shown.iban ?? balance.data.iban) : balance.data.iban;
  world.records.change(balance, { transferTitle, iban, cryptoIds: { ...balance.data.cryptoIds, ...cryptoIds } });
}

/** A transfer that was accepted although the funds do not suffice, which the contract leaves open; it fails when that is told. */
export function createUncoveredTransfer(world: MockWorld, body: Body, transferId: string): void {
  const source = (body.sourceExternalUserId as string | undefined) ?? null;
  const destination = (body.destinationExternalUserId as string | undefined) ?? null;
  const currency = String(body.currency);
  const units = toUnits(String(body.amount), world.plan.assumptions.currencies.list[currency]?.decimals ?? 0);
  const { id: outgoingId } = refuseFunds(world, { owner: source, type: "transfer", currency, units });
  const data = { source, destination, units, currency, outgoingId, incomingId: null };
  world.create("transfer", { id: transferId, owner: source ?? destination, data });
}
