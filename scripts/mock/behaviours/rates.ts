/** What one currency is worth in another. */

import { toDecimalText, toUnits } from "../kernel/money.ts";
import { currencyOf } from "./amounts.ts";
import type { MockWorld } from "./behaviour.ts";

/** Decimal places of a rate that is calculated. */
const places = 12;

/**
 * The rate at which one currency is exchanged for another.
 *
 * @param from the code of the currency to give, in lower case.
 * @param to the code of the currency to get, in lower case.
 * @returns how much of `to` one unit of `from` is worth, as a decimal string.
 */
export function rateBetween(world: MockWorld, from: string, to: string): string {
  const stated = world.plan.assumptions.exchanges.rates[from]?.[to];
  if (stated !== undefined) return stated;
  const [worthFrom, worthTo] = [from, to].map((code) => toUnits(currencyOf(world, code).rate, places)) as [
    bigint,
    bigint,
  ];
  const quotient = toDecimalText((worthFrom * 10n ** BigInt(places)) / worthTo, places);
  return quotient.replace(/\.?0+$/, "");
}
