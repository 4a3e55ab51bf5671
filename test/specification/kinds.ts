/**
 * The kinds of values in the interface specification, with permitted and excluded values. If a statement is ambiguous (letter case of a
 * code, sign of an amount, form of a UTC offset), a value is permitted if one interpretation permits it.
 */
import fc from "fast-check";

export interface KindOfValue {
  accepts: unknown[];
  rejects: unknown[];
  any?: fc.Arbitrary<unknown>;
}

const textMatching = (pattern: RegExp) => fc.stringMatching(pattern);
const timestamp = fc.date({ min: new Date("1970-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
const withoutMilliseconds = (date: Date) => date.toISOString().slice(0, 19);
const longText = "x".repeat(300);
const notStrings = [1, true, {}, [], null];

export const kinds = {
  string: { accepts: ["text", "42", "Ünal-O'Neil", "", longText], rejects: notStrings, any: fc.string() },
  // The identifier is used in paths, so the empty text is not tested.
  externalUserId: {
    accepts: ["user-1", "42", "a b/c", longText],
    rejects: notStrings,
    any: fc.string({ minLength: 1 }),
  },
  boolean: { accepts: [true, false], rejects: ["true", 1, null] },
  number: { accepts: [0, 0.00000001, 250, 1e12], rejects: ["0.01", null, {}], any: fc.double({ min: 0, noNaN: true }) },
  signedNumber: {
    accepts: [-12.5, 0.01, 250],
    rejects: ["-12.5", null],
    any: fc.double({ noNaN: true, noDefaultInfinity: true }),
  },
  negativeNumber: {
    accepts: [-12.5],
    rejects: [12.5, "-12.5", null],
    any: fc.double({ max: -1e-8, noNaN: true, noDefaultInfinity: true }),
  },
  decimal: {
    accepts: ["0.01500000", "250", "99.90", "-1.5", "0"],
    rejects: [250, "1,50", "abc", "", null],
    any: textMatching(/^-?\d{1,12}(\.\d{1,18})?$/),
  },
  uuid: {
    accepts: ["5f0c2f5e-6f0d-4c55-9d3b-8f4f6f1f2a10", "5F0C2F5E-6F0D-4C55-9D3B-8F4F6F1F2A10"],
    rejects: ["5f0c2f5e", "", 5, null],
    any: fc.uuid(),
  },
  email: { accepts: ["a@mail.example", "o'neil+1@mail.example"], rejects: ["a", "mail.example", 5, null] },
  digits: {
    accepts: ["447700900123"],
    rejects: ["+447700900123", "44 7700", 447700900123, null],
    any: textMatching(/^\d{8,15}$/),
  },
  countryCode: { accepts: ["DE", "gb"], rejects: ["DEU", "D", "49", "", null], any: textMatching(/^[A-Z]{2}$/) },
  date: {
    accepts: ["1991-07-23", "2031-05-31"],
    rejects: ["23.07.1991", "1991-7-23", "1991-13-01", "1991-07-23T00:00:00Z", null],
    any: timestamp.map((date) => date.toISOString().slice(0, 10)),
  },
  twoDigitMonth: {
    accepts: ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"],
    rejects: ["", "2", "13", "00", "002", "February"],
  },
  fourDigitYear: { accepts: ["2026", "1999"], rejects: ["26", "02026", "MMXX"], any: textMatching(/^20\d\d$/) },
  // The specification does not state the letter case of these codes.
  code: { accepts: ["btc", "BTC", "usdc"], rejects: notStrings, any: textMatching(/^([a-z]{3,5}|[A-Z]{3,5})$/) },
  lowercaseCode: { accepts: ["eur", "btc"], rejects: ["EUR", "Btc", 1, null], any: textMatching(/^[a-z]{3,5}$/) },
  uppercaseCode: { accepts: ["BTC", "USDC"], rejects: ["btc", "Usdc", 1, null], any: textMatching(/^[A-Z]{3,5}$/) },
  utcWithMilliseconds: {
    accepts: ["2026-03-14T09:26:53.589Z", "2026-03-14T09:26:53.589+00:00"],
    rejects: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", "2026-03-14", 1773480413, null],
    any: timestamp.map((date) => date.toISOString()),
  },
  utcWithoutMilliseconds: {
    accepts: ["2026-03-14T09:26:53Z", "2026-03-14T09:26:53+00:00"],
    rejects: ["2026-03-14T09:26:53.589Z", "2026-03-14T10:26:53+01:00", "2026-03-14", null],
    any: timestamp.map((date) => `${withoutMilliseconds(date)}Z`),
  },
  offsetWithoutMilliseconds: {
    accepts: [
      "2026-03-14T10:26:53+01:00",
      "2026-03-14T10:26:53+0100",
      "2026-03-14T10:26:53+01",
      "2026-03-14T03:26:53-06:00",
    ],
    rejects: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", "2026-03-14T09:26:53", null],
    any: timestamp.map((date) => `${withoutMilliseconds(date)}-03:30`),
  },
  iso8601: {
    accepts: ["2026-03-14T09:26:53Z", "2026-03-14T09:26:53.589Z", "2026-03-14T10:26:53+01:00"],
    rejects: [1773480413, null],
  },
  lastFourDigits: {
    accepts: ["4242", "0007"],
    rejects: ["242", "42424", "abcd", 4242, null],
    any: textMatching(/^\d{4}$/),
  },
  objectOrNull: { accepts: [null, {}, { externalUserId: "user-1" }], rejects: ["user-1", 1, false] },
  stringOrNull: { accepts: ["user-2", null], rejects: [2, {}] },
  idCardOrPassport: { accepts: ["ID_CARD", "PASSPORT"], rejects: ["DRIVER_LICENSE", "passport", "", null] },
  openSet: { accepts: ["a value of tomorrow", longText], rejects: notStrings, any: fc.string({ minLength: 1 }) },
  file: { accepts: ["(bytes)"], rejects: [] },
} satisfies Record<string, KindOfValue>;

export type Kind = keyof typeof kinds;

export function valuesOf(kind: Kind): fc.Arbitrary<unknown> {
  const { accepts, any }: KindOfValue = kinds[kind];
  const namedValues = fc.constantFrom(...accepts);
  return any === undefined ? namedValues : fc.oneof(namedValues, any);
}
