import type { Decimal } from "./decimal.ts";
import { visitTokens } from "./reading/json-tokens.ts";
import { sharedMap } from "./shared-map.ts";

/** The same data, with every number as a decimal string. */
export type ExactNumbers<Data> = Data extends number
  ? Decimal
  : Data extends string | boolean | null | undefined
    ? Data
    : { [Key in keyof Data]: ExactNumbers<Data[Key]> };

const origins = /* @__PURE__ */ sharedMap<object, Origin>("origins");

interface Origin {
  readonly text: string;
  /** Index in the result of {@link partsOf}. */
  readonly index: number;
}

/**
 * Stores the text from which `data` was parsed, unless `data` has no number. Call this right after parsing, before the program can change
 * the data.
 */
export function rememberText(data: unknown, text: string): void {
  const parts = partsOf(data);
  if (hasNoNumbers(parts)) return;
  for (const [index, part] of parts.entries()) origins.set(part, { text, index });
}

/** Maximum number of parts to remember: a body of millions of empty arrays would otherwise block the program for too long. */
const maxParts = 100_000;

/** The value and its nested objects and arrays, up to {@link maxParts}, in an order that depends only on the structure. */
function partsOf(data: unknown): object[] {
  const parts = typeof data === "object" && data !== null ? [data] : [];
  // The loop also visits parts that are appended while it runs.
  for (const part of parts) {
    for (const value of Object.values(part as Record<string, unknown>)) {
      if (typeof value === "object" && value !== null && parts.length < maxParts) parts.push(value);
    }
  }
  return parts;
}

/**
 * Returns received data with every number as a decimal string of the digits that the service sent. A JavaScript number cannot keep every
 * digit of a JSON number such as `1.10` or `12345678901234567.89`. Exponents are written out: `1e-8` becomes `0.00000001`. Changes that the
 * program made to data with numbers are ignored.
 *
 * A reference to any part keeps the text of the whole response in memory.
 *
 * @param data the `data` of a result, the event of a webhook, one of their first 100,000 nested objects and arrays, or an array of these,
 * as `filter` returns it.
 * @throws {TypeError} when the value is none of these, for example a copy, and contains a number.
 * @throws {RangeError} when an exponent is greater than 1000 or less than -1000.
 */
export function exactNumbers<Data extends object>(data: Data): ExactNumbers<Data> {
  // Each text is parsed once, even if `data` has several parts of it.
  const partsByText = new Map<string, object[]>();
  const exactPart = (part: object): unknown => {
    const origin = origins.get(part);
    if (origin === undefined) return copyWithoutNumbers(part);
    const parts = partsByText.get(origin.text) ?? partsOf(JSON.parse(quoteNumbers(origin.text)));
    partsByText.set(origin.text, parts);
    return parts[origin.index];
  };
  const isArrayOfParts = Array.isArray(data) && !origins.has(data);
  return (isArrayOfParts ? data.map(exactPart) : exactPart(data)) as ExactNumbers<Data>;
}

function copyWithoutNumbers(data: object): unknown {
  // Wrapped in an array, because `data` can be any item of an array: undefined, for example, or a number, which is refused.
  const list = [data];
  if (hasNoNumbers(partsOf(list))) return JSON.parse(JSON.stringify(list))[0];
  throw new TypeError(
    "exactNumbers needs the data of a result, the event of a webhook, a part of them or an array of parts, not a copy.",
  );
}

function hasNoNumbers(parts: readonly object[]): boolean {
  const hasNumber = (part: object) => Object.values(part).some((value) => typeof value === "number");
  return parts.length < maxParts && !parts.some(hasNumber);
}

function quoteNumbers(json: string): string {
  let quotedText = "";
  let copiedUntil = 0;
  visitTokens(json, (first, start, end) => {
    if (!/[-\d]/.test(first)) return;
    quotedText += `${json.slice(copiedUntil, start)}"${writeOutExponent(json.slice(start, end))}"`;
    copiedUntil = end;
  });
  return quotedText + json.slice(copiedUntil);
}

function writeOutExponent(number: string): string {
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
