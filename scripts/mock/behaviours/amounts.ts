/** Amounts of requests and answers. */

import { MockFault } from "../kernel/fault.ts";
import { AmountError, toDecimalText, toUnits } from "../kernel/money.ts";
import type { Currency } from "../plan/assumptions.ts";
import type { MockWorld } from "./behaviour.ts";

/** A currency by its code, in lower case. */
export function currencyOf(world: MockWorld, code: string): Currency {
  const currency = knownCurrency(world, code);
  if (currency === undefined) throw new MockFault(`The mock has no currency ${code}.`);
  return currency;
}

/** The same, or undefined for a code that is none, such as `constructor`. */
export function knownCurrency(world: MockWorld, code: string): Currency | undefined {
  const { list } = world.plan.assumptions.currencies;
  return Object.hasOwn(list, code) ? list[code] : undefined;
}

/** An amount with the decimal places of its currency. */
export function amountText(world: MockWorld, units: bigint, code: string): string {
  return toDecimalText(units, currencyOf(world, code).decimals);
}

/** An amount as the JSON number that history, locks and some events carry. */
export function amountNumber(world: MockWorld, units: bigint, code: string): number {
  return Number(amountText(world, units, code));
}

/**
 * Reads the amount and the currency of a request.
 *
 * @param refuse refuses the call, with why.
 * @param fields the names of the two, where they are others.
 * @returns minor units, more than zero, and the code in lower case.
 */
export function readAmount(
  {
    world,
    body,
    query,
    amount,
  }: {
    world: MockWorld;
    body: unknown;
    query: object;
    amount: (field: string) => string | undefined;
  },
  refuse: (detail: string) => never,
  { amountField = "amount", currencyField = "currency" }: { amountField?: string; currencyField?: string } = {},
): { currency: string; units: bigint } {
  const fields = { ...query, ...(body as object | undefined) } as Readonly<Record<string, unknown>>;
  const code = String(fields[currencyField]).toLowerCase();
  const currency = knownCurrency(world, code);
  if (currency === undefined) return refuse(`${currencyField} ${JSON.stringify(fields[currencyField])} is not known`);
  try {
    const units = toUnits(amount(amountField) ?? "", currency.decimals);
    if (units <= 0n) return refuse(`${amountField} must be more than zero`);
    return { currency: code, units };
  } catch (error) {
    if (error instanceof AmountError) return refuse(`${amountField} ${error.message}`);
    throw error;
  }
}
