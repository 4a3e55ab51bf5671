/** Which numbers a call refuses to send, on the functions of the runtime: a call would add nothing but time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMalformedAmount, findUnsendableNumber } from "../../scripts/client/runtime/amounts.ts";

/** The digits of a number without leading zeros, by another way than the code under test. */
function significantDigits(value: number): number {
  return value.toExponential().replace(/e.*|\D/g, "").length;
}

function isUnsendable(value: number): boolean {
  return !Number.isFinite(value) || (significantDigits(value) > 15 && !Number.isSafeInteger(value));
}

const badNumbers = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1 + 0.2, 1.1 * 3, 2 ** 53 + 2),
  fc.double().filter(isUnsendable),
);
const goodNumbers = fc.oneof(
  fc.constantFrom(0, -0, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, 123456789012.345, 1e20),
  fc.maxSafeInteger(),
  fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 8 })).map(([units, places]) => {
    return Number((Math.trunc(units / 100) / 10 ** places).toPrecision(15));
  }),
);
const otherValues = fc.oneof(
  fc.constantFrom(null, true, undefined, "null", ":null", '":0.30000000000000004', "12345678901234567890"),
  fc.string(),
  fc.constant(() => Number.NaN),
);
/** Keys that a JSON pointer must escape among them. */
const keys = fc.oneof(fc.constantFrom("amount", "a/b", "~", "~1", "", "__proto__", '"'), fc.string());

/** Wraps a value so that JSON.stringify still sends it. */
const wraps: fc.Arbitrary<(value: unknown) => unknown> = fc.constantFrom(
  (value) => value,
  (value) => (typeof value === "number" ? Object(value) : value),
  (value) => ({ toJSON: () => value }),
);

function bodiesOf(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const wrapped = fc.tuple(wraps, leaf).map(([wrap, value]) => wrap(value));
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      wrapped,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.tuple(keys, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).value;
}

/** Every number that JSON.stringify sends of a body, or would send if it were finite. */
function sentNumbers(value: unknown, key = ""): number[] {
  const { toJSON } = (value ?? {}) as { toJSON?: unknown };
  const sent: unknown = typeof toJSON === "function" ? toJSON.call(value, key) : value;
  if (typeof sent === "number" || sent instanceof Number) return [Number(sent)];
  if (typeof sent !== "object" || sent === null) return [];
  return Object.entries(sent).flatMap(([name, item]) => sentNumbers(item, name));
}

/** What stands at a JSON pointer (RFC 6901). */
function at(pointer: string, document: unknown): unknown {
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((value, name) => (value as Record<string, unknown>)[name], document);
}

function find(body: unknown): string | undefined {
  return findUnsendableNumber(body, JSON.stringify(body));
}

describe("findUnsendableNumber", () => {
  it("finds a number exactly where JSON.stringify sends null for it, or more than 15 digits", () => {
    const bodies = bodiesOf(
      fc.oneof({ arbitrary: badNumbers, weight: 1 }, { arbitrary: goodNumbers, weight: 3 }, otherValues),
    );
    fc.assert(
      fc.property(
        bodies.filter((body) => JSON.stringify(body) !== undefined),
        (body) => {
          const problem = find(body);
          const first = sentNumbers(body).find(isUnsendable);
          expect(problem !== undefined).toBe(first !== undefined);
          if (problem === undefined || first === undefined) return;
          const [, pointer = ""] = /^(.*?)(?: is -?[\dNI]| has more digits)/s.exec(problem) ?? [];
          const sent = at(pointer === "The body" ? "" : pointer, JSON.parse(JSON.stringify(body)));
          expect(sent).toBe(Number.isFinite(first) ? first : null);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [
      { amount: 0.1 + 0.2 },
      "/amount is 0.30000000000000004, which has more digits than a number can hold. Round it, or send a decimal string.",
    ],
    [
      { limits: [{ "a/b": Number.NaN }] },
      "/limits/0/a~1b is NaN, which JSON cannot hold. Check where it is calculated.",
    ],
    [[1, -1 / 0], "/1 is -Infinity, which JSON cannot hold. Check where it is calculated."],
    [Number.NaN, "The body is NaN, which JSON cannot hold. Check where it is calculated."],
    [
      { documentNumber: 2 ** 64 + 2 ** 12 },
      "/documentNumber has more digits than a number can hold. Round it, or send a decimal string.",
    ],
  ])("says what is wrong with %o", (body, problem) => {
    expect(find(body)).toBe(problem);
  });

  it("reads a usual body only as text", () => {
    const body = { amount: 12.5, title: "Invoice 2026, 17", externalUserId: "user-1042", flag: true };
    const text = JSON.stringify(body);
    let reads = 0;
    const watched = new Proxy(body, { ownKeys: (target) => [reads++, Reflect.ownKeys(target)][1] as string[] });
    expect(findUnsendableNumber(watched, text)).toBeUndefined();
    expect(reads).toBe(0);
    expect(findUnsendableNumber(watched, '{"amount":null}')).toBeUndefined();
    expect(reads).toBe(1);
  });
});

describe("findMalformedAmount", () => {
  const names = ["amount"];

  it.each(["1e5", " 250 ", "250,00", "0x1F", "Infinity", "", "+1", ".5", "1.", "1 000", "٣", "1\n"])(
    "refuses %j",
    (amount) => {
      expect(findMalformedAmount(names, { amount })).toMatch(/^amount is not a decimal number such as "250.00"/);
    },
  );

  it.each([Number.NaN, 0.1 + 0.2])("refuses the number %s, which a query holds as text", (amount) => {
    expect(findMalformedAmount(names, { amount })).toMatch(/^amount is /);
  });

  it("refuses what an object of a decimal library is sent as", () => {
    expect(findMalformedAmount(names, { amount: { toJSON: () => "1e-8" } })).toMatch(/^amount is not/);
    expect(findMalformedAmount(names, { amount: { toJSON: () => "0.00000001" } })).toBeUndefined();
  });

  it.each([
    { amount: "250.00" },
    { amount: "-1" },
    { amount: 1e-7 },
    { rate: "1e5" },
    {},
    { amount: null },
    null,
    "1e5",
    5,
  ])("lets %o pass", (values) => {
    expect(findMalformedAmount(names, values)).toBeUndefined();
  });
});
