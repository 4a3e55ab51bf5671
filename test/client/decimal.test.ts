import fc from "fast-check";
import { addDecimals, compareDecimals, type Decimal, subtractDecimals, toDecimal } from "partner-wallet-api";
import { describe, expect, it } from "vitest";

/** An amount together with its value in units of 10^-8. */
const amounts = fc
  .record({ negative: fc.boolean(), units: fc.bigInt(0n, 10n ** 24n), places: fc.constantFrom(0, 2, 6, 8) })
  .map(({ negative, units, places }) => {
    const digits = units.toString().padStart(places + 1, "0");
    const fraction = places === 0 ? "" : `.${digits.slice(-places)}`;
    const text = toDecimal(`${negative ? "-" : ""}${digits.slice(0, digits.length - places)}${fraction}`);
    return { text, value: (negative ? -units : units) * 10n ** BigInt(8 - places) };
  });

/** The value of an amount in units of 10^-8, by another way than the code under test. */
function unitsOf(amount: Decimal): bigint {
  const [integer = "", fraction = ""] = amount.replace("-", "").split(".");
  const value = BigInt(integer) * 10n ** 8n + BigInt(fraction.padEnd(8, "0"));
  return amount.startsWith("-") ? -value : value;
}

describe("decimals", () => {
  it("are added and subtracted exactly", () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        expect(unitsOf(addDecimals(a.text, b.text))).toBe(a.value + b.value);
        expect(unitsOf(subtractDecimals(a.text, b.text))).toBe(a.value - b.value);
      }),
    );
  });

  it("are compared by value", () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        expect(compareDecimals(a.text, b.text)).toBe(a.value < b.value ? -1 : a.value > b.value ? 1 : 0);
      }),
    );
  });

  it.each([
    ["0.1", "0.2", "0.3"],
    ["1.10", "2", "3.10"],
    ["-0.5", "0.5", "0.0"],
    ["99999999999999999999.99", "0.01", "100000000000000000000.00"],
    ["-1", "0.25", "-0.75"],
  ])("%s + %s = %s", (a, b, sum) => {
    expect(addDecimals(toDecimal(a), toDecimal(b))).toBe(sum);
  });

  it.each(["", "1,5", "1e3", "+1", " 1", "1.", ".5", "NaN", "0x1", "１", "1\n"])("refuse %j", (text) => {
    expect(() => toDecimal(text)).toThrow(TypeError);
    expect(() => addDecimals(text as Decimal, toDecimal("1"))).toThrow(TypeError);
  });

  it.each([0.1 + 0.2, 5, 5n, null, undefined, ["1"], new String("1"), { toString: () => "1" }])(
    "refuse %o, which is no string",
    (value) => {
      const problem = /^A decimal number must be a string such as "250.00"\. Got a/;
      expect(() => toDecimal(value as string)).toThrow(problem);
      expect(() => compareDecimals(toDecimal("1"), value as Decimal)).toThrow(problem);
    },
  );
});
