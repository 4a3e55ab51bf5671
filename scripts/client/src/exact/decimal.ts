/**
 * An exact decimal number as a checked string, such as `"0.01500000"`: the result of {@link toDecimal}, of calculations and of
 * `exactNumbers`. Amounts in responses and events are plain strings or numbers: the calculations accept and check the strings, and
 * `exactNumbers` converts the numbers. The member `~decimal` exists only for the compiler; its string key makes the types of the ES and
 * CommonJS copies identical.
 */
export type Decimal = string & { readonly "~decimal": true };

/**
 * An amount in a request: a {@link Decimal}, or a numeric string literal such as `"10.00"`. The type also accepts `"1e5"` and `"0x1F"`,
 * which the client refuses when the call is made. For strings that are only known at run time, use {@link toDecimal}.
 */
export type DecimalInput = Decimal | `${number}`;

const decimalPattern = /^(-?\d+)(?:\.(\d+))?$/;

/**
 * Validates a string as a decimal number.
 *
 * @param text digits, optionally with a leading minus sign and a decimal point between digits; no plus sign, exponent or separator.
 * @returns the same string.
 * @throws {TypeError} when the value is not a string of this form.
 */
export function toDecimal(text: string): Decimal {
  split(text);
  return text as Decimal;
}

/**
 * Compares two amounts by value.
 *
 * @returns -1 when `a` is less than `b`, 1 when it is greater, 0 when both are equal.
 * @throws {TypeError} when `a` or `b` is not a decimal number.
 */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const { left, right } = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Adds two amounts exactly.
 *
 * @returns the sum, with as many decimal places as the operand that has more.
 * @throws {TypeError} when `a` or `b` is not a decimal number.
 */
export function addDecimals(a: string, b: string): Decimal {
  const { left, right, places } = align(a, b);
  return toText(left + right, places);
}

/**
 * Subtracts `b` from `a` exactly.
 *
 * @returns the difference, with as many decimal places as the operand that has more.
 * @throws {TypeError} when `a` or `b` is not a decimal number.
 */
export function subtractDecimals(a: string, b: string): Decimal {
  const { left, right, places } = align(a, b);
  return toText(left - right, places);
}

/**
 * Adds amounts exactly.
 *
 * @returns the sum, with as many decimal places as the amount with the most places; `"0"` for an empty list.
 * @throws {TypeError} when an amount is not a decimal number.
 */
export function sumDecimals(amounts: Iterable<string>): Decimal {
  let sum = "0" as Decimal;
  for (const amount of amounts) sum = addDecimals(sum, amount);
  return sum;
}

/** Integers in units of 10^-`places`. */
function align(a: string, b: string): { left: bigint; right: bigint; places: number } {
  const leftParts = split(a);
  const rightParts = split(b);
  const places = Math.max(leftParts.fraction.length, rightParts.fraction.length);
  const scale = ({ whole, fraction }: typeof leftParts) => BigInt(`${whole}${fraction.padEnd(places, "0")}`);
  return { left: scale(leftParts), right: scale(rightParts), places };
}

function split(value: unknown) {
  if (typeof value !== "string") {
    throw new TypeError(
      `A decimal number must be a string such as "250.00". Got a ${typeof value}: pass the text itself.`,
    );
  }
  const [, whole, fraction = ""] = decimalPattern.exec(value) ?? [];
  if (whole === undefined) throw new TypeError(`"${value}" is not a decimal number such as "250.00".`);
  return { whole, fraction };
}

function toText(units: bigint, places: number): Decimal {
  const sign = units < 0n ? "-" : "";
  const digits = units
    .toString()
    .replace("-", "")
    .padStart(places + 1, "0");
  const integer = digits.slice(0, digits.length - places);
  return `${sign}${integer}${places === 0 ? "" : `.${digits.slice(-places)}`}` as Decimal;
}
