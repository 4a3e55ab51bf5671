import fc from "fast-check";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  type DecimalInput,
  exactNumbers,
  match,
  subtractDecimals,
  type TestPartnerClient,
  toDecimal,
  unwrap,
} from "partner-wallet-api";
import { parseWebhook } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";
import { clientWith, createdResponse, jsonResponse, recordingClient } from "./support.ts";

const transfer = { sourceExternalUserId: "user-1042", currency: "eur" };
const path = { externalUserId: "user-1042" };

const unsendableNumbers = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1 + 0.2, 1.1 * 3, 2 ** 53 + 2),
  fc.double({ noInteger: true }).filter((value) => value.toExponential().replace(/e.*|\D/g, "").length > 15),
);
const sendableValues = fc.oneof(
  fc.constantFrom(0, -0, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, 123456789012.345, 1e20),
  fc.maxSafeInteger(),
  fc.constantFrom(null, true, undefined, "null", ":null", '":0.30000000000000004', "12345678901234567890"),
  fc.string(),
);
/** JSON pointers escape `/` and `~`. */
const keys = fc.oneof(fc.constantFrom("a/b", "~", "~1", "", '"'), fc.string());
const wrappers = fc.constantFrom<(value: unknown) => unknown>(
  (value) => value,
  (value) => (typeof value === "number" ? Object(value) : value),
  (value) => ({ toJSON: () => value }),
);

describe("a number at any place of a body", () => {
  it("is refused with its JSON pointer if and only if JSON would change it", async () => {
    const place = fc.array(fc.oneof(keys, fc.nat(2)), { minLength: 1, maxLength: 4 });
    const body = fc.tuple(place, wrappers, fc.array(sendableValues), fc.option(unsendableNumbers));
    await fc.assert(
      fc.asyncProperty(body, async ([steps, wrap, others, number]) => {
        const value = steps.reduceRight<unknown>(
          (innerValue, key) =>
            typeof key === "number" ? [...Array(key).fill("x"), innerValue] : { [key]: innerValue },
          wrap(number ?? "none"),
        );
        const { client, sentRequests } = recordingClient();
        const { error } = await client.createTransfer({ body: { ...transfer, amount: 1, others, value } as never });
        const pointer = ["", "value", ...steps].map((key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1"));
        expect([sentRequests.length, error?.kind]).toEqual(number === null ? [1, undefined] : [0, "invalid-request"]);
        if (number !== null) expect(error?.message).toContain(`createTransfer: ${pointer.join("/")} `);
      }),
      { numRuns: 500 },
    );
  });

  it("is refused as an amount of a query; its value is not shown when it may be a document number", async () => {
    const client = clientWith(async () => createdResponse(), { edition: "test" }) as TestPartnerClient;
    for (const amount of [Number.NaN, 0.1 + 0.2, { toJSON: () => "1e-8" }]) {
      const { error } = await client.getOrderRates({ query: { currency: "btc", network: "btc", amount } as never });
      expect(error?.message).toMatch(/^getOrderRates: (amount is|The query parameter "amount" cannot be sent)/);
    }
    const { error } = await client.createTransfer({ body: { ...transfer, document: 2 ** 64 + 2 ** 12 } as never });
    expect(error?.message).toBe(
      "createTransfer: /document has more digits than a number can hold. Round it, or send a decimal string.",
    );
  });
});

describe("an amount", () => {
  it.each([
    [0.1 + 0.2, ", which has more digits than a number can hold. Round it, or send a decimal string."],
    [Number.NaN, ", which JSON cannot hold. Check where it is calculated."],
    [Number.NEGATIVE_INFINITY, ", which JSON cannot hold. Check where it is calculated."],
  ])("that is %s is refused with advice", async (amount, advice) => {
    const { client, sentRequests } = recordingClient();
    const { data, error } = await client.createTransfer({ body: { ...transfer, amount } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent", status: undefined });
    expect(error?.message).toBe(`createTransfer: /amount is ${amount}${advice}`);
    expect([data, sentRequests]).toEqual([undefined, []]);
  });

  it.each(["1e5", " 250 ", "250,00", "0x1F", "Infinity", "NaN", "", "+5", "1.", ".5", "1 000", "٣", "1\n"])(
    "that is no decimal number is refused: %j",
    async (amount) => {
      const { client, sentRequests } = recordingClient(createdResponse, { edition: "test" });
      const wrongAmount = amount as DecimalInput;
      const query = { currency: "btc", amount: wrongAmount };
      const results = [
        await client.createTransfer({ body: { ...transfer, amount: wrongAmount } }),
        await client.createOrderRateLock({ body: { currency: "btc", network: "btc", amount: wrongAmount } }),
        await (client as TestPartnerClient).getOrderRates({ query: query as never }),
      ];
      for (const { error } of results) {
        expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
        expect(error?.message).toContain('amount is not a decimal number such as "250.00"');
      }
      expect(sentRequests).toEqual([]);
    },
  );

  it.each([
    ["below zero", { ...transfer, amount: "-5" }],
    ["of zero", { ...transfer, amount: 0 }],
    ["of zero with places", { ...transfer, amount: "0.00" }],
    ["with an exponent", { ...transfer, amount: 1e-7 }],
    ["with leading zeros", { ...transfer, amount: "0010.50" }],
    ["that is a list", { ...transfer, amount: ["10"] }],
    ["that is a boolean", { ...transfer, amount: true }],
    ["that is null", { ...transfer, amount: null }],
    ["that is made by toJSON of the body", { toJSON: () => ({ ...transfer, amount: "1e5" }) }],
    ["in an object of String", { ...transfer, amount: new String("1e5") }],
  ])("%s is refused", async (_name, body) => {
    const { client, sentRequests } = recordingClient();
    const { error } = await client.createTransfer({ body: body as never });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain("amount");
    expect(sentRequests).toEqual([]);
  });

  it.each<[DecimalInput | number, string]>([
    ["250.00", '"250.00"'],
    ["99999999999999999999.99", '"99999999999999999999.99"'],
    [addDecimals(toDecimal("0.1"), toDecimal("0.2")), '"0.3"'],
    [12.5, "12.5"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ])("that is valid is sent unchanged: %s", async (amount, text) => {
    const { client, sentRequests } = recordingClient();
    expect((await client.createTransfer({ body: { ...transfer, amount } })).error).toBeUndefined();
    expect(await sentRequests[0]?.text()).toBe(
      `{"sourceExternalUserId":"user-1042","currency":"eur","amount":${text}}`,
    );
  });
});

/** Values in units of 10^-8. */
const amounts = fc
  .record({ negative: fc.boolean(), units: fc.bigInt(0n, 10n ** 24n), places: fc.constantFrom(0, 2, 6, 8) })
  .map(({ negative, units, places }) => {
    const digits = units.toString().padStart(places + 1, "0");
    const fraction = places === 0 ? "" : `.${digits.slice(-places)}`;
    const text = toDecimal(`${negative ? "-" : ""}${digits.slice(0, digits.length - places)}${fraction}`);
    return { text, value: (negative ? -units : units) * 10n ** BigInt(8 - places) };
  });

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
    expect(compareDecimals(toDecimal("1.10"), toDecimal("1.1"))).toBe(0);
  });

  it.each([
    ["1.10", "2", "3.10"],
    ["-0.5", "0.5", "0.0"],
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

describe("exactNumbers", () => {
  it("reads a text of 16 M characters", async () => {
    const longText = 'x"'.repeat(8_000_000);
    const text = `[{"label":${JSON.stringify(longText)},"rate":1.10}]`;
    const client = clientWith(async () => jsonResponse(200, text), { maxResponseBytes: 2 ** 26 });
    const [card] = exactNumbers(unwrap(await client.listUserCards({ path }))) as unknown as Record<string, unknown>[];
    expect(card?.label === longText).toBe(true);
    expect(card?.rate).toBe("1.10");
  });

  it("returns the original text of every number", async () => {
    const text =
      '[{"id":"1","amount":1.10,"note":"costs 5.50 \\"net\\"","nested":{"rate":12345678901234567.890,"exponent":-1e-7},"none":null}]';
    const client = clientWith(async () => jsonResponse(200, text));
    const cards = unwrap(await client.listUserCards({ path }));
    const nested = { rate: "12345678901234567.890", exponent: "-0.0000001" };
    expect(exactNumbers(cards)).toEqual([{ id: "1", amount: "1.10", note: 'costs 5.50 "net"', nested, none: null }]);
  });

  it("throws for a copy of received data, and for other data beside it", async () => {
    const client = clientWith(async () => jsonResponse(200, '[{"id":"1","amount":1.10}]'));
    const cards = unwrap(await client.listUserCards({ path }));
    expect(() => exactNumbers([{ ...cards[0] }])).toThrow(TypeError);
    for (const otherData of [{ rate: 1.1 }, 1.1]) expect(() => exactNumbers([...cards, otherData])).toThrow(TypeError);
    expect(() => exactNumbers(structuredClone(cards[0] as object))).toThrow(TypeError);
    // `exactNumbers` reads at most 100,000 parts.
    expect(() => exactNumbers([...Array.from({ length: 100_000 }, () => []), [1.1]])).toThrow(TypeError);
  });

  it("accepts any part of received data, also after reordering", async () => {
    const text = '[{"id":"1","fees":[{"fee":1.10},{"fee":2.20}]},{"id":"2","fees":[],"rate":3.30}]';
    const client = clientWith(async () => jsonResponse(200, text));
    const cards = unwrap(await client.listUserCards({ path })) as unknown as Record<string, object[]>[];
    const [first = {}, second = {}] = cards;
    const [, last = {}] = first.fees as object[];
    cards.reverse();
    first.fees?.reverse();
    expect(exactNumbers(second)).toEqual({ id: "2", fees: [], rate: "3.30" });
    expect(exactNumbers(last)).toEqual({ fee: "2.20" });
    expect(exactNumbers(first.fees as object[])).toEqual([{ fee: "1.10" }, { fee: "2.20" }]);
    expect(exactNumbers([last, second])).toEqual([{ fee: "2.20" }, { id: "2", fees: [], rate: "3.30" }]);
    const parseResult = parseWebhook("sepaDeposit", '{"id":"1","payer":{"limit":5.50}}');
    const { payer } = (parseResult as unknown as { event: { payer: object } }).event;
    expect(exactNumbers(payer)).toEqual({ limit: "5.50" });
  });

  it.each(["1e999999999", "1e1001", "1e-1001"])(
    "refuses the exponent of %s, which would exhaust the memory",
    async (rate) => {
      const client = clientWith(async () => jsonResponse(200, `[{"rate":${rate}}]`));
      const data = unwrap(await client.listUserCards({ path }));
      expect(() => exactNumbers(data)).toThrow(RangeError);
    },
  );

  it("writes out exponents up to 1000", async () => {
    const client = clientWith(async () => jsonResponse(200, '[{"rate":1e1000}]'));
    expect(exactNumbers(unwrap(await client.listUserCards({ path })))).toEqual([{ rate: `1${"0".repeat(1000)}` }]);
  });
});

it.each([
  ["SUCCESSFUL", "done"],
  ["otherwise", "not done: otherwise"],
  ["toString", "not done: toString"],
  [undefined, "not done: undefined"],
  [null, "not done: null"],
])("match calls the function of %s, or otherwise", (status, expected) => {
  const branches = {
    SUCCESSFUL: () => "done",
    otherwise: (value: string | null | undefined) => `not done: ${value}`,
  };
  expect(match(status as "SUCCESSFUL" | "FAILED" | (string & {}) | null | undefined, branches)).toBe(expected);
});
