import { getEventListeners } from "node:events";
import { type ErrorKind, PartnerApiError, unwrap } from "partner-wallet-api";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  clientWith,
  createdResponse,
  jsonResponse,
  makeThrower,
  recordingClient,
  refusalResponse,
  transfer,
  transferId,
} from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("what is sent is fixed when the function is called", () => {
  it("a body object that is reused for three calls sends the amount of each call", async () => {
    const { client, sentRequests } = recordingClient();
    const body = { ...transfer, amount: 0 };
    const calls = [10, 20, 30].map((amount) => {
      body.amount = amount;
      return client.createTransfer({ body });
    });
    body.amount = 99;
    await Promise.all(calls);
    const bodies = (await Promise.all(sentRequests.map((request) => request.json()))) as (typeof transfer)[];
    expect(bodies.map(({ amount }) => amount)).toEqual([10, 20, 30]);
  });

  it("a repeated attempt sends the same body, headers and URL", async () => {
    const sentRequests: string[] = [];
    const body = { ...transfer };
    const headers: Record<string, string> = { "x-trace": "first" };
    const wallet = clientWith(async (request) => {
      sentRequests.push(`${request.url} ${request.headers.get("x-trace")} ${await request.text()}`);
      body.amount += 1;
      headers["x-trace"] = "changed";
      if (sentRequests.length === 1) throw new TypeError("fetch failed");
      return createdResponse();
    });
    await wallet.createTransfer({ body, headers, repeatUnknown: true });
    expect(sentRequests).toHaveLength(2);
    expect(sentRequests[1]).toBe(sentRequests[0]);
  });

  it("a path or a query that changes after it was checked is not sent", async () => {
    const { client, sentRequests } = recordingClient(() => jsonResponse(200, {}));
    const path = { externalUserId: "user-1042" };
    const query = { externalId: "first" };
    const calls = [client.getUserBalances({ path }), client.getCryptoDepositDetails({ query })];
    path.externalUserId = "..";
    query.externalId = "changed";
    await Promise.all(calls);
    expect(sentRequests.map(({ url }) => url)).toEqual([
      "https://api.example/v1/user/balances/user-1042",
      "https://deposits.example/v1/crypto-deposit/details?externalId=first",
    ]);
  });

  it("the key and the address of a client do not change when its options object changes", async () => {
    const options = { headers: { "x-partner": "first" }, baseUrl: "https://api.example", apiKey: "first-key-4711" };
    const { client, sentRequests } = recordingClient(() => jsonResponse(200, {}), options);
    Object.assign(options, { baseUrl: "https://other.example", apiKey: "other" });
    options.headers["x-partner"] = "changed";
    await client.getPartnerBalances();
    const [{ url, headers } = expect.fail()] = sentRequests;
    expect([url, headers.get("x-api-key"), headers.get("x-partner")]).toEqual([
      "https://api.example/v1/partner/balances",
      "first-key-4711",
      "first",
    ]);
  });
});

describe("no callback, option or response makes a call reject", () => {
  const hooks = {
    throws: makeThrower("log sink down"),
    rejects: () => Promise.reject(new Error("log sink down")),
  };

  it.each(Object.entries(hooks))(
    "a call succeeds with a logger, onResponse and onDeviation of which each %s",
    async (_name, hook) => {
      const wallet = clientWith(async () => createdResponse(), { logger: hook, onResponse: hook, onDeviation: hook });
      expect((await wallet.createTransfer({ body: transfer })).data).toEqual({ transferId });
    },
  );

  it("a call whose onRequest rejects returns an error naming it, and sends nothing", async () => {
    const { client, sentRequests } = recordingClient(createdResponse, { onRequest: hooks.rejects });
    const { error } = await client.createTransfer({ body: transfer });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain("onRequest");
    expect(sentRequests).toEqual([]);
  });

  const throwOnRead = makeThrower("read");
  const throwRevokedProxy = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    throw proxy;
  };
  const circularBody: Record<string, unknown> = { ...transfer };
  circularBody.self = circularBody;
  const values: [name: string, options: object][] = [
    ["a circular body", { body: circularBody }],
    ["a BigInt", { body: { ...transfer, amount: 10n }, retries: 2 }],
    ["a body that cannot be read", { body: { ...transfer, toJSON: throwOnRead } }],
    ["a body behind a proxy that throws", { body: new Proxy({}, { ownKeys: throwOnRead, get: throwOnRead }) }],
    ["a function as the body", { body: () => transfer }],
    [
      "an option that cannot be read",
      Object.defineProperty({ body: transfer }, "headers", { get: throwOnRead, enumerable: true }),
    ],
    [
      "an option that throws a revoked proxy",
      Object.defineProperty({ body: transfer }, "query", { get: throwRevokedProxy, enumerable: true }),
    ],
    ["a signal that is not an AbortSignal", { body: transfer, signal: {} }],
    ["an option that does not exist", { body: transfer, timeout: 5 }],
  ];
  it.each(values)("%s is refused before anything is sent", async (_name, options) => {
    const { client, sentRequests } = recordingClient();
    const { error } = await client.createTransfer(options as never);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(sentRequests).toEqual([]);
  });

  it("what reading an option throws is not shown, since it can contain values", async () => {
    const options = Object.defineProperty({ body: transfer }, "timeoutMs", { get: throwOnRead, enumerable: true });
    const { error } = await recordingClient().client.createTransfer(options);
    expect([error?.message, error?.cause]).toEqual([
      "createTransfer: An option of the call cannot be read.",
      undefined,
    ]);
  });

  it("a fetch that returns a body that fails gives a network error with outcome unknown", async () => {
    const fail = (controller: ReadableStreamDefaultController) => controller.error(new Error("cut"));
    const wallet = clientWith(async () => new Response(new ReadableStream({ pull: fail }), { status: 201 }));
    const { error } = await wallet.createTransfer({ body: transfer });
    expect(error).toMatchObject({ kind: "network", outcome: "unknown" });
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "{}"],
    ["an object", { status: 200 }],
    ["the result of another client", { status: 200, headers: { "content-type": "application/json" }, data: {} }],
  ])("a fetch that returns %s is named in the error, and not called again", async (_name, response) => {
    const fetch = vi.fn(async () => response as never);
    const { error } = await clientWith(fetch).getPartnerBalances();
    expect(error).toMatchObject({ kind: "unexpected-response", outcome: "unknown", status: undefined, attempts: 1 });
    expect(error?.message).toMatch(/^getPartnerBalances: fetch returned no Response: /);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it.each<[what: string, fetch: () => never | Promise<never>]>([
    ["rejects with null", () => Promise.reject(null)],
    ["rejects with a revoked proxy", async () => throwRevokedProxy()],
    ["throws at once", makeThrower("not async")],
  ])("a fetch that %s gives a network error with outcome unknown, not not-sent", async (_name, fetch) => {
    const { error } = await clientWith(fetch).createTransfer({ body: transfer });
    expect(error).toMatchObject({ kind: "network", outcome: "unknown" });
  });
});

it.each<[string, object, string]>([
  ["a body", { body: {} }, "no body"],
  ["a query", { query: { currency: "eur" } }, "no query"],
  ["a path parameter", { path: { externalUserId: "user-1042" } }, 'no path parameter "externalUserId"'],
  ["a path parameter, by a name that can be data", { path: { "user-1042": 1 } }, "no path parameter of this name"],
])("%s for an operation that has none is refused", async (_name, options, problem) => {
  const { client, sentRequests } = recordingClient();
  const { error } = await client.getPartnerBalances(options as never);
  expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
  expect(error?.message).toBe(`getPartnerBalances: This operation has ${problem}.`);
  expect(sentRequests).toEqual([]);
});

it.each<[name: string, delayMs: number]>([
  ["before the wait begins", 0],
  ["during the wait", 20],
])("an abort ends the wait between two attempts: %s", async (_name, delayMs) => {
  const controller = new AbortController();
  const abort = () => void (delayMs === 0 ? controller.abort() : setTimeout(() => controller.abort(), delayMs));
  const wallet = clientWith(async () => jsonResponse(429, {}, { "retry-after": "25" }), { logger: abort });
  const { error } = await wallet.getPartnerBalances({ signal: controller.signal });
  expect(error?.kind satisfies ErrorKind | undefined).toBe("aborted");
  expect(error?.outcome).toBe("refused");
});

it("a content-type header of the partner is not sent where there is no body", async () => {
  const { client, sentRequests } = recordingClient(() => jsonResponse(200, {}), {
    headers: { "content-type": "text/plain" },
  });
  await client.getPartnerBalances();
  expect(sentRequests.map(({ headers }) => headers.get("content-type"))).toEqual([null]);
});

it("many calls with one signal add a single listener, and all end when it aborts", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const countListeners = () => getEventListeners(signal, "abort").length;
  let releaseGate = () => {};
  const responseGate = new Promise<void>((resolve) => {
    releaseGate = resolve;
  });
  const wallet = clientWith(async () => {
    await responseGate;
    return jsonResponse(200, {});
  });
  const calls = Array.from({ length: 40 }, () => wallet.getPartnerBalances({ signal }));
  expect(countListeners()).toBe(1);
  releaseGate();
  expect((await Promise.all(calls)).every(({ error }) => error === undefined)).toBe(true);
  expect(countListeners()).toBe(0);

  const hangingClient = clientWith(() => new Promise(() => {}));
  const abortedCalls = Array.from({ length: 40 }, () => hangingClient.getPartnerBalances({ signal }));
  controller.abort();
  expect(new Set((await Promise.all(abortedCalls)).map(({ error }) => error?.kind))).toEqual(new Set(["aborted"]));
  expect(countListeners()).toBe(0);
});

it("an error thrown by unwrap has the caller in its stack", async () => {
  const result = await clientWith(async () => refusalResponse("P433")).createTransfer({ body: transfer });
  const unwrapResult = () => unwrap(result);
  expect(unwrapResult).toThrow(PartnerApiError);
  expect(result.error?.stack).toContain("calls.test.ts");
});
