import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toDecimalText, toUnits } from "../../../scripts/mock/kernel/money.ts";

describe("toUnits", () => {
  it.each([
    ["0", 2, 0n],
    ["-0", 2, 0n],
    ["250.00", 2, 25_000n],
    ["1e2", 2, 10_000n],
    ["1e-7", 8, 10n],
    ["-12.50", 2, -1_250n],
    ["1.500", 2, 150n],
    ["100e-3", 2, 10n],
    ["12345678901234567.89", 2, 1_234_567_890_123_456_789n],
    ["9".repeat(30), 0, 10n ** 30n - 1n],
    [`1.${"0".repeat(59)}`, 2, 100n],
    ["0e30", 2, 0n],
  ])("reads %s with %i places", (text, decimals, units) => {
    expect(toUnits(text, decimals)).toBe(units);
  });

  it.each([
    ["1e-7", 2],
    ["0.001", 2],
    ["1e400", 2],
    ["1e-400", 2],
    ["9".repeat(31), 0],
    [`1.${"0".repeat(60)}`, 2],
    ["0e31", 2],
    ["", 2],
    ["Infinity", 2],
    ["1,5", 2],
    [" 1", 2],
    ["1.", 2],
    [".5", 2],
  ])("refuses %s with %i places", (text, decimals) => {
    expect(() => toUnits(text, decimals)).toThrow(RangeError);
  });

  it("inverts toDecimalText", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
        fc.integer({ min: 0, max: 18 }),
        (units, decimals) => {
          expect(toUnits(toDecimalText(units, decimals), decimals)).toBe(units);
        },
      ),
    );
  });

  it("never converts a text to a different amount", () => {
    const decimal = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: -12, max: 12 }),
    );
    fc.assert(
      fc.property(decimal, ([mantissa, places, exponent]) => {
        const text = `${toDecimalText(mantissa, places)}e${exponent}`;
        // mantissa × 10^(exponent − places), in units of 10^-8.
        const shift = exponent - places + 8;
        const exactUnits =
          shift >= 0
            ? mantissa * 10n ** BigInt(shift)
            : mantissa % 10n ** BigInt(-shift) === 0n
              ? mantissa / 10n ** BigInt(-shift)
              : undefined;
        if (exactUnits === undefined) expect(() => toUnits(text, 8)).toThrow(RangeError);
        else if (exactUnits.toString().length <= 30) expect(toUnits(text, 8)).toBe(exactUnits);
      }),
    );
  });
});
