/** Defects 6, 11 and 12: what is sent and what is read are the numbers that were meant. */
import {
  addDecimals,
  compareDecimals,
  createPartnerClient,
  type Decimal,
  type DecimalInput,
  exactNumbers,
  toDecimal,
  unwrap,
} from "partner-wallet-api";
import { createWebhookHandler, parseWebhook, testEvent, webhookPaths } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";

/** A client of a service that answers every call with this text, and what was sent to it. */
function connect(answer = '{"transferId":"7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63"}', status = 201) {
  const sent: { url: string; text: string }[] = [];
  const options = {
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey: "canary-key",
    fetch: async (request: Request) => {
      sent.push({ url: request.url, text: await request.text() });
      return new Response(answer, { status, headers: { "content-type": "application/json" } });
    },
  };
  return {
    client: createPartnerClient(options),
    testClient: createPartnerClient({ ...options, edition: "test" }),
    sent,
  };
}

const transfer = { sourceExternalUserId: "user-1042", currency: "eur" };
const limits = { externalUserId: "user-1042", cardId: "67164890-d49d-4ac1-a5b8-063831360a40" };
const path = { externalUserId: "user-1042" };

describe("a number that JSON cannot hold", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "6: is refused before anything is sent: %s",
    async (amount) => {
      const { client, sent } = connect();
      const { data, error } = await client.createTransfer({ body: { ...transfer, amount } });
      expect(sent).toEqual([]);
      expect(data).toBeUndefined();
      expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent", status: undefined });
      expect(error?.message).toContain(`/amount is ${amount}, which JSON cannot hold.`);
    },
  );

  it("6: is found wherever it stands", async () => {
    const { client, sent } = connect();
    const { error } = await client.updateCardLimits({
      body: { ...limits, dailyTrxAll: 100, dailyTrxAtm: 500 / 0 } as never,
    });
    expect(error?.message).toContain("/dailyTrxAtm is Infinity");
    const nested = { ...transfer, amount: 1, splits: [{ part: 0.5 }, { part: Number.NaN }] };
    expect((await client.createTransfer({ body: nested })).error?.message).toContain("/splits/1/part is NaN");
    expect(sent).toEqual([]);
  });

  it("6: is not mistaken for null, which is sent", async () => {
    const { client, sent } = connect();
    const body = { ...transfer, amount: 12.5, destinationExternalUserId: null as never, note: '":null,NaN' };
    expect((await client.createTransfer({ body })).error).toBeUndefined();
    expect(JSON.parse(sent[0]?.text ?? "")).toEqual(body);
  });
});

describe("an amount", () => {
  it("that is the result of floating point arithmetic is refused, and the message says what to do", async () => {
    const { client, sent } = connect();
    const { error } = await client.createTransfer({ body: { ...transfer, amount: 0.1 + 0.2 } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toBe(
      "createTransfer: /amount is 0.30000000000000004, which has more digits than a number can hold. Round it, or send a decimal string.",
    );
    expect(sent).toEqual([]);
  });

  it.each(["1e5", " 250 ", "250,00", "0x1F", "Infinity", "NaN", "", "+5", "1.", ".5"])(
    "that is no decimal number is refused: %j",
    async (amount) => {
      const { client, testClient, sent } = connect();
      const wrong = amount as DecimalInput;
      const query = { currency: "btc", amount: wrong };
      const results = [
        await client.createTransfer({ body: { ...transfer, amount: wrong } }),
        await client.createOrderRateLock({ body: { currency: "btc", network: "btc", amount: wrong } }),
        await testClient.getOrderRates({ query: query as never }),
      ];
      for (const { error } of results) {
        expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
        expect(error?.message).toContain('amount is not a decimal number such as "250.00"');
      }
      expect(sent).toEqual([]);
    },
  );

  it.each<[DecimalInput | number, string]>([
    ["250.00", '"250.00"'],
    ["99999999999999999999.99", '"99999999999999999999.99"'],
    ["-5", '"-5"'],
    [addDecimals(toDecimal("0.1"), toDecimal("0.2")), '"0.3"'],
    [12.5, "12.5"],
    [0, "0"],
    [1e-7, "1e-7"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ])("that can be sent is sent as it is: %s", async (amount, text) => {
    const { client, sent } = connect();
    expect((await client.createTransfer({ body: { ...transfer, amount } })).error).toBeUndefined();
    expect(sent[0]?.text).toBe(`{"sourceExternalUserId":"user-1042","currency":"eur","amount":${text}}`);
  });
});

describe("toDecimal", () => {
  it.each([0.1 + 0.2, 5, 5n, null, undefined])("11: refuses %s, which is no string", (value) => {
    expect(() => toDecimal(value as unknown as string)).toThrow(TypeError);
  });
});

describe("exactNumbers", () => {
  it("11: writes exponents out, so that the helpers take every number", async () => {
    const text =
      '{"lockId":"a3f7e9d0-4b62-48c1-95ae-1d0c8b6f2e73","rate":6E+4,"amount":1e-8,"expiresAt":"2026-03-09T10:45:30Z","cryptocurrency":"btc","network":"btc"}';
    const { client } = connect(text);
    const body = { currency: "btc", amount: "250.00", network: "btc" } as const;
    const lock = exactNumbers(unwrap(await client.createOrderRateLock({ body })));
    expect([lock.rate, lock.amount, lock.expiresAt]).toEqual(["60000", "0.00000001", "2026-03-09T10:45:30Z"]);
    expect(addDecimals(lock.amount, toDecimal("1"))).toBe("1.00000001");
    expect(compareDecimals(lock.rate, toDecimal("60000.00"))).toBe(0);
  });

  it("11: reads texts of 16 M characters", async () => {
    const long = 'x"'.repeat(8_000_000);
    const { client } = connect(`[{"label":${JSON.stringify(long)},"rate":1.10}]`, 200);
    const [card] = exactNumbers(unwrap(await client.listUserCards({ path }))) as unknown as Record<string, unknown>[];
    expect(card?.label === long).toBe(true);
    expect(card?.rate).toBe("1.10");
  });

  it("11: refuses an exponent that would fill the memory", async () => {
    const { client } = connect('[{"rate":1e999999999}]', 200);
    const data = unwrap(await client.listUserCards({ path }));
    expect(() => exactNumbers(data)).toThrow(RangeError);
  });

  it("12: gives the amounts of a webhook event as they were sent", async () => {
    const seen: (string | Decimal | null | undefined)[] = [];
    const handle = createWebhookHandler({
      authorization: "Bearer canary-token",
      on: {
        cryptoWithdrawal: (event) => {
          seen.push(exactNumbers(event).amount, exactNumbers(event).id);
        },
      },
      otherwise: "reject",
      nonconforming: "reject",
    });
    const url = `https://partner.example${webhookPaths.cryptoWithdrawal}`;
    const headers = { authorization: "Bearer canary-token", "content-type": "application/json" };
    const event = testEvent("cryptoWithdrawal");
    const text = JSON.stringify(event).replace(/"amount":[^,]*/, '"amount":12345678901234567.890');
    const { status } = await handle(new Request(url, { method: "POST", headers, body: text }));
    expect([status, seen]).toEqual([200, ["12345678901234567.890", event.id]]);
  });

  it("12: gives the amounts of an event that parseWebhook parsed", () => {
    const text = JSON.stringify(testEvent("cryptoWithdrawal")).replace(/"fee":[^,]*/, '"fee":4e-8');
    const parsed = parseWebhook("cryptoWithdrawal", text);
    expect(parsed.ok && exactNumbers(parsed.event).fee).toBe("0.00000004");
  });
});
