import { multiplyByRate, readUnits, toDecimalText, toUnits } from "../kernel/money.ts";
import { MockError } from "../kernel/transactions.ts";
import type { Currency, Network } from "../plan/assumptions.ts";
import type { MockWorld } from "./records.ts";

export function currencyOf(world: MockWorld, code: string): Currency {
  const currency = findCurrency(world, code);
  if (currency === undefined) throw new MockError(`The mock has no currency ${code}.`);
  return currency;
}

/** @returns undefined for an unknown code, including the name of an inherited property, such as `constructor`. */
export function findCurrency(world: MockWorld, code: string): Currency | undefined {
  const { list } = world.assumptions.currencies;
  return Object.hasOwn(list, code) ? list[code] : undefined;
}

export function cryptocurrenciesOf({ assumptions: { currencies } }: MockWorld): string[] {
  return Object.keys(currencies.list).filter((code) => currencies.list[code]?.kind === "crypto");
}

export function amountText(world: MockWorld, units: bigint, code: string): string {
  return toDecimalText(units, currencyOf(world, code).decimals);
}

export function amountNumber(world: MockWorld, units: bigint, code: string): number {
  return Number(amountText(world, units, code));
}

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
  const currency = findCurrency(world, code);
  if (currency === undefined)
    return refuse("P403", `${currencyField} ${JSON.stringify(fields[currencyField])} is not known`);
  const { form, above, most, places } = world.assumptions.amounts;
  const sentForm = typeof fields.amount === "number" ? "numbers" : "texts";
  // The form is checked only for an amount in the body, because an amount in the query is always a text.
  if (form !== "either" && form !== sentForm && "amount" in Object(body))
    return refuse("P403", `amount must be one of the ${form}`);
  const text = amount("amount") ?? "";
  const units = readUnits(text, currency.decimals);
  if (typeof units === "string") return refuse("P403", `amount ${units}`);
  if (places !== null && typeof readUnits(text, places) === "string") {
    return refuse("P403", `amount must have at most ${places} decimal places`);
  }
  const scaleLimit = (limit: string) => toUnits(limit, Math.max(currency.decimals, 18));
  const scaledUnits = units * 10n ** BigInt(Math.max(18 - currency.decimals, 0));
  if (scaledUnits <= scaleLimit(above))
    return refuse("P403", `amount must be more than ${above === "0" ? "zero" : above}`);
  if (most !== null && scaledUnits > scaleLimit(most)) return refuse("P403", `amount must be ${most} or less`);
  return { currency: code, units };
}

export function unitsOf(world: MockWorld, text: string, code: string): bigint {
  return toUnits(text, currencyOf(world, code).decimals);
}

/** This default is documented only for Get Network Fee. */
export const defaultNetwork = "ethereum";

export function configuredNetworks(world: MockWorld, currency: string): Readonly<Record<string, Network>> {
  return findCurrency(world, currency)?.networks ?? {};
}

export function usualNetwork(
  world: MockWorld,
  currency: string,
  preferredNetwork: string = defaultNetwork,
): string | undefined {
  const names = Object.keys(configuredNetworks(world, currency));
  return names.includes(preferredNetwork) ? preferredNetwork : names[0];
}

/** A fee or a minimum as responses show it: in the cryptocurrency, or in euro (Q-fee-currency). */
export function responseFee(world: MockWorld, units: bigint, code: string): number {
  if (world.assumptions.withdrawals.feesIn === "crypto") return amountNumber(world, units, code);
  const { decimals, rate } = currencyOf(world, code);
  return Number(toDecimalText(multiplyByRate(units, decimals, rate, 6), 6));
}

const ratePlaces = 12;

/** @param isInverse whether responses show the reciprocal of the rate (Q-rate-direction). */
export function responseRate(rate: string, isInverse: boolean): number {
  return isInverse ? Number((1 / Number(rate)).toPrecision(12)) : Number(rate);
}

/** The price of one unit of `fromCode` in `toCode`, as a decimal string. */
export function exchangeRate(world: MockWorld, fromCode: string, toCode: string): string {
  const fixedRate = world.assumptions.exchanges.rates[fromCode]?.[toCode];
  if (fixedRate !== undefined) return fixedRate;
  const [worthFrom, worthTo] = [fromCode, toCode].map((code) => toUnits(currencyOf(world, code).rate, ratePlaces)) as [
    bigint,
    bigint,
  ];
  const quotient = toDecimalText((worthFrom * 10n ** BigInt(ratePlaces)) / worthTo, ratePlaces);
  return quotient.replace(/\.?0+$/, "");
}

/** In milliseconds since 1970; truncated to whole seconds, because responses show no milliseconds for locks. */
export function lockExpiry({ now }: MockWorld, seconds: number): number {
  return Math.floor(now / 1000 + seconds) * 1000;
}

export function timestamp(time: number): string {
  return new Date(time).toISOString();
}

export function timestampInSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, "Z");
}
