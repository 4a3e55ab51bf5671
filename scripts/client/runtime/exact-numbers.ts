/** Exact values of the JSON numbers in responses and webhook events. */
import type { Decimal } from "./decimal.ts";

/** The same data, with every number as a decimal string. */
export type ExactNumbers<Data> = Data extends number
  ? Decimal
  : Data extends string | boolean | null | undefined
    ? Data
    : { [Key in keyof Data]: ExactNumbers<Data[Key]> };

/** The same in every copy of this module: ES modules and CommonJS each have one. */
const shared = globalThis as { [key: symbol]: WeakMap<object, string> | undefined };
const textsKey = Symbol.for("partner-wallet-api.texts");
shared[textsKey] ??= new WeakMap();
const texts: WeakMap<object, string> = shared[textsKey];

/**
 * Stores the JSON text that data was parsed from, for {@link exactNumbers}.
 *
 * @param data the parsed value; only objects and arrays are stored.
 * @param text the whole JSON text.
 */
export function rememberText(data: unknown, text: string): void {
  if (typeof data === "object" && data !== null) texts.set(data, text);
}

/**
 * Returns the data of a call, or the event of a webhook, with every number as a decimal string that has the digits which
 * the service sent. A JavaScript number cannot keep every digit of a JSON number such as `1.10` or
 * `12345678901234567.89`. Exponents are written out: `1e-8` becomes `0.00000001`.
 *
 * @param data the `data` of a result or the event of a webhook, not a part or a copy of it.
 * @throws {TypeError} when the value is neither.
 * @throws {RangeError} when an exponent is greater than 1000 or less than -1000.
 */
export function exactNumbers<Data extends object>(data: Data): ExactNumbers<Data> {
  const text = texts.get(data);
  if (text === undefined) {
    throw new TypeError(
      "exactNumbers needs the data of a result or the event of a webhook, not a part or a copy of it.",
    );
  }
  return JSON.parse(quoteNumbers(text)) as ExactNumbers<Data>;
}

/** Turns the numbers of a JSON text into strings. */
function quoteNumbers(json: string): string {
  let quoted = "";
  let copied = 0;
  let at = find(stringOrNumber, json, 0);
  while (at < json.length) {
    const start = at;
    if (json[at] === '"') at = endOfString(json, at);
    else {
      at = find(notInNumber, json, at);
      quoted += `${json.slice(copied, start)}"${toPlain(json.slice(start, at))}"`;
      copied = at;
    }
    at = find(stringOrNumber, json, at);
  }
  return quoted + json.slice(copied);
}

// Each finds one character: a regular expression with a repetition fails on strings of 16 M characters.
const stringOrNumber = /["\d-]/g;
const notInNumber = /[^\d.eE+-]/g;
const quoteOrEscape = /["\\]/g;

/** The index of the first match at or after `from`; the length of the text when there is none. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

/** The index after the closing quotation mark. */
function endOfString(json: string, start: number): number {
  let at = find(quoteOrEscape, json, start + 1);
  while (json[at] === "\\") at = find(quoteOrEscape, json, at + 2);
  return at + 1;
}

/** A JSON number without its exponent: the same digits, the decimal point moved, zeros added where needed. */
function toPlain(number: string): string {
  const [mantissa = "", exponent] = number.toLowerCase().split("e");
  if (exponent === undefined) return number;
  const shift = Number(exponent);
  if (Math.abs(shift) > 1000) throw new RangeError(`exactNumbers does not write out the exponent of 1e${shift}.`);
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [integer = "", fraction = ""] = mantissa.slice(sign.length).split(".");
  const point = integer.length + shift;
  const digits = `${"0".repeat(Math.max(1 - point, 0))}${integer}${fraction}`.padEnd(point, "0");
  const places = Math.max(integer.length + fraction.length - point, 0);
  const whole = digits.slice(0, digits.length - places).replace(/^0+(?=.)/, "");
  return `${sign}${whole}${places === 0 ? "" : `.${digits.slice(-places)}`}`;
}
