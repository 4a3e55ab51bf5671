/** Exact decimal amounts, as the service writes them. No floating point number is involved. */

declare const decimalBrand: unique symbol;

/** An exact decimal number as a string, for example `"0.01500000"`. */
export type Decimal = string & { readonly [decimalBrand]: true };

/** What a request takes as an amount: a {@link Decimal}, or a literal that is one. */
export type DecimalInput = Decimal | `${number}`;

const form = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Checks that a text is a decimal number, for amounts that come from elsewhere.
 *
 * @throws {TypeError} when it is not: no sign but a minus, no exponent, no separator but one point.
 */
export function toDecimal(text: string): Decimal {
  if (!form.test(text)) throw new TypeError(`"${text}" is no decimal number such as "250.00".`);
  return text as Decimal;
}

/** Compares two amounts by value: negative when `a` is less, positive when it is greater, 0 when both are equal. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { left, right } = align(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The exact sum, with as many decimal places as the summand that has more. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const { left, right, places } = align(a, b);
  return toText(left + right, places);
}

/** The exact difference, with as many decimal places as the one that has more. */
export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  const { left, right, places } = align(a, b);
  return toText(left - right, places);
}

/** Both numbers as integers of the same unit: 10 to the power of minus `places`. */
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
