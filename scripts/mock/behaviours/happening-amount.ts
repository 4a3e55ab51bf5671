/** Amounts and currencies that a happening is given. */

import { AmountError, toUnits } from "../kernel/money.ts";
import { currencyOf, knownCurrency } from "./amounts.ts";
import type { MockWorld } from "./behaviour.ts";
import { type Given, HappeningError } from "./happening.ts";
import { configuredNetworks, usualNetwork } from "./networks.ts";

/**
 * A currency by its code.
 *
 * @returns the code in lower case.
 * @throws {HappeningError} when it is missing without a default, or not known.
 */
export function givenCurrency(world: MockWorld, given: Given, field: string, otherwise?: string): string {
  const code = given.text(field, otherwise).toLowerCase();
  if (knownCurrency(world, code) !== undefined) return code;
  const known = Object.keys(world.plan.assumptions.currencies.list).join(", ");
  throw new HappeningError(`${field} must be one of ${known}.`);
}

/**
 * An amount in a currency.
 *
 * @returns minor units, more than zero.
 * @throws {HappeningError} when it is missing without a default, or no such amount.
 */
export function givenUnits(
  world: MockWorld,
  given: Given,
  { field, currency, otherwise }: { field: string; currency: string; otherwise?: string },
): bigint {
  const text = given.decimal(field, otherwise);
  try {
    const units = toUnits(text, currencyOf(world, currency).decimals);
    if (units > 0n) return units;
  } catch (error) {
    if (error instanceof AmountError) throw new HappeningError(`${field} ${error.message}.`);
    throw error;
  }
  throw new HappeningError(`${field} must be more than zero.`);
}

/**
 * A network of a cryptocurrency.
 *
 * @throws {HappeningError} when the currency has no such network, or none at all.
 */
export function givenNetwork(world: MockWorld, given: Given, field: string, currency: string): string {
  const networks = Object.keys(configuredNetworks(world, currency));
  if (networks.length === 0) throw new HappeningError(`${currency} has no network: it is no cryptocurrency.`);
  return given.choice(field, networks, usualNetwork(world, currency));
}
