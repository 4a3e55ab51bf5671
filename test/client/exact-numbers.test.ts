/** Tests `exactNumbers` and `normalizeAmount` directly, without a client, for speed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactNumbers } from "../../scripts/client/src/exact/exact-numbers.ts";
import { rememberText } from "../../scripts/client/src/exact/remember-text.ts";
import { normalizeAmount } from "../../scripts/client/src/payments/matching.ts";
import { anyCharacter } from "./packed/any-character.ts";

interface Sample {
  text: string;
  expected: unknown;
}

/** The number `units` times 10 to the power of `exponent`. */
type ExactNumber = readonly [units: bigint, exponent: number];

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 25 });

const numbers: fc.Arbitrary<Sample> = fc
  .record({
    sign: fc.constantFrom("", "-"),
    integer: fc.oneof(
      fc.constant("0"),
      digits.map((text) => text.replace(/^0+/, "") || "0"),
    ),
    fraction: fc.option(digits),
    exponent: fc.option(fc.integer({ min: -1000, max: 1000 })),
    exponentLetter: fc.constantFrom("e", "E"),
    exponentPrefix: fc.constantFrom("", "+", "0", "+00"),
  })
  .map(({ sign, integer, fraction, exponent, exponentLetter, exponentPrefix }) => {
    const power =
      exponent === null ? "" : `${exponentLetter}${exponent < 0 ? exponent : `${exponentPrefix}${exponent}`}`;
    const text = `${sign}${integer}${fraction === null ? "" : `.${fraction}`}${power}`;
    const units = BigInt(`${sign}${integer}${fraction ?? ""}`);
    const expected = exponent === null ? text : [units, exponent - (fraction?.length ?? 0)];
    return { text, expected };
  });

const texts = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('"', "\\", "1", "e", "-", ".", ":", ",", "n", "\n", "u") }),
  fc.constantFrom("1e5", "-1.10", '{"amount":1.10}', "\\", '\\"', "\ud800", "__proto__"),
);

/** JSON strings, written as by JSON.stringify or with every UTF-16 code unit escaped. */
const strings: fc.Arbitrary<Sample> = fc
  .record({ value: texts, isEscaped: fc.boolean() })
  .map(({ value, isEscaped }) => ({
    text: isEscaped ? `"${value.split("").map(escapeOf).join("")}"` : JSON.stringify(value),
    expected: value,
  }));

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Object keys without backslashes: JSON.parse of Node 24 and 26 may return a wrong key after a key with an escaped backslash. */
const keys = strings.filter(({ expected }) => !String(expected).includes("\\"));

const literals: fc.Arbitrary<Sample> = fc
  .constantFrom(true, false, null)
  .map((value) => ({ text: String(value), expected: value }));

const whiteSpace = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 2 });

const { container } = fc.letrec<{ value: Sample; container: Sample }>((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, numbers, strings, literals, tie("container")),
  container: fc.oneof(
    fc.tuple(fc.array(tie("value")), whiteSpace).map(([items, space]) => ({
      text: `[${items.map(({ text }) => `${space}${text}${space}`).join(",")}]`,
      expected: items.map(({ expected }) => expected),
    })),
    fc
      .tuple(fc.uniqueArray(fc.tuple(keys, tie("value")), { selector: ([key]) => key.expected }), whiteSpace)
      .map(([entries, space]) => ({
        text: `{${entries.map(([key, { text }]) => `${space}${key.text}${space}:${space}${text}`).join(",")}${space}}`,
        expected: Object.fromEntries(entries.map(([key, { expected }]) => [key.expected, expected])),
      })),
  ),
}));

/** The first place where a value differs from the expected one; undefined if there is none. */
function differenceIn(actual: unknown, expected: unknown, place = ""): string | undefined {
  if (isExact(expected)) {
    if (typeof actual !== "string" || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(actual)) return `${place}: no decimal text`;
    const [integer = "", fraction = ""] = actual.split(".");
    return areEqual([BigInt(integer + fraction), -fraction.length], expected) ? undefined : `${place}: another number`;
  }
  if (typeof expected !== "object" || expected === null)
    return Object.is(actual, expected) ? undefined : `${place}: another value`;
  if (typeof actual !== "object" || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return `${place}: another kind of container`;
  if (JSON.stringify(Object.keys(actual)) !== JSON.stringify(Object.keys(expected))) return `${place}: other keys`;
  for (const [key, value] of Object.entries(expected)) {
    const difference = differenceIn((actual as Record<string, unknown>)[key], value, `${place}/${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const isExact = (value: unknown): value is ExactNumber => Array.isArray(value) && typeof value[0] === "bigint";

function areEqual(a: ExactNumber, b: ExactNumber): boolean {
  const smallerExponent = Math.min(a[1], b[1]);
  const [left, right] = [a, b].map(([units, exponent]) => units * 10n ** BigInt(exponent - smallerExponent));
  return left === right;
}

function readExactly(text: string): unknown {
  const data = JSON.parse(text) as object;
  rememberText(data, text);
  return exactNumbers(data);
}

describe("exactNumbers", () => {
  it("keeps the structure, the value of each number and each string of any JSON text", () => {
    fc.assert(
      // One assertion for each text, since thousands of them take longer than what they check.
      fc.property(container, ({ text, expected }) => {
        expect(differenceIn(readExactly(text), expected)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["1.10", "1.10"],
    ["1.10e1", "11.0"],
    ["1.0e-1", "0.10"],
    ["0.001e2", "0.1"],
    ["-0e0", "-0"],
    ["0e-3", "0.000"],
  ])("writes %s as %s", (number, decimalText) => {
    expect(readExactly(`{"amount":${number}}`)).toEqual({ amount: decimalText });
  });

  it("reads a list of items of several responses, some without a number", () => {
    const items = ['{"id":"1","amount":1.10}', '{"id":"2"}'].map((text) => {
      const item = JSON.parse(text) as object;
      rememberText(item, text);
      return item;
    });
    expect(exactNumbers(items)).toEqual([{ id: "1", amount: "1.10" }, items[1]]);
    expect(() => exactNumbers([...items, { amount: 1.1 }])).toThrow(TypeError);
  });
});

it("reads an amount of at most 15 characters from a JavaScript number as from its text", () => {
  const amount = fc
    .tuple(fc.constantFrom("", "-"), fc.nat({ max: 999_999 }).map(String), fc.option(digits))
    .map(([sign, integer, fraction]) => `${`${sign}${integer}${fraction === null ? "" : `.${fraction}`}`}`.slice(0, 15))
    .filter((text) => !text.endsWith(".") && Number(text) !== 0);
  const smallAmount = fc.stringMatching(/^-?0\.0{1,10}[0-9]{1,12}$/).map((text) => text.slice(0, 16));
  const isReadExactly = (text: string) => normalizeAmount(Number(text)) === normalizeAmount(text);
  fc.assert(
    fc.property(
      fc.oneof(
        amount,
        smallAmount.filter((text) => Number(text) !== 0),
      ),
      isReadExactly,
    ),
    { numRuns: 5_000 },
  );
});
