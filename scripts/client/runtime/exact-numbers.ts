/** Exact values of JSON numbers in responses. */
import type { Decimal } from "./decimal.ts";

/** The same data, with every number as its text. */
export type ExactNumbers<Data> = Data extends number
  ? Decimal
  : Data extends string | boolean | null | undefined
    ? Data
    : { [Key in keyof Data]: ExactNumbers<Data[Key]> };

const texts = new WeakMap<object, string>();

/**
 * Stores the JSON text that data was parsed from, for {@link exactNumbers}.
 *
 * @param data the parsed value; only objects and arrays are stored.
 * @param text the whole JSON text.
 */
export function rememberText(data: unknown, text: string): void {
  if (typeof data === "object" && data !== null) texts.set(data, text);
}

/** A JSON string, or a number outside of a string. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Returns the data of a call with every number as the text that the service sent. A JavaScript number cannot keep every
 * digit of a JSON number such as `1.10` or `12345678901234567.89`.
 *
 * @param data the `data` of a result, not a part or a copy of it.
 * @throws {TypeError} when the value is not the data of a result.
 */
export function exactNumbers<Data extends object>(data: Data): ExactNumbers<Data> {
  const text = texts.get(data);
  if (text === undefined) throw new TypeError("exactNumbers needs the data of a result, not a part or a copy of it.");
  const quoted = text.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`));
  return JSON.parse(quoted) as ExactNumbers<Data>;
}
