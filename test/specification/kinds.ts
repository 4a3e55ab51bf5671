/** The kinds of values that the interface specification distinguishes, typed by hand from it. */

/** A kind of value, by what it accepts and what it refuses. */
export const kinds = {
  string: { accepts: ["", "text", "42"], rejects: [1, true, null, {}] },
  externalUserId: { accepts: ["user-1", "42"], rejects: [1, null] },
  boolean: { accepts: [true, false], rejects: ["true", 1, null] },
  number: { accepts: [0.01, 250], rejects: ["0.01", null] },
  signedNumber: { accepts: [-12.5, 0.01, 250], rejects: ["-12.5", null] },
  negativeNumber: { accepts: [-12.5], rejects: [12.5, "-12.5", null] },
  decimal: { accepts: ["0.01500000", "250", "99.90"], rejects: [250, "1,50", "abc", "", "1.", null] },
  uuid: { accepts: ["5f0c2f5e-6f0d-4c55-9d3b-8f4f6f1f2a10"], rejects: ["5f0c2f5e", "", 5, null] },
  email: { accepts: ["a@mail.example"], rejects: ["a", "mail.example", 5, null] },
  digits: { accepts: ["447700900123"], rejects: ["+447700900123", "44 7700", 447700900123, null] },
  countryCode: { accepts: ["DE"], rejects: ["DEU", "D", "49", "", null] },
  date: { accepts: ["1991-07-23"], rejects: ["23.07.1991", "1991-7-23", "1991-13-01", "1991-07-23T00:00:00Z", null] },
  twoDigitMonth: { accepts: ["02", "12"], rejects: ["2", "13", "00", "002", "February"] },
  fourDigitYear: { accepts: ["2026"], rejects: ["26", "02026", "MMXX"] },
  lowercaseCode: { accepts: ["eur", "btc"], rejects: ["EUR", "Btc", "", null] },
  uppercaseCode: { accepts: ["BTC", "USDC"], rejects: ["btc", "Usdc", "", null] },
  utcWithMilliseconds: {
    accepts: ["2026-03-14T09:26:53.589Z"],
    rejects: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", "2026-03-14", 1773480413, null],
  },
  utcWithoutMilliseconds: {
    accepts: ["2026-03-14T09:26:53Z"],
    rejects: ["2026-03-14T09:26:53.589Z", "2026-03-14T10:26:53+01:00", "2026-03-14", null],
  },
  offsetWithoutMilliseconds: {
    accepts: ["2026-03-14T10:26:53+01:00", "2026-03-14T03:26:53-06:00"],
    rejects: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", null],
  },
  lastFourDigits: { accepts: ["4242", "0007"], rejects: ["242", "42424", 4242, null] },
  alwaysNull: { accepts: [null], rejects: [{}, "user-1", false] },
  externalUserIdOrNull: { accepts: ["user-2", null], rejects: [2, {}] },
  hashOrNothing: { accepts: ["9f2b7c"], rejects: [9, {}] },
  idCardOrPassport: { accepts: ["ID_CARD", "PASSPORT"], rejects: ["DRIVER_LICENSE", "passport", null] },
  anyString: { accepts: ["SUCCESSFUL", "something else"], rejects: [1, null] },
  file: { accepts: ["(bytes)"], rejects: [1, {}] },
} satisfies Record<string, { accepts: unknown[]; rejects: unknown[] }>;

export type Kind = keyof typeof kinds;
