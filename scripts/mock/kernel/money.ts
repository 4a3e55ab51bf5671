const maxDigits = 30;

/**
 * @param text a decimal number, possibly with an exponent (`1e-7`).
 * @param decimals the decimal places of the currency. Digits after them must be zeros.
 * @returns minor units, or the problem as the end of a sentence, such as `is out of range`.
 */
export function readUnits(text: string, decimals: number): bigint | string {
  const [match, sign = "", integer = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (match === undefined) return "must be a decimal number";
  const shift = Number(exponent);
  if (Math.abs(shift) > maxDigits || integer.length + fraction.length > 2 * maxDigits) {
    return "is out of range";
  }
  const digits = `${integer}${fraction}`;
  const decimalPlaces = fraction.length - shift;
  const keptDigits = digits.slice(0, Math.max(digits.length - Math.max(decimalPlaces - decimals, 0), 0));
  if (/[1-9]/.test(digits.slice(keptDigits.length))) {
    return `must have at most ${decimals} decimal places`;
  }
  const units = BigInt(
    `${sign}${keptDigits === "" ? "0" : keptDigits}${"0".repeat(Math.max(decimals - decimalPlaces, 0))}`,
  );
  return units.toString().length > maxDigits ? "is out of range" : units;
}

export function toUnits(text: string, decimals: number): bigint {
  const units = readUnits(text, decimals);
  if (typeof units === "string") throw new RangeError(`The amount ${text} ${units}.`);
  return units;
}

export function toDecimalText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const integer = digits.slice(0, digits.length - decimals);
  return `${units < 0n ? "-" : ""}${integer}${decimals === 0 ? "" : `.${digits.slice(-decimals)}`}`;
}

/**
 * Rounds down to a minor unit.
 *
 * @param units minor units of a currency with `decimals` decimal places.
 * @param rate the price of one major unit of the amount's currency, in the currency of the result.
 */
export function multiplyByRate(units: bigint, decimals: number, rate: string, toDecimals: number): bigint {
  const [integer = "0", fraction = ""] = rate.split(".");
  return (
    (units * BigInt(`${integer}${fraction}`) * 10n ** BigInt(toDecimals)) / 10n ** BigInt(fraction.length + decimals)
  );
}

/**
 * Rounds down to a minor unit.
 *
 * @param units minor units of a currency with `decimals` decimal places.
 * @param rate the price of one major unit of the result's currency, in the currency of the amount.
 */
export function divideByRate(units: bigint, decimals: number, rate: string, toDecimals: number): bigint {
  const [integer = "0", fraction = ""] = rate.split(".");
  return (
    (units * 10n ** BigInt(fraction.length + toDecimals)) / (BigInt(`${integer}${fraction}`) * 10n ** BigInt(decimals))
  );
}
