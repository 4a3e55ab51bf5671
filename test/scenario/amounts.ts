/** Amounts as whole numbers of the smallest part, so that sums are exact. */

/** Decimal places that every amount is brought to. */
const places = 18;

/**
 * An amount in units of 10^-18.
 *
 * @param amount a JSON number or a decimal string, as bodies carry it.
 * @throws {Error} when it is neither, or has an exponent, with which its text would not be its value.
 */
export function unitsOf(amount: unknown): bigint {
  const text = typeof amount === "number" ? String(amount) : amount;
  const found = typeof text === "string" ? /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) : null;
  if (found === null) throw new Error(`${JSON.stringify(amount)} is no amount.`);
  const [, sign, whole = "", fraction = ""] = found;
  const units = BigInt(whole + fraction.padEnd(places, "0").slice(0, places));
  return sign === "-" ? -units : units;
}

/** Units as a decimal, for messages. */
export function decimalOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -places)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** The product of two amounts, rounded to the same unit. */
export function product(a: bigint, b: bigint): bigint {
  return (a * b) / 10n ** BigInt(places);
}

/** Whether two amounts are equal when both are rounded to eight decimal places, the most that a currency here has. */
export function areClose(a: bigint, b: bigint): boolean {
  const difference = a - b;
  return (difference < 0n ? -difference : difference) < 10n ** BigInt(places - 8);
}
