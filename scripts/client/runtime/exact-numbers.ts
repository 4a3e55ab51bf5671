/** Amounts that arrive as JSON numbers, as the exact text that the service sent. */
import type { Decimal } from "./decimal.js";

/** The same data with every number as its text. */
export type ExactNumbers<Data> = Data extends number
  ? Decimal
  : Data extends string | boolean | null | undefined
    ? Data
    : { [Key in keyof Data]: ExactNumbers<Data[Key]> };

const texts = new WeakMap<object, string>();

/** Remembers the JSON text that data was parsed from. */
export function rememberText(data: unknown, text: string): void {
  if (typeof data === "object" && data !== null) texts.set(data, text);
}

/** A JSON string, or a number outside of one. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * The data of a call with every number as the text that the service sent: a JSON number such as `1.10` or
 * `12345678901234567.89` loses digits as a JavaScript number.
 *
 * @param data the `data` of a result, not a part or a copy of it.
 * @throws {TypeError} when the data did not come from a call.
 */
export function exactNumbers<Data extends object>(data: Data): ExactNumbers<Data> {
  const text = texts.get(data);
  if (text === undefined) throw new TypeError("exactNumbers takes the data of a result, not a part or a copy of it.");
  const quoted = text.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`));
  return JSON.parse(quoted) as ExactNumbers<Data>;
}
