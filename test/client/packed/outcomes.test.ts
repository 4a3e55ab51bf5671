import { generateKeyPairSync, sign } from "node:crypto";
import dns from "node:dns";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { createPartnerClient, type LogEvent } from "partner-wallet-api";
import { Agent, ProxyAgent, setGlobalDispatcher } from "undici";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  clientWith,
  createdResponse,
  type Fetch,
  jsonResponse,
  makeThrower,
  recordingClient,
  refusalResponse,
  serveOnLoopback,
  transfer,
} from "./support.ts";

/** A private key and a self-signed certificate (RFC 5280), both in PEM. */
function untrustedCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const der = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
    return Buffer.concat([Buffer.from([tag, ...length]), content]);
  };
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const date = (text: string) => der(0x17, Buffer.from(text));
  const name = der(0x30);
  const spki = publicKey.export({ type: "spki", format: "der" });
  const validity = der(0x30, date("260101000000Z"), date("490101000000Z"));
  const body = der(0x30, der(0x02, Buffer.from([1])), ecdsaWithSha256, name, validity, name, spki);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const base64 = der(0x30, body, ecdsaWithSha256, signature).toString("base64");
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }) as string, cert };
}

type DnsCallback = (error: Error) => void;

describe("the outcome of a call that moves money", () => {
  const wrapErrors = (fetch: typeof globalThis.fetch) =>
    (async (...args: Parameters<typeof fetch>) => {
      try {
        return await fetch(...args);
      } catch (cause) {
        throw new Error("wrapped", { cause: new Error("again", { cause }) });
      }
    }) as typeof fetch;
  const setGlobalDispatcherUntilRestored = (dispatcher: Agent) => {
    // Node 26 reads its dispatcher from a second symbol, which undici 7.30 sets as well.
    const keys = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
    const dispatchers = globalThis as { [key: symbol]: unknown };
    const originalDispatchers = Object.fromEntries(keys.map((key) => [key, dispatchers[key]]));
    setGlobalDispatcher(dispatcher);
    return () => Object.assign(dispatchers, originalDispatchers);
  };
  const { fetch: originalFetch } = globalThis;
  const composedAgent = new Agent().compose((dispatch) => (options, handler) => dispatch(options, handler));

  it.each<[name: string, options: object, replace?: () => () => unknown]>([
    ["to the fetch of Node", {}],
    ["to a fetch of the partner", { fetch: (request: Request) => fetch(request) }],
    ["to a fetch that wraps the error", { fetch: (request: Request) => wrapErrors(fetch)(request) }],
    ["to a dispatcher of the partner", { fetchOptions: { dispatcher: new Agent() } }],
    ["to a dispatcher that was composed", { fetchOptions: { dispatcher: composedAgent } }],
    ["below a global dispatcher", {}, () => setGlobalDispatcherUntilRestored(new Agent({ connections: 10 }))],
    [
      "below a fetch that an APM agent has replaced",
      {},
      () => {
        globalThis.fetch = wrapErrors(originalFetch);
        return () => {
          globalThis.fetch = originalFetch;
        };
      },
    ],
  ])("is not-sent, after a retry, when the connection is refused %s", async (_name, options, replace) => {
    const restore = replace?.();
    try {
      const { url, close } = await serveOnLoopback(() => {});
      await close();
      const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711", retries: 1, ...options });
      const { error } = await wallet.createTransfer({ body: transfer });
      expect(error).toMatchObject({ kind: "network", outcome: "not-sent", attempts: 2 });
      expect(error?.message).toContain("ECONNREFUSED");
    } finally {
      restore?.();
    }
  });

  const errorWith = (code: string, properties: object) => Object.assign(new Error(code), { code, ...properties });
  const connectToRedis = { syscall: "connect", address: "127.0.0.1", port: 6379 };

  it.each<[name: string, thrown: Error]>([
    ["a refused connection of another port", errorWith("ECONNREFUSED", connectToRedis)],
    ["another host that is not found", errorWith("ENOTFOUND", { syscall: "getaddrinfo", hostname: "logs.example" })],
    ["a refused connection without an address", errorWith("ECONNREFUSED", { syscall: "connect" })],
    ["a certificate that has expired", errorWith("CERT_HAS_EXPIRED", {})],
    [
      "several refused connections, one of another port",
      new AggregateError([errorWith("ECONNREFUSED", connectToRedis)]),
    ],
  ])(
    "is unknown after a fetch or a wrapper of the global one that fails after the response with %s",
    async (_name, thrownError) => {
      let transferCount = 0;
      const { url, close } = await serveOnLoopback((request, response) => {
        transferCount += 1;
        request.resume().on("end", () => response.end('{"transferId":"t1"}'));
      });
      const failingFetch = async (...fetchArguments: Parameters<typeof fetch>) => {
        await (await originalFetch(...fetchArguments)).text();
        throw thrownError;
      };
      try {
        const clientWithFetch = createPartnerClient({ baseUrl: url, apiKey: "key-4711", fetch: failingFetch });
        const { error: firstError } = await clientWithFetch.createTransfer({ body: transfer });
        globalThis.fetch = failingFetch;
        const { error: secondError } = await createPartnerClient({ baseUrl: url, apiKey: "key-4711" }).createTransfer({
          body: transfer,
        });
        for (const error of [firstError, secondError])
          expect(error).toMatchObject({ kind: "network", outcome: "unknown", attempts: 1 });
        expect(transferCount).toBe(2);
      } finally {
        globalThis.fetch = originalFetch;
        await close();
      }
    },
  );

  it("is unknown when the connection is refused to a proxy, whose address is not the service's", async () => {
    const fetchOptions = { dispatcher: new ProxyAgent("http://127.0.0.1:1") };
    const wallet = createPartnerClient({ baseUrl: "http://127.0.0.1:2", apiKey: "key-4711", fetchOptions });
    const { error } = await wallet.createTransfer({ body: transfer });
    expect(error).toMatchObject({ kind: "network", outcome: "unknown", attempts: 1 });
  });

  const connectionError = Object.assign(new Error("connect"), {
    code: "ENOTFOUND",
    syscall: "getaddrinfo",
    hostname: "api.example",
  });
  const causedBy = (error: Error, depth: number): Error =>
    depth === 0 ? error : new Error("wrapped", { cause: causedBy(error, depth - 1) });
  const resetError = Object.assign(new Error("read"), { code: "ECONNRESET", syscall: "read" });
  it.each<[name: string, rejection: unknown, outcome: string]>([
    ["all addresses that were tried refused", new AggregateError([connectionError, connectionError]), "not-sent"],
    ["one of several attempts may have arrived", new AggregateError([resetError, connectionError]), "unknown"],
    ["the connection broke", new TypeError("fetch failed", { cause: resetError }), "unknown"],
    ["the error has no code", new TypeError("fetch failed"), "unknown"],
    ["the error cannot be read", Proxy.revocable({}, {}), "unknown"],
    ["no address was tried", new AggregateError([]), "unknown"],
    ["the fifth cause shows it", causedBy(connectionError, 5), "not-sent"],
    ["the sixth cause shows it", causedBy(connectionError, 6), "unknown"],
  ])("with a custom fetch, when %s, is %s", async (_name, rejection, outcome) => {
    if (typeof (rejection as { revoke?: unknown }).revoke === "function") (rejection as { revoke(): void }).revoke();
    const thrownValue = (rejection as { proxy?: unknown }).proxy ?? rejection;
    const { error } = await clientWith(() => Promise.reject(thrownValue), { retries: 0 }).createTransfer({
      body: transfer,
    });
    expect(error).toMatchObject({ kind: "network", outcome });
  });

  it.each<[baseUrl: string, address: object, outcome: string]>([
    ["https://api.example", { hostname: "API.example" }, "not-sent"],
    ["https://api.example", { hostname: "logs.example" }, "unknown"],
    ["https://api.example", { address: "192.0.2.1", port: 443 }, "unknown"],
    ["https://192.0.2.1", { address: "192.0.2.1", port: 443 }, "not-sent"],
    ["https://192.0.2.1", { address: "192.0.2.1", port: 80 }, "unknown"],
    ["https://192.0.2.1", { address: "192.0.2.1" }, "unknown"],
    ["https://192.0.2.1", { address: "192.0.2.2", port: 443 }, "unknown"],
    ["https://[2001:db8::1]:8443", { address: "2001:db8::1", port: 8443 }, "not-sent"],
    ["https://[2001:db8::1]:8443", { address: "2001:db8::1", port: 443 }, "unknown"],
    ["http://localhost", { address: "127.0.0.1", port: 80 }, "not-sent"],
    ["http://localhost", { address: "::1", port: 80 }, "not-sent"],
    ["http://localhost", { address: "127.0.0.1", port: 443 }, "unknown"],
    ["http://localhost", { address: "127.0.0.1" }, "unknown"],
    ["http://localhost", { address: "192.0.2.1", port: 80 }, "unknown"],
  ])(
    "with a custom fetch, when a connection of a client of %s is refused by %j, is %s",
    async (baseUrl, address, outcome) => {
      for (const shown of [{ code: "ECONNREFUSED" }, { syscall: "connect" }, { syscall: "getaddrinfo" }]) {
        const thrown = Object.assign(new Error("refused"), shown, address);
        const wallet = clientWith(() => Promise.reject(thrown), { baseUrl, retries: 0 });
        expect((await wallet.createTransfer({ body: transfer })).error).toMatchObject({ kind: "network", outcome });
      }
    },
  );

  it.each<[name: string, server: () => Server, address?: string]>([
    ["whose certificate is not trusted", () => createSecureServer(untrustedCertificate())],
    ["that speaks no TLS", () => createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 No\r\n\r\n"))],
    ["whose name is unknown", () => createServer(), "https://api.invalid"],
  ])("is not-sent, after a retry, for an address %s", async (_name, makeServer, address) => {
    let requestCount = 0;
    const server = makeServer().on("request", () => {
      requestCount += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const lookup = vi
      .spyOn(dns, "lookup")
      .mockImplementation(((host: string, _options: object, callback: DnsCallback) =>
        callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }))) as never);
    const baseUrl = address ?? `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const wallet = createPartnerClient({ baseUrl, apiKey: "key-4711", retries: 1 });
    const { error } = await wallet.createTransfer({ body: transfer });
    lookup.mockRestore();
    server.close();
    expect(error).toMatchObject({ kind: "network", outcome: "not-sent", attempts: 2 });
    expect(requestCount).toBe(0);
  });

  it.each(["expect", "transfer-encoding", "content-length", "upgrade", "keep-alive"])(
    "is not-sent for a header that fetch refuses: %s",
    async (name) => {
      const listener = vi.fn();
      const { url, close } = await serveOnLoopback(listener);
      const options = { baseUrl: url, apiKey: "key-4711" };
      const onRequest = ({ headers }: { headers: Headers }) => headers.set(name, "3");
      const resultOfCall = await createPartnerClient(options).createTransfer({
        body: transfer,
        headers: { [name]: "3" },
      });
      const resultOfHook = await createPartnerClient({ ...options, onRequest }).createTransfer({ body: transfer });
      await close();
      for (const { error } of [resultOfCall, resultOfHook]) {
        expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
      }
      expect(resultOfCall.error?.message).toContain(name);
      expect(() => createPartnerClient({ ...options, headers: { [name]: "3" } })).toThrow(name);
      expect(listener).not.toHaveBeenCalled();
    },
  );

  it("is not-sent when the call is aborted in the same tick or after 100 promises, and the server receives nothing", async () => {
    const listener = vi.fn((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("{}"),
    );
    const { url, close } = await serveOnLoopback(listener);
    const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711" });
    // Opens a keep-alive connection, to which a later request would be written immediately.
    await wallet.getPartnerBalances();
    const abortAfterPromises = async (abort: () => void) => {
      for (let count = 0; count < 100; count += 1) await undefined;
      abort();
    };
    const abortTimings: ((abort: () => void) => void)[] = [
      queueMicrotask,
      process.nextTick,
      (abort) => abort(),
      abortAfterPromises,
    ];
    for (const scheduleAbort of abortTimings) {
      const controller = new AbortController();
      const result = wallet.createTransfer({ body: transfer, signal: controller.signal });
      scheduleAbort(() => controller.abort());
      expect((await result).error).toMatchObject({ kind: "aborted", outcome: "not-sent" });
    }
    await close();
    expect(listener).toHaveBeenCalledOnce();
  });

  it("is not not-sent after 421, on which fetch itself repeats the request", async () => {
    let requestCount = 0;
    const { url, close } = await serveOnLoopback((request, response) => {
      requestCount += 1;
      request.resume().on("end", () => response.writeHead(421, { connection: "close" }).end());
    });
    const { error } = await createPartnerClient({ baseUrl: url, apiKey: "key-4711" }).createTransfer({
      body: transfer,
    });
    await close();
    expect([requestCount, error?.kind, error?.status]).toEqual([2, "unexpected-response", 421]);
    expect(error?.outcome).not.toBe("not-sent");
  });

  it("stays unknown when a second attempt is refused after a first one of unknown outcome", async () => {
    const { wallet } = clientWithResponses(makeThrower("fetch failed"), () => refusalResponse("P433"));
    const { error } = await wallet.createTransfer({ body: transfer, repeatUnknown: true });
    expect(error).toMatchObject({ errorCode: "P433", outcome: "unknown" });
  });
});

function clientWithResponses(...responses: (() => Response | Promise<Response>)[]) {
  const log: LogEvent[] = [];
  let callCount = 0;
  const wallet = clientWith(
    async () => {
      const response = responses[Math.min(callCount, responses.length - 1)];
      callCount += 1;
      return (response as () => Response)();
    },
    { logger: (event) => log.push(event) },
  );
  return { wallet, log };
}

/** Runs `work` with fake timers, so that pauses take no real time. `elapsed` is in fake milliseconds. */
async function withFakeTimers<Result>(work: () => Promise<Result>): Promise<{ result: Result; elapsedMs: number }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const startedAt = performance.now();
    let elapsedMs = -1;
    const workPromise = work().finally(() => {
      elapsedMs = performance.now() - startedAt;
    });
    while (elapsedMs < 0) await vi.advanceTimersByTimeAsync(10);
    return { result: await workPromise, elapsedMs };
  } finally {
    vi.useRealTimers();
  }
}

// Loads the texts of errors now, because loading may time out with fake timers.
beforeAll(() => clientWith(async () => jsonResponse(503, {}), { retries: 0 }).getPartnerBalances());

describe("Retry-After", () => {
  it.each(["-1", "2;", "soon", "120s", "", "0", "Wed, 21 Oct 2015 07:28:00 GMT"])(
    "with the value %j is ignored",
    async (value) => {
      const respondBusy = () => jsonResponse(429, {}, { "retry-after": value });
      const { wallet, log } = clientWithResponses(respondBusy);
      const { elapsedMs } = await withFakeTimers(() => wallet.getPartnerBalances({ retries: 1 }));
      expect(log).toHaveLength(2);
      expect(elapsedMs).toBeGreaterThanOrEqual(124);
    },
  );

  it.each([
    ["1.5", 1490],
    ["1", 990],
  ])("of %s seconds is waited for", async (value, minElapsedMs) => {
    const { wallet, log } = clientWithResponses(
      () => jsonResponse(429, {}, { "retry-after": value }),
      () => jsonResponse(200, {}),
    );
    const { result, elapsedMs } = await withFakeTimers(() => wallet.getPartnerBalances());
    expect(result.error).toBeUndefined();
    expect(elapsedMs).toBeGreaterThanOrEqual(minElapsedMs);
    expect(log).toHaveLength(2);
  });

  it("in the past retries at once", async () => {
    const { wallet, log } = clientWithResponses(
      () => jsonResponse(429, {}, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }),
      () => jsonResponse(200, {}),
    );
    await withFakeTimers(() => wallet.getPartnerBalances({ timeoutMs: Infinity }));
    expect(log).toHaveLength(2);
  });

  it.each(["Wed, 21 Oct 2099 07:28:00 GMT", "61"])(
    "more than a minute ahead ends the call, even without a timeout: %s",
    async (retryAfter) => {
      const { wallet, log } = clientWithResponses(() => jsonResponse(503, {}, { "retry-after": retryAfter }));
      expect((await wallet.getPartnerBalances({ timeoutMs: Infinity })).status).toBe(503);
      expect(log).toHaveLength(1);
    },
  );

  it("is followed by a random delay, so that clients do not retry at the same moment", async () => {
    const { result: delays } = await withFakeTimers(() =>
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const { wallet } = clientWithResponses(
            () => jsonResponse(429, {}, { "retry-after": "0.3" }),
            () => jsonResponse(200, {}),
          );
          const startedAt = performance.now();
          await wallet.getPartnerBalances();
          return performance.now() - startedAt;
        }),
      ),
    );
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(299);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(15);
  });
});

describe("all calls of a client", () => {
  it("share a budget of retries, so that an outage does not multiply requests", async () => {
    let isDown = true;
    const { client, sentRequests } = recordingClient(() => jsonResponse(isDown ? 503 : 200, {}));
    await Promise.all(Array.from({ length: 300 }, () => client.getPartnerBalances()));
    expect(sentRequests.splice(0)).toHaveLength(320);
    isDown = false;
    for (let index = 0; index < 11; index += 1) await client.getPartnerBalances();
    isDown = true;
    sentRequests.splice(0);
    await client.getPartnerBalances();
    expect(sentRequests).toHaveLength(2);
  });

  it.each([
    [0, 10],
    [Infinity, 20],
  ])("with retryBudget %s send %i requests", async (retryBudget, times) => {
    const { client, sentRequests } = recordingClient(() => jsonResponse(503, {}), { retryBudget, retries: 1 });
    await Promise.all(Array.from({ length: 10 }, () => client.getPartnerBalances()));
    expect(sentRequests).toHaveLength(times);
  });

  it("are sent in order, at most maxConcurrent at a time", async () => {
    let openRequests = 0;
    let maxOpenRequests = 0;
    const order: string[] = [];
    const wallet = clientWith(
      async (request) => {
        order.push(new URL(request.url).pathname.slice(-2));
        openRequests += 1;
        maxOpenRequests = Math.max(maxOpenRequests, openRequests);
        await new Promise((resolve) => setTimeout(resolve, 10));
        openRequests -= 1;
        return jsonResponse(200, {});
      },
      { maxConcurrent: 3 },
    );
    const pathOption = (index: number) => ({ path: { externalUserId: String(10 + index) } });
    const soonAbortedSignal = AbortSignal.timeout(5);
    const calls = Array.from({ length: 12 }, (_, index) =>
      wallet.getUserBalances({ ...pathOption(index), ...(index === 5 ? { signal: soonAbortedSignal } : {}) }),
    );
    const errors = (await Promise.all(calls)).map(({ error }) => error && [error.kind, error.outcome]);
    expect(errors.filter(Boolean)).toEqual([["aborted", "not-sent"]]);
    expect([maxOpenRequests, order]).toEqual([3, ["10", "11", "12", "13", "14", "16", "17", "18", "19", "20", "21"]]);
    const lateResults = await Promise.all(
      [undefined, undefined, undefined, 5].map((timeoutMs) => wallet.createTransfer({ body: transfer, timeoutMs })),
    );
    expect(lateResults.map(({ error }) => error?.outcome)).toEqual(["unknown", "unknown", "unknown", "not-sent"]);
    expect((await wallet.getUserBalances(pathOption(0))).error).toBeUndefined();
  });

  it("wait for their turn within their timeout", async () => {
    let requestCount = 0;
    const fetch: Fetch = () => {
      requestCount += 1;
      return new Promise((resolve) => requestCount === 1 && setTimeout(() => resolve(createdResponse()), 700));
    };
    const wallet = clientWith(fetch, { maxConcurrent: 1, timeoutMs: 1000, retries: 0 });
    const { result, elapsedMs } = await withFakeTimers(async () => {
      const calls = [1, 2].map(() => wallet.createTransfer({ body: transfer }));
      return (await Promise.all(calls)).map(({ error }) => error?.kind);
    });
    expect([requestCount, result]).toEqual([2, [undefined, "timeout"]]);
    expect(Math.abs(elapsedMs - 1000)).toBeLessThan(100);
  });
});

async function attemptsOf(response: number | string | undefined, operation: "read" | "pay", options: object = {}) {
  const retryNow = { "retry-after": "0" };
  const { wallet, log } = clientWithResponses(() => {
    if (response === undefined) throw new TypeError("fetch failed");
    return typeof response === "number"
      ? jsonResponse(response, {}, retryNow)
      : jsonResponse(400, { errorCode: response }, retryNow);
  });
  await withFakeTimers<unknown>(() =>
    operation === "read" ? wallet.getPartnerBalances(options) : wallet.createTransfer({ body: transfer, ...options }),
  );
  expect(JSON.stringify(log)).not.toMatch(/4711|user-1042/);
  return log.length;
}

describe("the number of attempts", () => {
  it.each([
    ["a read after P501, which may pass", "P501", "read", {}, 3],
    ["a read after P500, of which nothing is known", "P500", "read", {}, 1],
    ["a read after a refusal", "P403", "read", {}, 1],
    ["a read after a broken connection", undefined, "read", {}, 3],
    ["a read without retries", "P501", "read", { retries: 0 }, 1],
    ...[502, 503, 504].map((status) => [`a read after ${status}`, status, "read", {}, 3] as const),
    ...[500, 501, 505].map((status) => [`a read after ${status}`, status, "read", {}, 1] as const),
    ["a payment after 502", 502, "pay", {}, 1],
    ["a payment after P501", "P501", "pay", {}, 1],
    ["a payment after P501, with retries", "P501", "pay", { retries: 2 }, 1],
    ["a payment after P501, whatever its outcome", "P501", "pay", { repeatUnknown: true }, 3],
    ["a payment after 503, whatever its outcome", 503, "pay", { repeatUnknown: true }, 1],
    ["a payment after a broken connection, with retries", undefined, "pay", { retries: 2 }, 1],
    ["a payment after a broken connection, whatever its outcome", undefined, "pay", { repeatUnknown: true }, 3],
    ["a payment after 429", 429, "pay", {}, 3],
    ["a payment after 429, without retries", 429, "pay", { retries: 0 }, 1],
  ] as const)("is as expected for %s (%s): %s %j, %i times", async (_name, response, operation, options, times) => {
    expect(await attemptsOf(response, operation, options)).toBe(times);
  });

  it("is 1 when Retry-After exceeds the timeout of the call", async () => {
    const { wallet, log } = clientWithResponses(() => jsonResponse(429, {}, { "retry-after": "3600" }));
    expect((await wallet.getPartnerBalances()).error?.status).toBe(429);
    expect(log).toMatchObject([
      { operationId: "getPartnerBalances", method: "GET", path: "/v1/partner/balances", attempt: 1 },
    ]);
  });
});

describe("a read", () => {
  it("is retried when one attempt hangs, since each attempt has its own timeout", async () => {
    const { wallet, log } = clientWithResponses(
      () => new Promise<Response>(() => {}),
      () => jsonResponse(200, {}),
    );
    expect((await wallet.getPartnerBalances({ attemptTimeoutMs: 30, timeoutMs: 5_000 })).error).toBeUndefined();
    expect(log.map(({ kind }) => kind)).toEqual(["timeout", undefined]);
  });

  it("ends when all its attempts together reach its timeout", async () => {
    const { wallet, log } = clientWithResponses(
      () => new Promise<Response>((resolve) => setTimeout(() => resolve(jsonResponse(503, {})), 600)),
      () => new Promise<Response>(() => {}),
    );
    const { elapsedMs } = await withFakeTimers(() => wallet.getPartnerBalances({ timeoutMs: 2_000 }));
    expect(Math.abs(elapsedMs - 2_000)).toBeLessThan(100);
    expect(log.map(({ kind }) => kind)).toEqual(["unexpected-response", "timeout"]);
  });
});

it("a timeout does not depend on the system time", async () => {
  const realNow = Date.now;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => realNow() - 60_000);
  try {
    const wallet = clientWith(async () => {
      spy.mockImplementation(() => realNow() - 3_600_000);
      return jsonResponse(429, {}, { "retry-after": "0.05" });
    });
    const startedAt = performance.now();
    await wallet.getPartnerBalances({ timeoutMs: 200, retries: 10 });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  } finally {
    spy.mockRestore();
  }
});

it("a call that moves money has no headers but the documented ones and the package version", async () => {
  const { client, sentRequests } = recordingClient();
  await client.createTransfer({ body: transfer });
  const { headers } = sentRequests[0] ?? expect.fail();
  expect([...headers.keys()].sort()).toEqual(["accept", "content-type", "user-agent", "x-api-key"]);
  expect(headers.get("user-agent")).toMatch(/^partner-wallet-api\/\d+\.\d+\.\d+$/);
});

describe("the logger", () => {
  const clientWithLog = (
    clientOptions: Partial<Parameters<typeof clientWith>[1]> = {},
    fetch: Fetch = async () => createdResponse(),
  ) => {
    const log: LogEvent[] = [];
    return { log, wallet: clientWith(fetch, { retries: 0, logger: (event) => log.push(event), ...clientOptions }) };
  };

  it("receives calls that end without a sent request: refused, aborted or timed out", async () => {
    const { log, wallet } = clientWithLog({ maxConcurrent: 1 }, () => new Promise(() => {}));
    await wallet.createTransfer({ body: { ...transfer, amount: "1,00" as never } });
    await wallet.createTransfer({ body: transfer, signal: AbortSignal.abort() });
    await withFakeTimers(() =>
      Promise.all([20, 5].map((timeoutMs) => wallet.createTransfer({ body: transfer, timeoutMs }))),
    );
    expect(log.map(({ attempt, kind, outcome }) => [attempt, kind, outcome])).toEqual([
      [0, "invalid-request", "not-sent"],
      [1, "aborted", "not-sent"],
      [0, "timeout", "not-sent"],
      [1, "timeout", "unknown"],
    ]);
    expect(log[0]).toMatchObject({ operationId: "createTransfer", method: "POST", path: "/v1/transfer" });
  });

  it("receives the outcome and the request id, of successes too", async () => {
    const responses = [jsonResponse(201, { transferId: "t" }, { "x-request-id": "req-1" }), refusalResponse("P433")];
    responses[1]?.headers.set("request-id", "req-2");
    const { log, wallet } = clientWithLog({}, async () => responses[log.length] as Response);
    await wallet.createTransfer({ body: transfer });
    await wallet.createTransfer({ body: transfer });
    expect(log).toMatchObject([
      { status: 201, outcome: undefined, requestId: "req-1" },
      { status: 400, errorCode: "P433", outcome: "refused", requestId: "req-2" },
    ]);
  });
});
