import { inspect } from "node:util";
import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import type { ClientOptions, LogEvent, PartnerApiError } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { clientWith, type Fetch, makeThrower } from "./support.ts";

const apiKey = "canary-key-5f2a";
const mask = "[redacted]";
const path = { externalUserId: "user-1042" };

async function failWith(fetch: Fetch, body: object = {}, options: Partial<ClientOptions> = {}) {
  const wallet = clientWith(fetch, { apiKey, ...options });
  const { error } = await wallet.createUserAccount({ body: { ...path, ...body } as never });
  if (error === undefined) throw new Error("The call succeeded.");
  return error;
}

async function redact(text: string, body: object = {}, options: Partial<ClientOptions> = {}) {
  const respondWithPage = async () => new Response(text, { status: 500, headers: { "content-type": "text/html" } });
  return (await failWith(respondWithPage, body, options)).body ?? "";
}

const rejectWith = (cause: unknown) => () => Promise.reject(cause);

function textsOf(error: PartnerApiError): string {
  const causes: (Error | undefined)[] = [];
  for (let { cause } = error; cause !== undefined; cause = (cause as Error).cause) causes.push(cause as Error);
  return [
    String(error),
    error.stack,
    error.errorMessage,
    error.body,
    JSON.stringify([error, causes]),
    inspect([error, causes], { depth: 20, showHidden: true, maxArrayLength: null }),
    ...causes.map((cause) => `${cause} ${cause?.stack}`),
  ].join("\n");
}

const jsonContent = (text: string) => JSON.stringify(text).slice(1, -1);
const encoders: Record<string, (text: string) => string> = {
  "plain text": (text) => text,
  JSON: jsonContent,
  "a URI component": encodeURIComponent,
};

const character = fc.constantFrom(...("aZ059 \"'\\/<>&;#%+=@.-_:,{}\n\tßöÖéŁж李😀u".match(/./gsu) as string[]));
const anyText = fc.oneof(fc.string({ unit: character, maxLength: 80 }), fc.string({ unit: "grapheme", maxLength: 40 }));
const longValue = fc
  .oneof(fc.string({ unit: character, minLength: 4, maxLength: 90 }), fc.string({ unit: "grapheme", minLength: 4 }))
  .filter((value) => value.trim().length >= 4 && !/[\ud800-\udfff[\]]/u.test(value) && !mask.includes(value.trim()));

describe("a sent value of at least 4 characters", () => {
  it.each(Object.entries(encoders))("is removed from a text that contains it as %s", async (_name, encode) => {
    await fc.assert(
      fc.asyncProperty(longValue, anyText, anyText, async (value, prefix, suffix) => {
        const encodedValue = encode(value.trim());
        const shownText = await redact(prefix + encodedValue + suffix, { lastName: value });
        expect(shownText).not.toContain(encodedValue);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["a card number in groups", "4242424242424242", "card 4242 4242 4242 4242 refused", "card [redacted] refused"],
    ["a card number with hyphens", "4242424242424242", "4242-4242-4242-4242", mask],
    ["an IBAN in groups", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00.", "[redacted]."],
    ["a number", 1234567, "no 1234567!", "no [redacted]!"],
    ["four characters", "Ost1", "for Ost1.", "for [redacted]."],
    ["blanks around it", "  Lena Vogel\n", "for Lena Vogel.", "for [redacted]."],
    ["brackets in it", "a[b]c", "x a[b]c y", "x [redacted] y"],
    ["characters of an expression in it", "(a+)+$", "x (a+)+$ y", "x [redacted] y"],
    ["a text of a mask", "redacted", "for redacted", "for [redacted]"],
  ])("is removed as %s", async (_name, lastName, text, expected) => {
    expect(await redact(text, { lastName })).toBe(expected);
  });

  it("is removed at any depth below a sensitive name, and nowhere else; the longest match first", async () => {
    const body = {
      reference: "Groceries",
      files: [{ name: "lena.png" }],
      wallet: { of: ["Vogel"] },
      lastName: "Vogel Ost",
    };
    expect(await redact("Groceries, lena.png, Vogel Ost and Vogel", body)).toBe(
      "Groceries, [redacted], [redacted] and [redacted]",
    );
  });

  it.each([1_024, 1_025, 5_000, 1_000_000])("is removed when it has %i characters", async (length) => {
    const street = "Straße ".repeat(length).slice(0, length);
    expect(await redact(`before ${street}`, { street })).not.toContain("Straße");
  });
});

describe("a sent value of less than 4 characters", () => {
  it.each([
    ['{"number": 45}', '{"number": "[redacted]"}'],
    ["DENIED for DE at 10:45", "DENIED for DE at 10:45"],
    [
      '{"nationality": "DE", "number":45, "status": 45',
      '{"nationality": "[redacted]", "number":"[redacted]", "status": 45',
    ],
  ])("is removed only as the value of a member with its name: %s", async (text, expected) => {
    expect(await redact(text, { number: "45", country: "DE" })).toBe(expected);
  });

  it.each(["2026-03-09T10:45:30.000Z", "2026-03-09T10:45:30+01:00"])(
    "leaves code, message and timestamp of an error unchanged: %s",
    async (timestamp) => {
      const body = { errorCode: "P403", errorMessage: "User DE exists since 45 days", timestamp };
      const fields = { number: "45", city: "2026", postCode: "30.000", firstName: "P40", country: "DE" };
      const error = await failWith(async () => Response.json(body, { status: 400 }), fields);
      expect(error).toMatchObject(body);
      expect(error.message).toContain("400 P403");
    },
  );
});

it("values of headers are removed, except those that only describe the message", async () => {
  const headers = {
    authorization: "Bearer abc-DEF-123",
    cookie: "a=1; theme=dark-42; pin=12345678; session=s3ss10n1d",
    "x-request-id": "request-42",
  };
  const onRequest = (attempt: { headers: Headers }) => attempt.headers.set("x-signature", "c2lnbmF0dXJl");
  const text =
    "Bearer abc-DEF-123, abc-DEF-123, 12345678, dark-42, c2lnbmF0dXJl= of request-42 with application/json; Bearer";
  expect(await redact(text, {}, { headers, onRequest })).toBe(
    "[redacted], [redacted], [redacted], dark-42, [redacted]= of request-42 with application/json; Bearer",
  );
});

it.each([
  ["a card number in groups", "card 4111 1111 1111 1111, of 2026", "card [redacted], of 2026"],
  ["a card number with hyphens", "no 4111-1111-1111-1111.", "no [redacted]."],
  ["an IBAN", "of DE89370400440532013000, or GB33 BUKB 2020 1555 5555 55!", "of [redacted], or [redacted]!"],
  ["the id of a record", "of 4b1c9a52-3f0e-4111-9111-123456789012", "of 4b1c9a52-3f0e-4111-9111-123456789012"],
  ["an amount", '"balance": 41111111111111.11', '"balance": 41111111111111.11'],
])("a text with %s that was not sent is redacted as expected", async (_name, text, expected) => {
  const { errorMessage } = await failWith(async () =>
    Response.json({ errorCode: "P403", errorMessage: text }, { status: 400 }),
  );
  expect([await redact(text), errorMessage]).toEqual([expected, expected]);
});

it("the API key is removed everywhere", async () => {
  expect(await redact(`with ${apiKey}x`)).toBe("with [redacted]x");
});

describe("a JSON member with a sensitive name", () => {
  it.each([
    ['{"email":["a@mail.example",{"b":"]"}],"id":1}', '{"email":"[redacted]","id":1}'],
    ['{"iban":{"value":"DE89","x":[1,"}"]},"id":1}', '{"iban":"[redacted]","id":1}'],
    ['{"cvv": 918 , "id":1}', '{"cvv": "[redacted]" , "id":1}'],
    ['{"Email":"a","IBAN" : "b"}', '{"Email":"[redacted]","IBAN" : "[redacted]"}'],
    ['{"email":"a\\"b\\\\","id":"c"}', '{"email":"[redacted]","id":"c"}'],
    ['{"email":"", "pin":""}', '{"email":"[redacted]", "pin":"[redacted]"}'],
    ['{"email":null,"pin":true}', '{"email":null,"pin":true}'],
    ['{"userEmail":"a"}', '{"userEmail":"a"}'],
    [
      '{"detail":"{\\"email\\":\\"a\\\\\\"b\\",\\"iban\\":[\\"c\\"],\\"id\\":1}","id":2}',
      '{"detail":"{\\"email\\":\\"[redacted]\\",\\"iban\\":\\"[redacted]\\",\\"id\\":1}","id":2}',
    ],
  ])("loses its value: %s", async (text, expected) => {
    expect(await redact(text)).toBe(expected);
  });

  it("is redacted whatever its value and wherever the JSON is cut off, and complete JSON stays valid", async () => {
    // "Canarina" cannot occur by chance or as part of another value.
    const value = fc.jsonValue({ maxDepth: 2 }).map((json) => ({ json, canary: "Canarina" }));
    const member = fc.tuple(fc.constantFrom("email", "iban", "cvv", "phone", "lastName"), value);
    const wrappers = [(text: string) => text, (text: string) => JSON.stringify({ detail: JSON.stringify([text]) })];
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...wrappers),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (members, wrap, keptRatio) => {
          const json = JSON.stringify({ id: 1, list: members.map(([name, value]) => ({ [name]: value })) });
          const text = wrap(json);
          fc.pre(text.length < 2_000);
          for (const shownText of [text, text.slice(0, Math.ceil(text.length * keptRatio))]) {
            expect(await redact(shownText)).not.toContain("Canar");
          }
          expect(JSON.parse(await redact(json))).toMatchObject({ id: 1 });
        },
      ),
    );
  });
});

describe("redaction of hostile input", () => {
  const size = 1_000_000;
  it.each([
    ["backslashes behind a name", `"email${"\\".repeat(size)}`, "a person"],
    ["blanks behind a name", `"email"${" ".repeat(size)}`, "a person"],
    ["members", '"email":1,'.repeat(size / 10), "a person"],
    ["a string without an end", `"email":"${"a".repeat(size)}`, "a person"],
    ["arrays without an end in members", '"email":["'.repeat(size / 10), "a person"],
    ["the beginning of a value", "a".repeat(size), `${"a".repeat(500)}!`],
    ["the beginning of a value with backslashes", '\\\\\\"'.repeat(size / 4), `${'\\"'.repeat(100)}!`],
    ["numbers of cards", "4111-1111-1111-1112-".repeat(size / 20), "4111"],
    ["IBANs", "DE89 3704 ".repeat(size / 10), "DE89"],
  ])("takes less than 3 s for a million characters: %s", async (_name, hostileText, lastName) => {
    const lengths = Array.from({ length: 20 }, (_, length) => `${lastName}${"1".repeat(length)}`);
    const startedAt = performance.now();
    for (const fetch of [rejectWith(hostileText), async () => new Response(hostileText, { status: 400 })]) {
      const error = await failWith(fetch, { lastName, number: "45", street: lengths });
      expect(textsOf(error).length).toBeLessThan(80_000);
    }
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it("shows a mask for a long text that is sensitive as a whole", async () => {
    expect(await redact(JSON.stringify({ email: "x".repeat(5_000) }))).toBe(mask);
  });

  it("replaces the whole text when the call sent too many values to search for", async () => {
    const street = Array.from({ length: 100_000 }, (_, index) => `value number ${index}`);
    expect(await redact("harmless", { street })).toBe(mask);
  });
});

const user = {
  email: "Lena.Vogel+kyc@mail.example",
  phone: "447700900987",
  firstName: 'Jörg "Joe" O\'Neil',
  street: "Müllerstraße <5>",
  birthDate: "1991-07-23",
};

async function requestOf(request: Request) {
  return { config: { headers: Object.fromEntries(request.headers), data: await request.text() } };
}

const fail = makeThrower(user.email);
const { proxy: revokedProxy, revoke } = Proxy.revocable(new Error(user.email), {});
revoke();

const rejections: [name: string, cause: (request: Request) => unknown][] = [
  ["an error with own properties", async (request) => Object.assign(new Error("failed"), await requestOf(request))],
  [
    "a cause with own properties",
    async (request) => new Error("x", { cause: Object.assign(new Error(), await requestOf(request)) }),
  ],
  ["a cause that is not an Error", async (request) => new Error("failed", { cause: await requestOf(request) })],
  ["an object", async (request) => ({ message: user.email, ...(await requestOf(request)) })],
  ["a string", async (request) => `failed with ${await request.text()}`],
  ["null", () => null],
  ["a function", () => () => user.email],
  ["a symbol", () => Symbol(user.email)],
  [
    "an AggregateError",
    async (request) => new AggregateError([new Error(await request.text()), user.email], "all failed"),
  ],
  [
    "an AggregateError in a cause",
    (request) => new TypeError("x", { cause: new AggregateError([request.url], user.email) }),
  ],
  [
    "an error that throws when it is read",
    () => Object.defineProperties(new Error(user.email), { message: { get: fail }, cause: { get: fail } }),
  ],
  [
    "a proxy that throws",
    () => new Proxy(new Error(user.email), { get: fail, has: fail, getPrototypeOf: fail, ownKeys: fail }),
  ],
  [
    "errors that throw",
    () => Object.defineProperty(new AggregateError([]), "errors", { value: new Proxy([user.email], { get: fail }) }),
  ],
  ["a revoked proxy in a cause", () => new Error("outer", { cause: revokedProxy })],
  [
    "members of other types",
    () => Object.assign(new Error("x"), { name: Symbol("x"), message: 5, stack: {}, code: {}, errors: "no list" }),
  ],
  ["a message that cannot be a text", () => ({ message: { toString: fail } })],
  ["an object without a prototype", () => Object.create(null)],
];

it.each(rejections)("shows nothing that was sent when fetch rejects with %s", async (_name, cause) => {
  const error = await failWith(async (request) => Promise.reject(await cause(request)), user);
  expect(error.kind).toBe("network");
  expect(error.cause).toBeInstanceOf(Error);
  const shownText = textsOf(error).toLowerCase();
  const canaries = [apiKey, user.email.toLowerCase(), user.phone, "jörg", "o'neil", "müller", user.birthDate];
  expect(canaries.filter((canary) => shownText.includes(canary))).toEqual([]);
});

describe("the cause of a failed connection", () => {
  it("keeps names, messages, stacks and codes, also of an error from another realm", async () => {
    const innerError = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), {
      code: "ECONNREFUSED",
      errno: -111,
    });
    const { cause } = await failWith(rejectWith(new TypeError("fetch failed", { cause: innerError })));
    expect(cause).toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: { message: "connect ECONNREFUSED 127.0.0.1:1", code: "ECONNREFUSED", errno: -111 },
    });
    expect((cause as Error).stack).toContain("redaction.test.ts");
    const foreignError = runInContext(`new TypeError("for ${user.email}")`, createContext());
    expect((await failWith(rejectWith(foreignError), user)).cause).toMatchObject({
      name: "TypeError",
      message: "for [redacted]",
    });
  });

  it("says of a value that is no Error that it is none, and its text", async () => {
    const causeOf = async (cause: unknown) => (await failWith(rejectWith(cause))).cause as Error;
    expect((await causeOf("down")).message).toBe("a value that is no Error: down");
    expect((await causeOf(null)).message).toBe("a value that is no Error");
    const nestedCause = await causeOf(new Error("outer", { cause: "inner" }));
    expect(nestedCause.cause).toMatchObject({ message: "a value that is no Error: inner" });
  });

  it("is cut off at cycles, long chains and many errors", async () => {
    const ownError = new Error("own");
    ownError.cause = ownError;
    const reportedCopyOf = async (cause: unknown) => (await failWith(rejectWith(cause))).cause as AggregateError;
    expect((await reportedCopyOf(ownError)).cause).toBeUndefined();
    const wideError = new AggregateError([], "wide");
    wideError.errors = Array.from({ length: 1_000 }, () => new AggregateError([wideError, ownError], "narrow"));
    expect((await reportedCopyOf(wideError)).errors).toHaveLength(10);
    const tree = new AggregateError(
      Array.from({ length: 9 }, () => new AggregateError(Array.from({ length: 9 }, Error))),
    );
    const countErrors = (error: Error): number =>
      1 + ((error as AggregateError).errors ?? []).map(countErrors).reduce((sum, count) => sum + count, 0);
    expect(countErrors(await reportedCopyOf(tree))).toBe(30);
    let errorChain = new Error("0");
    for (let length = 1; length < 10_000; length += 1) errorChain = new Error(String(length), { cause: errorChain });
    let depth = 0;
    for (let copy: unknown = await reportedCopyOf(errorChain); copy !== undefined; copy = (copy as Error).cause)
      depth += 1;
    expect(depth).toBe(6);
  });
});

describe("a service that echoes the request", () => {
  const canaries = ["canary.person", "447700900987", "Canarina", "CANARY0099", "729146083", "canary-passport", apiKey];
  const contentTypeHeaders = (contentType: string) => ({ headers: { "content-type": contentType } });
  const echoingResponses: [name: string, response: (sentText: string) => Response][] = [
    [
      "a documented error",
      (sentText) =>
        Response.json(
          { errorCode: "P403", errorMessage: sentText, errorName: sentText, timestamp: sentText },
          { status: 400 },
        ),
    ],
    ["an unknown code", (sentText) => Response.json({ errorCode: "P999", errorMessage: sentText }, { status: 400 })],
    ["a code that is the request", (sentText) => Response.json({ errorCode: sentText }, { status: 400 })],
    ["a 401", (sentText) => Response.json({ errorMessage: sentText }, { status: 401 })],
    [
      "an HTML page",
      (sentText) => new Response(`<pre>${sentText}</pre>`, { status: 502, ...contentTypeHeaders("text/html") }),
    ],
    [
      "a content type",
      (sentText) => new Response("x", { status: 201, ...contentTypeHeaders(sentText.replace(/[^\x20-\x7e]/g, "")) }),
    ],
    [
      "a success cut short",
      (sentText) =>
        new Response(`{"request":${JSON.stringify(sentText)}`, {
          status: 201,
          ...contentTypeHeaders("application/json"),
        }),
    ],
  ];

  it.each(echoingResponses)("in %s leaks nothing of it into errors or logs", async (_name, response) => {
    const log: LogEvent[] = [];
    const wallet = clientWith(
      async (request) => {
        const isForm = request.headers.get("content-type")?.startsWith("multipart/");
        const names = async () => [...(await request.formData())].map(([, file]) => (file as File).name).join();
        return response(`${request.headers.get("x-api-key")} ${isForm ? await names() : await request.text()}`);
      },
      { apiKey, logger: (event) => log.push(event) },
    );
    const selfie = { data: "bytes", name: "canary-passport-of-lena.png", type: "image/png" };
    const account = { ...path, email: "canary.person@mail.example", phone: "447700900987", firstName: "Canarina" };
    const results = [
      await wallet.createUserAccount({ body: account as never }),
      await wallet.addKycFiles({ path, body: { selfie } }),
      await wallet.createVirtualCard({ body: { ...path, label: "Groceries", pin: "729146083" } }),
      await wallet.addUserVerification({ body: { ...path, documentNumber: "CANARY0099" } as never }),
    ];
    const shownText =
      results.map(({ error }) => textsOf(error as PartnerApiError)).join() + inspect(log, { depth: 10 });
    expect(canaries.filter((canary) => shownText.includes(canary))).toEqual([]);
  });

  it.each([
    ["cut short", 200, "application/json", (text: string) => text.slice(0, -1)],
    ["cut short, of another content type", 200, "text/html", (text: string) => text.slice(0, -1)],
    ["wrapped in a page", 200, "text/html", (text: string) => `<pre>${text}</pre>`],
    ["cut short, with another status", 207, "application/json", (text: string) => text.slice(0, -1)],
  ])("leaks no card data of a success that is %s", async (_name, status, contentType, change) => {
    const card = JSON.stringify({ cardId: "1", cardNumber: "4000056655665556", cvv: "canary-cvv", exp: "01/30" });
    const wallet = clientWith(async () => new Response(change(card), { status, ...contentTypeHeaders(contentType) }));
    const { error } = await wallet.createVirtualCard({ body: { ...path, label: "Groceries", pin: "7291" } });
    expect(error?.kind).toBe("unexpected-response");
    expect(textsOf(error as PartnerApiError)).not.toMatch(/4000056655665556|canary-cvv/);
  });
});
