/** The origins are not imported here, so that `payments` can load this code alone, on demand. */

import { visitTokens } from "../reading/json-tokens.ts";
import type { Origin } from "./origins.ts";
import { hasNoNumbers, partsOf } from "./parts.ts";

export function exactDataOf(data: object, origins: WeakMap<object, Origin>): unknown {
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
  return isArrayOfParts ? data.map(exactPart) : exactPart(data);
}

function copyWithoutNumbers(data: object): unknown {
  // In an array, because `data` can be any value: `partsOf` finds no number outside an object, and `JSON.parse` refuses undefined.
  const list = [data];
  if (hasNoNumbers(partsOf(list))) return JSON.parse(JSON.stringify(list))[0];
  throw new TypeError(
    "exactNumbers needs the data of a result, the event of a webhook, a part of them or an array of parts, not a copy.",
  );
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
