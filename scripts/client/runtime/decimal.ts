/** Exact arithmetic on the decimal strings of the service, without floating point numbers. */

declare const decimalBrand: unique symbol;

/** An exact decimal number as a string, for example `"0.01500000"`. */
export type Decimal = string & { readonly [decimalBrand]: true };

/** An amount in a request: a {@link Decimal}, or a string literal of a number. */
export type DecimalInput = Decimal | `${number}`;

const form = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Validates a string as a decimal number.
 *
 * @param text digits, optionally with a leading minus sign and a decimal point; no plus sign, exponent or separator.
 * @returns the same string.
 * @throws {TypeError} when the string has another form.
 */
export function toDecimal(text: string): Decimal {
  if (!form.test(text)) throw new TypeError(`"${text}" is not a decimal number such as "250.00".`);
  return text as Decimal;
}

/**
 * Compares two amounts by value.
 *
 * @returns -1 when `a` is less than `b`, 1 when it is greater, 0 when both are equal.
 * @throws {TypeError} when one of them is not a decimal number.
 */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { left, right } = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Adds two amounts exactly.
 *
 * @returns the sum, with as many decimal places as the operand that has more.
 * @throws {TypeError} when one of them is not a decimal number.
 */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const { left, right, places } = align(a, b);
  return toText(left + right, places);
}

/**
 * Subtracts `b` from `a` exactly.
 *
 * @returns the difference, with as many decimal places as the operand that has more.
 * @throws {TypeError} when one of them is not a decimal number.
 */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const { left, right, places } = align(a, b);
  return toText(left - right, places);
}

/** Both numbers as integer multiples of the same unit, 10 to the power of minus `places`. */
function align(a: Decimal, b: Decimal): { left: bigint; right: bigint; places: number } {
  const first = split(a);
  const second = split(b);
  const places = Math.max(first.fraction.length, second.fraction.length);
  const scale = ({ sign, integer, fraction }: Parts) => BigInt(`${sign}${integer}${fraction.padEnd(places, "0")}`);
  return { left: scale(first), right: scale(second), places };
}

interface Parts {
  sign: string;
  integer: string;
  fraction: string;
}

function split(value: Decimal): Parts {
  const [, sign = "", integer = "", fraction = ""] = form.exec(toDecimal(value)) ?? [];
  return { sign, integer, fraction };
}

function toText(units: bigint, places: number): Decimal {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  const integer = digits.slice(0, digits.length - places);
  return `${sign}${integer}${places === 0 ? "" : `.${digits.slice(-places)}`}` as Decimal;
}
