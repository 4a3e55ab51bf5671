/** The amounts of the story add up. */
import { areClose, decimalOf, product, unitsOf } from "../amounts.ts";
import type { Facts } from "../facts.ts";
import { fieldOf, type Moment, momentsOf, objectsOf } from "../story.ts";

/** Each balance is the sum of what the history has booked. */
export function balances(facts: Facts): string[] {
  const moments = momentsOf(facts);
  return showing(moments, facts, "fiatBalance").flatMap((shown) => {
    const booked = bookings(moments, facts, shown);
    return objectsOf(shown.received)
      .filter(({ name, amount }) => typeof name === "string" && amount !== undefined)
      .flatMap(({ name, amount }) => {
        const sum = booked.get(String(name)) ?? 0n;
        const problem = `${shown.label}: ${amount} ${name}, but the history of ${ownerOf(shown)} has ${decimalOf(sum)}`;
        return unitsOf(amount) === sum ? [] : [problem];
      });
  });
}

/** What was booked for the owner of balances until they were shown, by currency. */
function bookings(moments: Moment[], facts: Facts, { at, ...shown }: Moment): Map<string, bigint> {
  const histories = showing(moments, facts, "transaction").filter(
    (moment) => ownerOf(moment) === ownerOf(shown as Moment),
  );
  const records = new Map(
    histories.flatMap(({ received }) => objectsOf(received)).map((record) => [record.id, record]),
  );
  const sums = new Map<string, bigint>();
  const book = (currency: unknown, amount: unknown) => {
    if (amount !== undefined) sums.set(String(currency), (sums.get(String(currency)) ?? 0n) + unitsOf(amount));
  };
  for (const { status, createdAt, currency, amount, currencyFrom, amountFrom } of records.values()) {
    if (status !== "SUCCESSFUL" || Date.parse(String(createdAt)) > Date.parse(at)) continue;
    book(currency, amount);
    book(currencyFrom, amountFrom);
  }
  return sums;
}

/** Moments that show a resource, as resources.yaml says under `details`. */
function showing(moments: Moment[], { resources }: Facts, resource: string): Moment[] {
  return moments.filter(({ operation = "" }) => resources[resource]?.details.includes(operation));
}

/** Whose data a lookup shows. */
function ownerOf({ path }: Moment): string {
  return path?.externalUserId ?? "the partner";
}

/** What is exchanged is the amount times the rate, in locks, details and events. */
export function exchanges(facts: Facts): string[] {
  return momentsOf(facts).flatMap(({ label, sent, received }) =>
    objectsOf(received).flatMap(({ rate, amountFrom, amountTo, lockId, amount }) => {
      if (rate == null) return [];
      if (amountFrom != null && amountTo != null) {
        const to = product(unitsOf(amountFrom), unitsOf(rate));
        return areClose(abs(to), abs(unitsOf(amountTo)))
          ? []
          : [`${label}: ${amountFrom} × ${rate} is ${decimalOf(to)}, not ${amountTo}`];
      }
      const asked = fieldOf(sent, "amount");
      if (lockId == null || amount == null || asked == null) return [];
      // The lock of an order: the rate is the price of one unit of the cryptocurrency.
      const price = product(unitsOf(amount), unitsOf(rate));
      return areClose(price, unitsOf(asked))
        ? []
        : [`${label}: ${amount} × ${rate} is ${decimalOf(price)}, not ${asked}`];
    }),
  );
}

/** An exchange in the history has the amounts that its details show. */
export function bookedExchanges(facts: Facts): string[] {
  const moments = momentsOf(facts);
  const shown = new Map(
    moments
      .flatMap(({ received }) => objectsOf(received))
      .flatMap((record) => (record.amountTo == null ? [] : [[record.exchangeId ?? record.id, record]])),
  );
  return showing(moments, facts, "transaction").flatMap(({ label, received }) =>
    objectsOf(received).flatMap(({ exchangeId, amount, amountFrom }) => {
      const details = shown.get(exchangeId);
      if (exchangeId === undefined || details === undefined || amountFrom == null) return [];
      const isSame =
        areClose(unitsOf(amount), abs(unitsOf(details.amountTo))) &&
        areClose(abs(unitsOf(amountFrom)), abs(unitsOf(details.amountFrom)));
      return isSame
        ? []
        : [`${label}: the exchange ${exchangeId} is ${amountFrom} for ${amount}, other than in its details`];
    }),
  );
}

function abs(units: bigint): bigint {
  return units < 0n ? -units : units;
}
