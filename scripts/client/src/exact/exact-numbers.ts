import type { Decimal } from "./decimal.ts";
import { exactDataOf } from "./exact-data.ts";
import { origins } from "./origins.ts";

/** The same data, with every number as a decimal string. */
export type ExactNumbers<Data> = Data extends number
  ? Decimal
  : Data extends string | boolean | null | undefined
    ? Data
    : { [Key in keyof Data]: ExactNumbers<Data[Key]> };

/**
 * Returns received data with every number as a decimal string of the digits that the service sent. A JavaScript number cannot keep every
 * digit of a JSON number such as `1.10` or `12345678901234567.89`. Exponents are written out: `1e-8` becomes `0.00000001`. Changes that the
 * program made to data with numbers are ignored.
 *
 * A reference to any part keeps the text of the whole response in memory.
 *
 * @param data the `data` of a result, the event of a webhook, one of the first 100,000 objects and arrays in them, or an array of these, as
 * `filter` returns it.
 * @throws {TypeError} when the value is none of these, for example a copy, and contains a number or 100,000 objects and arrays.
 * @throws {RangeError} when an exponent is greater than 1000 or less than -1000.
 */
export function exactNumbers<Data extends object>(data: Data): ExactNumbers<Data> {
  return exactDataOf(data, origins) as ExactNumbers<Data>;
}
