/**
 * The kinds of values in the interface specification, with permitted and excluded values. If a statement is ambiguous (letter case of a
 * code, sign of an amount, form of a UTC offset), a value is permitted if one interpretation permits it.
 */
import fc from "fast-check";

export interface KindOfValue {
  validValues: unknown[];
  invalidValues: unknown[];
  arbitrary?: fc.Arbitrary<unknown>;
}

const textMatching = (pattern: RegExp) => fc.stringMatching(pattern);
const timestamp = fc.date({ min: new Date("1970-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
const withoutMilliseconds = (date: Date) => date.toISOString().slice(0, 19);
const longText = "x".repeat(300);
const notStrings = [1, true, {}, [], null];

export const kinds = {
  string: {
    validValues: ["text", "42", "Ünal-O'Neil", "", longText],
    invalidValues: notStrings,
    arbitrary: fc.string(),
  },
  // The identifier is used in paths, so the empty text is not tested.
  externalUserId: {
    validValues: ["user-1", "42", "a b/c", longText],
    invalidValues: notStrings,
    arbitrary: fc.string({ minLength: 1 }),
  },
  boolean: { validValues: [true, false], invalidValues: ["true", 1, null] },
  number: {
    validValues: [0, 0.00000001, 250, 1e12],
    invalidValues: ["0.01", null, {}],
    arbitrary: fc.double({ min: 0, noNaN: true }),
  },
  signedNumber: {
    validValues: [-12.5, 0.01, 250],
    invalidValues: ["-12.5", null],
    arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }),
  },
  negativeNumber: {
    validValues: [-12.5],
    invalidValues: [12.5, "-12.5", null],
    arbitrary: fc.double({ max: -1e-8, noNaN: true, noDefaultInfinity: true }),
  },
  decimal: {
    validValues: ["0.01500000", "250", "99.90", "-1.5", "0"],
    invalidValues: [250, "1,50", "abc", "", null],
    arbitrary: textMatching(/^-?\d{1,12}(\.\d{1,18})?$/),
  },
  uuid: {
    validValues: ["5f0c2f5e-6f0d-4c55-9d3b-8f4f6f1f2a10", "5F0C2F5E-6F0D-4C55-9D3B-8F4F6F1F2A10"],
    invalidValues: ["5f0c2f5e", "", 5, null],
    arbitrary: fc.uuid(),
  },
  email: { validValues: ["a@mail.example", "o'neil+1@mail.example"], invalidValues: ["a", "mail.example", 5, null] },
  digits: {
    validValues: ["447700900123"],
    invalidValues: ["+447700900123", "44 7700", 447700900123, null],
    arbitrary: textMatching(/^\d{8,15}$/),
  },
  countryCode: {
    validValues: ["DE", "gb"],
    invalidValues: ["DEU", "D", "49", "", null],
    arbitrary: textMatching(/^[A-Z]{2}$/),
  },
  date: {
    validValues: ["1991-07-23", "2031-05-31"],
    invalidValues: ["23.07.1991", "1991-7-23", "1991-13-01", "1991-07-23T00:00:00Z", null],
    arbitrary: timestamp.map((date) => date.toISOString().slice(0, 10)),
  },
  twoDigitMonth: {
    validValues: ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"],
    invalidValues: ["", "2", "13", "00", "002", "February"],
  },
  fourDigitYear: {
    validValues: ["2026", "1999"],
    invalidValues: ["26", "02026", "MMXX"],
    arbitrary: textMatching(/^20\d\d$/),
  },
  // The specification does not state the letter case of these codes.
  code: {
    validValues: ["btc", "BTC", "usdc"],
    invalidValues: notStrings,
    arbitrary: textMatching(/^([a-z]{3,5}|[A-Z]{3,5})$/),
  },
  lowercaseCode: {
    validValues: ["eur", "btc"],
    invalidValues: ["EUR", "Btc", 1, null],
    arbitrary: textMatching(/^[a-z]{3,5}$/),
  },
  uppercaseCode: {
    validValues: ["BTC", "USDC"],
    invalidValues: ["btc", "Usdc", 1, null],
    arbitrary: textMatching(/^[A-Z]{3,5}$/),
  },
  utcWithMilliseconds: {
    validValues: ["2026-03-14T09:26:53.589Z", "2026-03-14T09:26:53.589+00:00"],
    invalidValues: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", "2026-03-14", 1773480413, null],
    arbitrary: timestamp.map((date) => date.toISOString()),
  },
  utcWithoutMilliseconds: {
    validValues: ["2026-03-14T09:26:53Z", "2026-03-14T09:26:53+00:00"],
    invalidValues: ["2026-03-14T09:26:53.589Z", "2026-03-14T10:26:53+01:00", "2026-03-14", null],
    arbitrary: timestamp.map((date) => `${withoutMilliseconds(date)}Z`),
  },
  offsetWithoutMilliseconds: {
    validValues: [
      "2026-03-14T10:26:53+01:00",
      "2026-03-14T10:26:53+0100",
      "2026-03-14T10:26:53+01",
      "2026-03-14T03:26:53-06:00",
    ],
    invalidValues: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", "2026-03-14T09:26:53", null],
    arbitrary: timestamp.map((date) => `${withoutMilliseconds(date)}-03:30`),
  },
  iso8601: {
    validValues: ["2026-03-14T09:26:53Z", "2026-03-14T09:26:53.589Z", "2026-03-14T10:26:53+01:00"],
    invalidValues: [1773480413, null],
  },
  lastFourDigits: {
    validValues: ["4242", "0007"],
    invalidValues: ["242", "42424", "abcd", 4242, null],
    arbitrary: textMatching(/^\d{4}$/),
  },
  objectOrNull: { validValues: [null, {}, { externalUserId: "user-1" }], invalidValues: ["user-1", 1, false] },
  stringOrNull: { validValues: ["user-2", null], invalidValues: [2, {}] },
  idCardOrPassport: { validValues: ["ID_CARD", "PASSPORT"], invalidValues: ["DRIVER_LICENSE", "passport", "", null] },
  openSet: {
    validValues: ["a value of tomorrow", longText],
    invalidValues: notStrings,
    arbitrary: fc.string({ minLength: 1 }),
  },
  file: { validValues: ["(bytes)"], invalidValues: [] },
} satisfies Record<string, KindOfValue>;

export type Kind = keyof typeof kinds;

export function valuesOf(kind: Kind): fc.Arbitrary<unknown> {
  const { validValues, arbitrary }: KindOfValue = kinds[kind];
  const namedValues = fc.constantFrom(...validValues);
  return arbitrary === undefined ? namedValues : fc.oneof(namedValues, arbitrary);
}
