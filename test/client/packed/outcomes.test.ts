import { generateKeyPairSync, sign } from "node:crypto";
import dns from "node:dns";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { createPartnerClient } from "partner-wallet-api";
import { Agent, ProxyAgent, setGlobalDispatcher } from "undici";
import { describe, expect, it, vi } from "vitest";
import { clientWith, clientWithResponses, makeThrower, refusalResponse, serveOnLoopback, transfer } from "./support.ts";

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

  async function expectNotSent(options: object) {
    const { url, close } = await serveOnLoopback(() => {});
    await close();
    const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711", retries: 1, ...options });
    const { error } = await wallet.createTransfer({ body: transfer });
    expect(error).toMatchObject({ kind: "network", outcome: "not-sent", attempts: 2 });
    expect(error?.message).toContain("ECONNREFUSED");
  }

  it.concurrent.each<[name: string, options: object]>([
    ["to the fetch of Node", {}],
    ["to a fetch of the partner", { fetch: (request: Request) => fetch(request) }],
    ["to a fetch that wraps the error", { fetch: (request: Request) => wrapErrors(fetch)(request) }],
    ["to a dispatcher of the partner", { fetchOptions: { dispatcher: new Agent() } }],
    ["to a dispatcher that was composed", { fetchOptions: { dispatcher: composedAgent } }],
  ])("is not-sent, after a retry, when the connection is refused %s", (_name, options) => expectNotSent(options));

  it.each<[name: string, replace: () => () => unknown]>([
    ["below a global dispatcher", () => setGlobalDispatcherUntilRestored(new Agent({ connections: 10 }))],
    [
      "below a fetch that an APM agent has replaced",
      () => {
        globalThis.fetch = wrapErrors(originalFetch);
        return () => {
          globalThis.fetch = originalFetch;
        };
      },
    ],
  ])("is not-sent, after a retry, when the connection is refused %s", async (_name, replace) => {
    const restore = replace();
    try {
      await expectNotSent({});
    } finally {
      restore();
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
        const errors = [firstError];
        // The source of a bound function and of a proxy is native code.
        for (const wrapper of [failingFetch, failingFetch.bind(undefined), new Proxy(failingFetch, {})]) {
          globalThis.fetch = wrapper;
          const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711" });
          errors.push((await wallet.createTransfer({ body: transfer })).error);
        }
        for (const error of errors) expect(error).toMatchObject({ kind: "network", outcome: "unknown", attempts: 1 });
        expect(transferCount).toBe(4);
      } finally {
        globalThis.fetch = originalFetch;
        await close();
      }
    },
  );

  it("is unknown after an abort whose reason is the failure of another connection", async () => {
    const controller = new AbortController();
    const reason = Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" });
    const { url, close } = await serveOnLoopback((request) => {
      request.resume().on("end", () => controller.abort(reason));
    });
    const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711" });
    const { error } = await wallet.createTransfer({ body: transfer, signal: controller.signal });
    expect(error).toMatchObject({ kind: "aborted", outcome: "unknown" });
    await close();
  });

  it("is unknown after a response that the client cannot interpret, which is not retried", async () => {
    const { error } = await clientWith((async () => ({ status: 201, text: async () => "{}" })) as never).createTransfer(
      {
        body: transfer,
        repeatUnknown: true,
      },
    );
    expect(error).toMatchObject({ kind: "unexpected-response", outcome: "unknown", attempts: 1 });
    expect(error?.message).toMatch(/^createTransfer: fetch returned no Response: /);
    expect(error?.cause).toBeInstanceOf(Error);
  });

  it("is unknown after a response that cannot be read at all", async () => {
    class UnreadableResponse extends Response {
      override get headers(): never {
        throw new Error("unreadable");
      }
    }
    const wallet = clientWith(async () => new UnreadableResponse('{"transferId":"t1"}', { status: 201 }));
    const { error } = await wallet.createTransfer({ body: transfer });
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1, cause: { message: "unreadable" } });
    expect(error?.message).toMatch(/^createTransfer: The client failed\./);
  });

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
      for (const errorMembers of [{ code: "ECONNREFUSED" }, { syscall: "connect" }, { syscall: "getaddrinfo" }]) {
        const thrownError = Object.assign(new Error("refused"), errorMembers, address);
        const wallet = clientWith(() => Promise.reject(thrownError), { baseUrl, retries: 0 });
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
