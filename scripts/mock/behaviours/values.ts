/** Reads and writes amounts, currencies, networks, rates and times of requests and responses. */
import { MockFault } from "../kernel/changes.ts";
import { readUnits, toDecimalText, toUnits } from "../kernel/money.ts";
import type { Currency, Network } from "../plan/assumptions.ts";
import type { MockWorld } from "./records.ts";

export function currencyOf(world: MockWorld, code: string): Currency {
  const currency = knownCurrency(world, code);
  if (currency === undefined) throw new MockFault(`The mock has no currency ${code}.`);
  return currency;
}

/** Finds a currency by its code in lower case; undefined for an unknown code, including property names such as `constructor`. */
export function knownCurrency(world: MockWorld, code: string): Currency | undefined {
  const { list } = world.assumptions.currencies;
  return Object.hasOwn(list, code) ? list[code] : undefined;
}

export function cryptocurrenciesOf({ assumptions: { currencies } }: MockWorld): string[] {
  return Object.keys(currencies.list).filter((code) => currencies.list[code]?.kind === "crypto");
}

export function amountText(world: MockWorld, units: bigint, code: string): string {
  return toDecimalText(units, currencyOf(world, code).decimals);
}

/** An amount as a JSON number, for history, locks and some events. */
export function amountNumber(world: MockWorld, units: bigint, code: string): number {
  return Number(amountText(world, units, code));
}

/** Reads the amount and currency of a request. @returns minor units (more than zero), and the currency code in lower case. */
export function readAmount(
  call: {
    readonly world: MockWorld;
    readonly query: object;
    readonly body: unknown;
    amount(field: string): string | undefined;
    refuse(code: "P403", detail: string): never;
  },
  currencyField = "currency",
): { currency: string; units: bigint } {
  const { world, query, body, amount, refuse } = call;
  const fields = { ...query, ...(body as object | undefined) } as Readonly<Record<string, unknown>>;
  const code = String(fields[currencyField]).toLowerCase();
  const currency = knownCurrency(world, code);
  if (currency === undefined)
    return refuse("P403", `${currencyField} ${JSON.stringify(fields[currencyField])} is not known`);
  const units = readUnits(amount("amount") ?? "", currency.decimals);
  if (typeof units === "string") return refuse("P403", `amount ${units}`);
  return units > 0n ? { currency: code, units } : refuse("P403", "amount must be more than zero");
}

/** Converts an amount of mock.yaml to minor units. @throws {RangeError} when the amount has more decimal places than the currency. */
export function unitsOf(world: MockWorld, text: string, code: string): bigint {
  return toUnits(text, currencyOf(world, code).decimals);
}

/** The network if a request names none. This default is documented for Get Network Fee only (Q-withdrawal-network). */
export const defaultNetwork = "ethereum";

/** The configured networks of a currency, by name; empty for a fiat or unknown currency. */
export function configuredNetworks(world: MockWorld, currency: string): Readonly<Record<string, Network>> {
  return knownCurrency(world, currency)?.networks ?? {};
}

/** The default network of a currency: {@link defaultNetwork} if the currency has it, otherwise its first network. */
export function usualNetwork(world: MockWorld, currency: string): string | undefined {
  const names = Object.keys(configuredNetworks(world, currency));
  return names.includes(defaultNetwork) ? defaultNetwork : names[0];
}

/** Number of decimal places of a calculated rate. */
const places = 12;

/** The price of one unit of `from` in `to`, as a decimal string. Both are currency codes in lower case. */
export function rateBetween(world: MockWorld, from: string, to: string): string {
  const stated = world.assumptions.exchanges.rates[from]?.[to];
  if (stated !== undefined) return stated;
  const [worthFrom, worthTo] = [from, to].map((code) => toUnits(currencyOf(world, code).rate, places)) as [
    bigint,
    bigint,
  ];
  const quotient = toDecimalText((worthFrom * 10n ** BigInt(places)) / worthTo, places);
  return quotient.replace(/\.?0+$/, "");
}

/** When a new lock expires, in milliseconds since 1970, truncated to whole seconds, because the API shows no milliseconds. */
export function lockExpiry({ now }: MockWorld, seconds: number): number {
  return Math.floor(now / 1000 + seconds) * 1000;
}

/** A time as ISO 8601 text in UTC with milliseconds. @param time milliseconds since 1970. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}

/** A time as ISO 8601 text in UTC without milliseconds, the format of locks. */
export function timestampInSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** A time as ISO 8601 text with the offset +00:00 and without milliseconds, the format of the card list. */
export function timestampWithOffset(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "+00:00");
}
