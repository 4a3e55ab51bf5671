import { createMemoryStore as createPaymentsMemoryStore } from "partner-wallet-api/payments";
import {
  createMemoryStore,
  createWebhookHandler,
  exactNumbers,
  parseWebhook,
  testEvent,
  toNodeListener,
  type WebhookEvents,
  webhookPaths,
} from "partner-wallet-api/webhooks";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { event, type Options, webhookCall } from "./deliveries.ts";
import { serveOnLoopback } from "./support.ts";

const requiredOptions: Options = { authorization: "token", on: {}, otherwise: "acknowledge", nonconforming: "reject" };
const makeHandler = (options: object) => createWebhookHandler({ ...requiredOptions, ...options } as Options);

const makeCall = (path: string, body: unknown, token = "token") => webhookCall(body, { path, token });

describe("refused when the handler is made:", () => {
  const incompleteStore = { claim: async () => ({ state: "busy" }) };
  const cases: [what: string, options: object, message: RegExp][] = [
    ["a token that ends with a line break", { authorization: "token\n" }, /ends with a line break: trim it/],
    ["the same among several", { authorization: ["token", "other\n"] }, /ends with a line break: trim it/],
    ["a token with a blank before it", { authorization: " token" }, /begins or ends with a blank: trim it/],
    ["a token with a blank after it", { authorization: "token\t" }, /begins or ends with a blank: trim it/],
    ["a token with a line break within", { authorization: "to\nken" }, /not printable ASCII/],
    ["a token that no header carries unchanged", { authorization: "tökén" }, /not printable ASCII/],
    ...[
      ...["undefined", "null", "NaN", "[object Object]", "Bearer undefined", "Bearer null", "Bearer", "Bearer "],
      ...[undefined, null, "", "  ", [], [""], ["token", undefined], {}, { unverified: "yes" }],
    ].map((authorization): [string, object, RegExp] => [
      `the token ${JSON.stringify(authorization)}`,
      { authorization },
      /Is the environment variable set\?/,
    ]),
    [
      "a misspelt option",
      { onUnknown: () => undefined },
      /^There is no option "onUnknown"\. There are authorization, on,/,
    ],
    [
      "a token in the place of an option",
      { "s3cr3t-t0ken": "a" },
      /^There is no option with a name that is not shown\. T/,
    ],
    ["the secret of a signature", { secret: "s" }, /given as authorization; no signature of its calls is known/],
    ["on that is missing", { on: undefined }, /^on must be an object/],
    ["on that is a list", { on: [] }, /^on must be an object/],
    ["an unknown webhook", { on: { p2pTransfers: () => undefined } }, /^There is no webhook "p2pTransfers"/],
    ["a text for a function", { on: { p2pTransfer: "log" } }, /^on\.p2pTransfer must be a function, or left out/],
    ["a function that is null", { on: { p2pTransfer: null } }, /^on\.p2pTransfer must be a function, or left out/],
    ["otherwise that is missing", { otherwise: undefined }, /^otherwise must be/],
    ["nonconforming that is missing", { nonconforming: undefined }, /^nonconforming must be/],
    ["paths that are a list", { paths: ["/mine"] }, /^paths must be an object/],
    ["a health path without a slash", { health: "up" }, /^health must be the path of a URL/],
    ["dedupe of true", { dedupe: true }, /^dedupe has no method claim, extend, complete, release/],
    ["the store of payments", { dedupe: createPaymentsMemoryStore() }, /Give createMemoryStore\(\) .* of .*\/webhooks/],
    [
      "dedupe without some methods",
      { dedupe: incompleteStore },
      /^dedupe has no method extend, complete, release.*DedupeStore/,
    ],
    [
      "a store whose claims last longer than a timer can",
      { dedupe: createMemoryStore({ claimMs: 2 ** 31 }) },
      /^claimMs of dedupe must be a whole number of milliseconds from 1 to 2147483647/,
    ],
    ["an unknown value of acknowledge", { acknowledge: "later" }, /^acknowledge must be "after" or "first"/],
    ["a time of 0", { bodyTimeoutMs: 0 }, /^bodyTimeoutMs must be a whole number of milliseconds/],
    ["a time as a text", { handlerTimeoutMs: "1s" }, /^handlerTimeoutMs must be a whole number of milliseconds/],
    ["a size of 0", { maxBytes: 0 }, /^maxBytes must be a whole number/],
    ["a size as a text", { maxBytes: "1mb" }, /^maxBytes must be a whole number/],
    ["a base path without a slash", { basePath: "hooks" }, /^basePath must be the path of a URL/],
    ["a base path with a host", { basePath: "https://partner.example/hooks" }, /^basePath must be the path of a URL/],
    ["a base path with a query", { basePath: "/hooks?a" }, /^basePath must be the path of a URL/],
    ["a base path that is not a text", { basePath: 1 }, /^basePath must be the path of a URL/],
    ...["unknown", "onError", "onDeviation", "onRefused", "waitUntil"].map((name): [string, object, RegExp] => [
      `${name} that is not a function`,
      { [name]: "log" },
      new RegExp(`^${name} must be a function, or left out`),
    ]),
  ];

  it.each(cases)("%s", (_name, options, message) => {
    expect(() => makeHandler(options)).toThrow(TypeError);
    expect(() => makeHandler(options)).toThrow(message);
  });

  it.each([undefined, null])("options that are %j", (options) => {
    expect(() => createWebhookHandler(options as unknown as Options)).toThrow(/^on must be an object/);
  });

  it("without the token in any message", () => {
    for (const authorization of ["canary\n", " canary", "canäry", ["canary", ""]]) {
      expect(() => makeHandler({ authorization })).toThrow(
        expect.not.objectContaining({ message: expect.stringMatching(/can.ry/) }),
      );
    }
  });
});

describe("accepted when the handler is made:", () => {
  it.each<[string, object, token?: string]>([
    [
      "undefined for everything that may be left out",
      {
        on: { p2pTransfer: undefined },
        paths: undefined,
        unknown: undefined,
        health: undefined,
        dedupe: undefined,
        acknowledge: undefined,
        waitUntil: undefined,
        maxBytes: undefined,
        basePath: undefined,
        onError: undefined,
        onDeviation: undefined,
        onRefused: undefined,
      },
    ],
    ["a size without a limit", { maxBytes: Number.POSITIVE_INFINITY }],
    ["a token of a scheme", { authorization: "Bearer token" }, "Bearer token"],
    ["a frozen list of tokens", { authorization: Object.freeze(["token", "other"]) }],
    ["every caller", { authorization: { unverified: true } }],
    ["no detection and no health path", { dedupe: false, health: false }],
    ["a store whose claims last as long as a timer can", { dedupe: createMemoryStore({ claimMs: 2 ** 31 - 1 }) }],
  ])("%s", async (_name, options, token) => {
    expect((await makeHandler(options)(makeCall(webhookPaths.p2pTransfer, event, token))).status).toBe(200);
  });

  it("an object with methods, which are called with it as this", async () => {
    class Receiver {
      readonly #received: unknown[] = [];
      get all(): unknown[] {
        return this.#received;
      }
      p2pTransfer(transfer: WebhookEvents["p2pTransfer"]): void {
        this.#received.push(transfer);
      }
    }
    const receiver = new Receiver();
    const response = await makeHandler({ on: receiver })(makeCall(webhookPaths.p2pTransfer, event));
    expect([response.status, receiver.all]).toEqual([200, [event]]);
  });
});

describe("basePath", () => {
  it.each([{}, { unknown: () => undefined }, { basePath: "/other", unknown: () => undefined }])(
    "is suggested in the refusal when an unknown path ends in a known one, with %j",
    async (options) => {
      const refusals: object[] = [];
      const handler = makeHandler({ ...options, onRefused: (refusal: object) => void refusals.push(refusal) });
      const path = `/hooks${webhookPaths.p2pTransfer}`;
      const response = await handler(makeCall(path, event));
      const reason =
        'No webhook has this path. Is the handler mounted under "/hooks"? Then give it basePath: "/hooks".';
      expect([response.status, await response.json()]).toEqual([404, { message: reason }]);
      expect(refusals).toEqual([{ status: 404, reason, path }]);
    },
  );

  it("ignores a slash at the end of a path", async () => {
    const handler = makeHandler({
      basePath: "/hooks",
      paths: { p2pTransfer: "/mine/", cryptoWithdrawal: "/out" },
      on: {},
    });
    for (const path of ["/hooks/mine", "/hooks/mine/", "/hooks/out/", "/hooks/webhook/health/"]) {
      expect([path, (await handler(makeCall(path, event))).status]).toEqual([path, 200]);
    }
    expect(() => makeHandler({ paths: { p2pTransfer: "/mine/", ibanStatus: "/mine" } })).toThrow(/have the same path/);
  });

  it.each(["/hooks", "/hooks/", "/hooks//", "/a/b", "/a/b/", "", "/"])(
    "%j is a prefix of all paths",
    async (basePath) => {
      const handler = makeHandler({ basePath });
      const prefix = basePath.replace(/\/+$/, "");
      expect((await handler(makeCall(`${prefix}${webhookPaths.p2pTransfer}`, event))).status).toBe(200);
      const health = await handler(new Request(`https://partner.example${prefix}/webhook/health`));
      expect(health.status).toBe(200);
    },
  );

  it("does not match a path that only begins with the same letters, and the refusal has the whole path", async () => {
    const refusals: unknown[] = [];
    const handler = makeHandler({ basePath: "/hooks/", onRefused: (refusal: object) => void refusals.push(refusal) });
    for (const [path, hint] of [
      [
        `/hooksx${webhookPaths.p2pTransfer}`,
        ' Is the handler mounted under "/hooksx"? Then give it basePath: "/hooksx".',
      ],
      [webhookPaths.p2pTransfer, ' Is the handler mounted under "/"? Then give it basePath: "/".'],
      ["/hooks", ""],
    ] as const) {
      expect((await handler(makeCall(path, event))).status).toBe(404);
      expect(refusals.pop()).toEqual({ status: 404, reason: `No webhook has this path.${hint}`, path });
    }
  });

  it("passes the whole path of a call outside of it to unknown", async () => {
    const calls: unknown[] = [];
    const handler = makeHandler({ basePath: "/hooks", unknown: (call: unknown) => void calls.push(call) });
    expect((await handler(makeCall("/elsewhere", { a: 1 }))).status).toBe(200);
    expect(calls).toEqual([{ path: "/elsewhere", body: { a: 1 } }]);
  });
});

it("the list of tokens is copied when the handler is made", async () => {
  const tokens = ["old", "new"];
  const handler = makeHandler({ authorization: tokens });
  tokens.splice(0, 2, "", "");
  expect((await handler(webhookCall(event, { token: null }))).status).toBe(401);
  expect((await handler(makeCall(webhookPaths.p2pTransfer, event, "new"))).status).toBe(200);
});

describe("exact amounts", () => {
  const deposit = testEvent("cryptoDeposit");
  const text = JSON.stringify({ ...deposit, amount: 0 }).replace('"amount":0', '"amount":12345678.123456789012');

  it("are available for an event from parseWebhook, given as text or bytes, with or without a byte order mark", () => {
    for (const body of [text, `\ufeff${text}`, new TextEncoder().encode(text)]) {
      const parseResult = parseWebhook("cryptoDeposit", body);
      if (!parseResult.ok) throw new Error(parseResult.reason);
      expect(parseResult.event.amount).toBe(12345678.12345679);
      expect(exactNumbers(parseResult.event).amount).toBe("12345678.123456789012");
    }
  });

  it("are available in every function that receives an event", async () => {
    const amounts: unknown[] = [];
    const keepAmount = (receivedEvent: unknown) =>
      void amounts.push(exactNumbers(receivedEvent as { amount: number }).amount);
    const options = {
      paths: { cryptoDeposit: "/mine" },
      unknown: ({ body }: { body: unknown }) => keepAmount(body),
      dedupe: false as const,
    };
    const oddText = text.replace('"status":', '"status":1,"was":');
    await makeHandler({ ...options, on: { cryptoDeposit: keepAmount } })(makeCall("/mine", text));
    await makeHandler({
      ...options,
      otherwise: (otherwiseInput: { event: unknown }) => keepAmount(otherwiseInput.event),
    })(makeCall("/mine", text));
    await makeHandler({ ...options, otherwise: "reject", on: { p2pTransfer: () => undefined } })(
      makeCall("/other", text),
    );
    await makeHandler({
      ...options,
      on: { cryptoDeposit: keepAmount },
      nonconforming: (_name: string, body: unknown) => keepAmount(body),
    })(makeCall("/mine", oddText));
    expect(amounts).toEqual(Array.from({ length: 4 }, () => "12345678.123456789012"));
  });
});

describe("parseWebhook", () => {
  const text = JSON.stringify(event);

  it("finds a webhook by name or by path", () => {
    const parsedByName = parseWebhook("p2pTransfer", text);
    expect(parsedByName).toEqual(parseWebhook(webhookPaths.p2pTransfer, text));
    expect(parsedByName).toMatchObject({ ok: true, name: "p2pTransfer", event });
    if (parsedByName.ok) expectTypeOf(parsedByName.event).toEqualTypeOf<WebhookEvents["p2pTransfer"]>();
  });

  it.each(["p2ptransfer", "p2pTransfers", "constructor", "toString", "__proto__", "", "transfer-webhook"])(
    "throws for the unknown webhook name %j",
    (name) => {
      expect(() => parseWebhook(name, text)).toThrow(TypeError);
      expect(() => parseWebhook(name, text)).toThrow(/^There is no webhook .* There are userBalanceGeneration,/);
    },
  );

  it.each([event, null, undefined, 7])("throws for a body that is not text: %j", (body) => {
    expect(() => parseWebhook("p2pTransfer", body as unknown as string)).toThrow(/^parseWebhook takes the text/);
  });
});

describe("a body that is not valid UTF-8", () => {
  const path = webhookPaths.p2pTransfer;
  const encoding = { pointer: "", rule: "encoding" };
  const bytesWith = (byte: number) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...event, id: "a~" }));
    return bytes.with(bytes.indexOf(0x7e), byte);
  };
  const makeCallWithBytes = (body: Uint8Array) =>
    new Request(`https://partner.example${path}`, {
      method: "POST",
      headers: { authorization: "token" },
      body: body as Uint8Array<ArrayBuffer>,
    });

  it("is delivered without a key, reported as a deviation, and not taken for a repetition", async () => {
    const keys: unknown[] = [];
    const deviations: unknown[] = [];
    const handler = makeHandler({
      on: { p2pTransfer: (_event: unknown, { key }: { key?: string }) => void keys.push(key) },
      onDeviation: (deviation: { rule: string }) => deviation.rule === "encoding" && void deviations.push(deviation),
    });
    for (const byte of [0xff, 0xfe]) expect((await handler(makeCallWithBytes(bytesWith(byte)))).status).toBe(200);
    expect(keys).toEqual([undefined, undefined]);
    expect(deviations).toEqual(Array(2).fill({ webhook: "p2pTransfer", ...encoding }));
    expect((await handler(makeCallWithBytes(bytesWith(0x21)))).status).toBe(200);
    expect([typeof keys[2], deviations.length]).toEqual(["string", 2]);
  });

  it("is reported on an unknown path", async () => {
    const deviations: unknown[] = [];
    const handler = makeHandler({
      paths: { p2pTransfer: "/mine" },
      unknown: () => undefined,
      onDeviation: (deviation: object) => void deviations.push(deviation),
    });
    expect((await handler(makeCallWithBytes(bytesWith(0xff)))).status).toBe(200);
    expect(deviations).toContainEqual(encoding);
  });

  it("is reported by parseWebhook", () => {
    const encodingDeviations = (byte: number) => {
      const parseResult = parseWebhook("p2pTransfer", bytesWith(byte));
      return parseResult.ok && parseResult.deviations.filter(({ rule }) => rule === "encoding");
    };
    expect([encodingDeviations(0xff), encodingDeviations(0x21)]).toEqual([[encoding], []]);
  });
});

describe("a body that was read before it reached the handler", () => {
  it("gets 500 and is reported to onError, so that the service delivers it again", async () => {
    const errors: unknown[] = [];
    const handler = makeHandler({ onError: (...args: unknown[]) => void errors.push(args) });
    const request = makeCall(webhookPaths.p2pTransfer, event);
    await request.json();
    const response = await handler(request);
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining("The body was read before"),
    ]);
    expect(errors).toEqual([[expect.any(TypeError), "p2pTransfer"]]);
    const otherRequest = makeCall(webhookPaths.p2pTransfer, event, "wrong");
    await otherRequest.json();
    expect((await handler(otherRequest)).status).toBe(401);
  });

  it("gets 500 behind node:http too", async () => {
    const errors: unknown[] = [];
    const listener = toNodeListener(makeHandler({ onError: (error: Error) => void errors.push(error.message) }));
    const server = await serveOnLoopback(async (request, response) => {
      for await (const _chunk of request);
      await listener(request, response);
    });
    const send = (body: string) =>
      fetch(`${server.url}${webhookPaths.p2pTransfer}`, {
        method: "POST",
        headers: { authorization: "token" },
        body,
      });
    const statuses = [(await send(JSON.stringify(event))).status, (await send("")).status];
    await server.close();
    expect([statuses, errors]).toEqual([[500, 400], [expect.stringContaining("The body was read before")]]);
  });
});

it('acknowledge: "first" on a platform that ends all work with the response is refused without waitUntil when the handler is made', () => {
  vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
  try {
    expect(() => makeHandler({ acknowledge: "first" })).toThrow(/acknowledge: "first" needs waitUntil/);
    expect(makeHandler({ acknowledge: "first", waitUntil: () => {} })).toBeTypeOf("function");
    expect(makeHandler({})).toBeTypeOf("function");
  } finally {
    vi.unstubAllGlobals();
  }
  expect(makeHandler({ acknowledge: "first" })).toBeTypeOf("function");
});
