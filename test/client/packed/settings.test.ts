import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { createPartnerClient } from "partner-wallet-api";
import { createClient, createTransfer } from "partner-wallet-api/operations";
import { createRawClient } from "partner-wallet-api/raw";
import { Agent, fetch as undiciFetch } from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  clientWith,
  createdResponse,
  type Fetch,
  jsonResponse,
  makeThrower,
  recordingClient,
  serveOnLoopback,
  transfer,
  transferId,
} from "./support.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function makeRecorder() {
  const sentRequests: string[] = [];
  const fetch = async (request: Request) => {
    sentRequests.push(`${new URL(request.url).host} ${request.headers.get("x-api-key")}`);
    return jsonResponse(200, {});
  };
  return { sent: sentRequests, fetch };
}

it.each(["base_url", "BASE_URL", "baseURL", "base-url"])(
  "an option named %s is refused with the right name",
  (name) => {
    expect(() => createPartnerClient({ [name]: "https://api.example", apiKey: "k" } as object)).toThrow(
      `There is no option "${name}". Write baseUrl.`,
    );
  },
);

describe("addresses and key", () => {
  const environments = {
    staging: { baseUrl: "https://staging.example", apiKey: "staging-key-4711" },
    production: { baseUrl: "https://production.example", apiKey: "production-key-4711" },
  };

  it("come from the environment that an option or a variable names", async () => {
    const { sent, fetch } = makeRecorder();
    await createPartnerClient({ environments, environment: "staging", fetch }).getPartnerBalances();
    vi.stubEnv("PARTNER_WALLET_ENVIRONMENT", "production");
    await createPartnerClient({ environments, fetch }).getPartnerBalances();
    expect(sent).toEqual(["staging.example staging-key-4711", "production.example production-key-4711"]);
  });

  it.each<[optionsOfOneSource: object, missingOption: string]>([
    [{ baseUrl: "https://staging.example" }, "apiKey"],
    [{ apiKey: "staging-key-4711" }, "baseUrl"],
    [{ depositBaseUrl: "https://staging.example" }, "baseUrl"],
  ])(
    "from two sources are refused, because the key could go to another environment: %j",
    (optionsOfOneSource, missingOption) => {
      vi.stubEnv("PARTNER_WALLET_BASE_URL", "https://production.example");
      vi.stubEnv("PARTNER_WALLET_API_KEY", "production-key-4711");
      const environmentOptions = { environments, environment: "production" };
      for (const otherOptions of [{}, environmentOptions]) {
        const make = () => createPartnerClient({ ...optionsOfOneSource, ...otherOptions });
        expect(make).toThrow(TypeError);
        expect(make).toThrow(`${missingOption} must come from one source`);
        expect(make).not.toThrow("4711");
      }
    },
  );

  it("are the options if both are given, whatever the environments are", async () => {
    const { sent, fetch } = makeRecorder();
    const options = { baseUrl: "https://other.example", apiKey: "other-key-4711", fetch };
    await createPartnerClient({ ...options, environments }).getPartnerBalances();
    expect(sent).toEqual(["other.example other-key-4711"]);
  });

  it("never send a key option to a deposit address from environment variables", async () => {
    const { sent, fetch } = makeRecorder();
    vi.stubEnv("PARTNER_WALLET_DEPOSIT_BASE_URL", "https://production.example");
    const wallet = createPartnerClient({ baseUrl: "https://staging.example", apiKey: "staging-key-4711", fetch });
    const { error } = await wallet.getCryptoDepositDetails({ query: { externalId: "x" } });
    expect([error?.kind, sent]).toEqual(["invalid-request", []]);
  });

  it("of a named environment are not completed from variables, which may belong to another environment", () => {
    vi.stubEnv("PARTNER_WALLET_API_KEY", "production-key-4711");
    const incompleteEnvironments = { staging: { baseUrl: "https://staging.example" } };
    expect(() => createPartnerClient({ environments: incompleteEnvironments, environment: "staging" })).toThrow(
      "apiKey",
    );
  });

  it("and other options are not read from a polluted prototype", async () => {
    const pollutedMembers = { baseUrl: "https://evil.example", retries: 3, safe: true, deposit: true };
    Object.assign(Object.prototype, pollutedMembers);
    try {
      const { client, sentRequests } = recordingClient(makeThrower("fetch failed"));
      await client.createTransfer({ body: transfer });
      expect(sentRequests.map(({ url }) => url)).toEqual(["https://api.example/v1/transfer"]);
    } finally {
      for (const name of Object.keys(pollutedMembers)) Reflect.deleteProperty(Object.prototype, name);
    }
  });

  it("come from variables when nothing else is given", async () => {
    const { sent, fetch } = makeRecorder();
    vi.stubEnv("PARTNER_WALLET_BASE_URL", "https://variable.example");
    vi.stubEnv("PARTNER_WALLET_DEPOSIT_BASE_URL", "https://deposits.example");
    vi.stubEnv("PARTNER_WALLET_API_KEY", "variable-key-4711");
    const wallet = createPartnerClient({ fetch });
    await wallet.getPartnerBalances();
    await wallet.getCryptoDepositDetails({ query: { externalId: "x" } });
    expect(sent).toEqual(["variable.example variable-key-4711", "deposits.example variable-key-4711"]);
  });

  it.each<[name: string, options: object, text: string]>([
    ["an environment that does not exist", { environments, environment: "prod" }, "staging, production"],
    ["an environment without settings", { environments: { staging: null }, environment: "staging" }, "one of staging"],
    ["null in place of environments", { environments: null }, "Got undefined. Set it, or PARTNER_WALLET_BASE_URL."],
    ["null in place of options", null as never, "baseUrl must be an absolute URL"],
    ["environments without a choice", { environments }, "or PARTNER_WALLET_ENVIRONMENT must be one of staging, prod"],
    ["an environment with a wrong name", { environments: { a: { baseURL: "x" } }, environment: "a" }, "Write baseUrl."],
    ["an environment without environments", { environment: "staging" }, "environments"],
    ["an edition that does not exist", { edition: "tset" }, "edition must be one of latest, test"],
    ["a base URL that ends in /v1", { baseUrl: "https://api.example/v1/", apiKey: "k" }, "/v1"],
    [
      "an option that does not exist",
      { baseUrl: "https://api.example", apiKey: "k", timeout: 5 },
      'no option "timeout"',
    ],
  ])("%s is a clear error when the client is made", (_name, options, text) => {
    expect(() => createPartnerClient(options)).toThrow(TypeError);
    expect(() => createPartnerClient(options)).toThrow(text);
  });

  it.each([
    ["baseUrl", undefined],
    ["baseUrl", ""],
    ["baseUrl", "api.example"],
    ["baseUrl", "ftp://api.example"],
    ["baseUrl", "https://user:secret@api.example"],
    ["baseUrl", "https://api.example?x=1"],
    ["depositBaseUrl", ""],
    ["apiKey", undefined],
    ["apiKey", ""],
    ["apiKey", "canary\nkey"],
    ["onDeviation", "console.log"],
    ["maxConcurrent", 0],
    ["maxConcurrent", 1.5],
    ["timeoutMs", -1],
    ["retryBudget", -1],
    ["maxResponseBytes", 0],
  ])("%s = %j is a clear error when the client is made", (name, value) => {
    const make = () => createPartnerClient({ baseUrl: "https://api.example", apiKey: "key", [name]: value });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(name);
    expect(make).not.toThrow(/canary|secret/);
  });

  it.each([
    [undefined, "undefined"],
    ["", "an empty string"],
    [5, "5"],
    [{}, "an object"],
    [true, "a boolean"],
  ])("apiKey = %j is described as %s", (apiKey, description) => {
    const make = () => createPartnerClient({ baseUrl: "https://api.example", apiKey: apiKey as string });
    expect(make).toThrow(`Got ${description}.`);
  });

  it.each([
    ["retries", Number.NaN],
    ["retries", -1],
    ["retries", 0.5],
    ["retries", 11],
    ["retries", "3"],
    ["timeoutMs", Number.NaN],
    ["timeoutMs", "100"],
    ["attemptTimeoutMs", -5],
  ])("%s = %j is refused by the client and by a call, and nothing is sent", async (name, value) => {
    const { client, sentRequests } = recordingClient();
    const make = () => recordingClient(createdResponse, { [name]: value });
    expect(make).toThrow(new RegExp(`^${name} must be a (whole )?number from`));
    const { error } = await client.getPartnerBalances({ [name]: value });
    expect([error?.kind, sentRequests]).toEqual(["invalid-request", []]);
    expect(error?.message).toContain(name);
  });

  it("without a deposit address only the operation that needs it fails", async () => {
    const { sent, fetch } = makeRecorder();
    const wallet = createPartnerClient({ baseUrl: "https://api.example", apiKey: "key-4711", fetch });
    expect((await wallet.getPartnerBalances()).error).toBeUndefined();
    const { error } = await wallet.getCryptoDepositDetails({ query: { externalId: "x" } });
    expect(error).toMatchObject({ kind: "invalid-request", outcome: "not-sent" });
    expect(error?.message).toContain("depositBaseUrl");
    expect(sent).toHaveLength(1);
  });

  it("are not shown when a client is printed", () => {
    const wallet = clientWith(async () => createdResponse());
    const client = createClient({ baseUrl: "https://api.example", apiKey: "key-of-the-test-4711" });
    for (const printedClient of [wallet, client]) {
      expect(inspect(printedClient, { depth: 9, showHidden: true })).not.toContain("4711");
      expect(JSON.stringify(printedClient)).not.toContain("4711");
    }
  });
});

it("a header that cannot be sent is refused without showing its value, for a client, a call and a hook", async () => {
  const headers = { authorization: "Bearer canary-token\nx" };
  const make = () => recordingClient(createdResponse, { headers });
  expect(make).toThrow("headers");
  expect(make).not.toThrow("canary");
  const onRequest = (attempt: { headers: Headers }) => attempt.headers.set("authorization", headers.authorization);
  for (const { error } of [
    await recordingClient().client.createTransfer({ body: transfer, headers }),
    await recordingClient(createdResponse, { onRequest }).client.createTransfer({ body: transfer }),
  ]) {
    expect(error?.kind).toBe("invalid-request");
    expect(inspect(error, { depth: 9 })).not.toContain("canary");
  }
});

describe("printed output", () => {
  it("of an error contains no text of the service but its timestamp, and no getter", async () => {
    const timestamp = "2026-03-14T09:26:53.589Z";
    const fetch = async () =>
      jsonResponse(400, { errorCode: "P433", errorName: "insufficient-funds", errorMessage: "Lena has 5", timestamp });
    const { error } = await clientWith(fetch).createTransfer({ body: transfer });
    const shownText = [inspect(error), JSON.stringify(error), JSON.stringify({ ...error }), String(error)].join();
    expect(shownText).not.toMatch(/Lena|insufficient-funds|Getter|cause:/);
    expect(shownText).toContain(timestamp);
    expect([error?.errorName, error?.errorMessage]).toEqual(["insufficient-funds", "Lena has 5"]);
    const unsentError = (await clientWith(() => Promise.reject(new Error("own words"))).getPartnerBalances()).error;
    expect(inspect(unsentError)).toMatch(/cause: Error: own words/);
    expect(inspect({ nested: { error } })).toContain("P433");
  });

  it("of an error is bounded and on one line", async () => {
    const fetch = async () =>
      jsonResponse(400, { errorCode: `P1\n2026 ERROR ${"x".repeat(1e6)}`, errorMessage: "y".repeat(1e6) });
    const { error } = await clientWith(fetch).createTransfer({ body: transfer });
    expect(error?.message.split("\n")).toHaveLength(1);
    expect(JSON.stringify(error).length).toBeLessThan(10_000);
  });

  it("of explain contains no sensitive value and no key", async () => {
    const wallet = clientWith(async () => createdResponse());
    const email = "lena.vogel@mail.example";
    const body = { email, city: `write to ${email}, key-of-the-test-4711` };
    const { curl } = await wallet.explain("updateUser", { path: { externalUserId: "user-1042" }, body });
    expect(curl).not.toMatch(/lena|4711/);
  });
});

it.each([
  ["https://api.example", 1],
  ["https://localhost.example", 1],
  ["http://127.0.0.1:4010", 0],
  ["http://localhost:4010", 0],
])("a key in a browser at %s causes %s warnings", (baseUrl, times) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("document", {});
  createPartnerClient({ baseUrl, apiKey: "key-4711" });
  expect(warn).toHaveBeenCalledTimes(times);
  expect(JSON.stringify(warn.mock.calls)).not.toContain("4711");
});

describe("an address that begins with http://", () => {
  it.each(["http://api.example", "http://10.0.0.1", "http://localhost.example"])("is refused: %s", (baseUrl) => {
    expect(() => createPartnerClient({ baseUrl, apiKey: "key-4711" })).toThrow(/clear text.*allowInsecure/);
    expect(() => createPartnerClient({ baseUrl: "https://a.example", depositBaseUrl: baseUrl, apiKey: "k" })).toThrow(
      /^depositBaseUrl/,
    );
    createPartnerClient({ baseUrl, apiKey: "key-4711", allowInsecure: true });
  });

  it.each(["http://localhost:4010", "http://wallet.localhost", "http://127.0.0.2:1", "http://[::1]:1"])(
    "is accepted for this machine: %s",
    (baseUrl) => {
      createPartnerClient({ baseUrl, apiKey: "key-4711" });
    },
  );
});

describe("the body of a response", () => {
  it("is read no further than maxResponseBytes, and the call is not repeated", async () => {
    let chunkCount = 0;
    let callCount = 0;
    const fetch = async () => {
      callCount += 1;
      const body = new ReadableStream({
        pull(controller) {
          chunkCount += 1;
          controller.enqueue(new Uint8Array(2 ** 20).fill(32));
        },
      });
      return new Response(body, { status: 503, headers: { "content-type": "application/json" } });
    };
    const { error } = await clientWith(fetch).getPartnerBalances();
    expect(error).toMatchObject({ kind: "unexpected-response", status: 503 });
    expect(error?.message).toContain("larger than 10485760 bytes (maxResponseBytes)");
    expect([callCount, chunkCount < 14]).toEqual([1, true]);
    const rules: string[] = [];
    const settings = { maxResponseBytes: 10, onDeviation: ({ rule }: { rule: string }) => void rules.push(rule) };
    const text = '{"fiatBalances":[],"cryptoBalances":[]}';
    const exactLimit = { maxResponseBytes: text.length };
    expect((await clientWith(async () => new Response(text), exactLimit).getPartnerBalances()).error).toBeUndefined();
    const smallLimitClient = clientWith(async () => new Response(text), {
      ...settings,
      maxResponseBytes: text.length - 1,
    });
    expect((await smallLimitClient.getPartnerBalances()).error?.message).toContain(
      `larger than ${text.length - 1} bytes`,
    );
    const headers = { "content-type": "application/json", "content-length": "10" };
    const lyingClient = clientWith(async () => new Response('{"fiatBalances":[]}', { headers }), settings);
    expect((await lyingClient.getPartnerBalances()).error?.message).toContain("larger than 10 bytes");
    // A custom `fetch` may return an object with only some members of Response.
    const bareResponse = { status: 200, headers: new Headers(headers), text: async () => text } as Response;
    const { onDeviation } = settings;
    expect((await clientWith(async () => bareResponse, { onDeviation }).getPartnerBalances()).error).toBeUndefined();
    expect(rules).toEqual([]);
  });

  it("is limited after decompression", async () => {
    const compressedBytes = gzipSync(Buffer.alloc(2 ** 25, 32));
    const server = await serveOnLoopback((_request, response) =>
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(compressedBytes),
    );
    const { error } = await createPartnerClient({ baseUrl: server.url, apiKey: "key-4711" }).getPartnerBalances();
    await server.close();
    expect(error?.message).toContain("maxResponseBytes");
  });

  it.each([
    ["deep", "[".repeat(5_000_000)],
    ["deep and complete", `{"fiatBalances":${"[".repeat(2_000_000)}${"]".repeat(2_000_000)}}`],
    ["long", `{"fiatBalances":[${"0,".repeat(4_000_000)}0]}`],
  ])("does not delay the program when it is %s", async (_name, text) => {
    const wallet = clientWith(async () => jsonResponse(200, text), { onDeviation: () => undefined });
    const cpuBefore = process.cpuUsage();
    const { error } = await wallet.getPartnerBalances();
    inspect(error);
    // The processor time of this process in microseconds: other programs on the machine hardly affect it.
    expect(process.cpuUsage(cpuBefore).user).toBeLessThan(10_000_000);
  });

  it("is decoded correctly wherever its chunks are split", async () => {
    const bytes = Buffer.from('{"fiatBalances":[],"a":"€"}');
    const start = (controller: ReadableStreamDefaultController) => {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    };
    const headers = { "content-type": "application/json" };
    const fetch = async () => new Response(new ReadableStream({ start }), { headers });
    const { data } = await clientWith(fetch).getUserBalances({ path: { externalUserId: "u" } });
    expect(data).toEqual({ fiatBalances: [], a: "€" });
  });

  it("that is not valid UTF-8 is a deviation", async () => {
    const rulesOf = async (bytes: Buffer<ArrayBuffer>) => {
      const rules: string[] = [];
      const fetch = async () => new Response(bytes, { headers: { "content-type": "application/json" } });
      const client = clientWith(fetch, { onDeviation: ({ rule }) => void rules.push(rule) });
      await client.getUserBalances({ path: { externalUserId: "u" } });
      return rules;
    };
    expect(await rulesOf(Buffer.from('{"fiatBalances":[],"a":"M\xfcller"}', "latin1"))).toContain("encoding");
    expect(await rulesOf(Buffer.from('{"fiatBalances":[],"a":"M\xfcller\ufffd"}'))).not.toContain("encoding");
  });
});

describe("fetch", () => {
  it("can come from another copy of undici, with its own Request and FormData", async () => {
    const bodies: string[] = [];
    const server = await serveOnLoopback(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      bodies.push(`${request.headers["x-api-key"]} ${request.headers["content-type"]} ${Buffer.concat(chunks)}`);
      response.writeHead(201, { "content-type": "application/json" }).end('{"transferId":"t","message":"ok"}');
    });
    const fetch = undiciFetch as unknown as Fetch;
    const wallet = createPartnerClient({ baseUrl: server.url, apiKey: "key-4711", fetch });
    expect((await wallet.createTransfer({ body: transfer })).data).toMatchObject({ transferId: "t" });
    const front_id = new File(["image"], "front.png", { type: "image/png" });
    expect((await wallet.addKycFiles({ path: { externalUserId: "u" }, body: { front_id } })).error).toBeUndefined();
    await server.close();
    expect(bodies[0]).toBe(`key-4711 application/json ${JSON.stringify(transfer)}`);
    expect(bodies[1]).toMatch(/^key-4711 multipart\/form-data; boundary=.*filename="front.png".*image/s);
  });

  it("uses the connections of an undici dispatcher", async () => {
    const ports = new Set<number | undefined>();
    const server = await serveOnLoopback((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume().once("end", () => response.setHeader("content-type", "application/json").end("{}"));
    });
    const dispatcher = new Agent({ connections: 1 });
    const wallet = createPartnerClient({ baseUrl: server.url, apiKey: "key-4711", fetchOptions: { dispatcher } });
    for (let index = 0; index < 3; index += 1) expect((await wallet.getPartnerBalances()).error).toBeUndefined();
    expect((await wallet.updateUser({ path: { externalUserId: "u" }, body: { city: "Berlin" } })).status).toBe(200);
    await dispatcher.close();
    const { error } = await wallet.getPartnerBalances({ retries: 0 });
    await server.close();
    expect(ports.size).toBe(1);
    expect(error?.kind).toBe("network");
  });

  it("of the global scope is looked up for every call, so that tools can replace it", async () => {
    const wallet = createPartnerClient({ baseUrl: "https://api.example", apiKey: "key-4711" });
    vi.stubGlobal("fetch", async () => createdResponse());
    expect((await wallet.createTransfer({ body: transfer })).data).toEqual({ transferId });
  });

  it("follows no redirect, whatever fetchOptions say", async () => {
    const requestedPaths: (string | undefined)[] = [];
    const server = await serveOnLoopback((request, response) => {
      requestedPaths.push(request.url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const fetchOptions = { redirect: "follow" } as object;
    const wallet = createPartnerClient({ baseUrl: server.url, apiKey: "key-4711", fetchOptions });
    expect((await wallet.getPartnerBalances()).error).toMatchObject({ kind: "unexpected-response", status: 302 });
    await server.close();
    expect(requestedPaths).toEqual(["/v1/partner/balances"]);
  });
});

describe("hooks", () => {
  it("run for every attempt, can set its headers, and receive the response or the error", async () => {
    const hookCalls: unknown[] = [];
    const traces: (string | null)[] = [];
    const wallet = clientWith(
      async (request) => {
        traces.push(request.headers.get("traceparent"));
        if (traces.length === 1) throw new TypeError("fetch failed");
        return jsonResponse(200, {});
      },
      {
        onRequest: async ({ operationId, attempt, url, headers }) => {
          await Promise.resolve();
          headers.set("traceparent", `trace-${attempt}`);
          hookCalls.push([operationId, attempt, url]);
        },
        onResponse: ({ attempt, response, error, durationMs }) => {
          hookCalls.push([attempt, response?.status, error?.kind, durationMs >= 0]);
        },
      },
    );
    await wallet.getUserBalances({ path: { externalUserId: "user-1042" } });
    const url = "https://api.example/v1/user/balances/user-1042";
    expect(hookCalls).toEqual([
      ["getUserBalances", 1, url],
      [1, undefined, "network", true],
      ["getUserBalances", 2, url],
      [2, 200, undefined, true],
    ]);
    expect(traces).toEqual(["trace-1", "trace-2"]);
  });

  it("that never settle end at the timeout of the call", async () => {
    const wallet = clientWith(async () => createdResponse(), { onRequest: () => new Promise(() => {}) });
    const { error } = await wallet.createTransfer({ body: transfer, timeoutMs: 20 });
    expect(error).toMatchObject({ kind: "timeout", outcome: "not-sent" });
  });
});

it("openapi-fetch runs middleware for its own requests only", async () => {
  const paths: string[] = [];
  const wallet = clientWith(async () => jsonResponse(200, {}));
  const rawClient = createRawClient(wallet);
  rawClient.use({
    onRequest: ({ schemaPath }) => {
      paths.push(schemaPath);
    },
  });
  await wallet.getPartnerBalances();
  const { data } = await rawClient.GET("/v1/partner/balances");
  expect(data).toEqual({});
  expect(paths).toEqual(["/v1/partner/balances"]);
});

it("a call with null in place of options has none", async () => {
  const { client, sentRequests } = recordingClient();
  await client.getPartnerBalances(null as never);
  expect((await client.createTransfer(null as never)).error?.message).toBe("createTransfer: The body is missing.");
  expect(sentRequests).toHaveLength(1);
});

it("functions of the operations refuse an object that is not a client", () => {
  expect(() => createTransfer({} as never, { body: transfer })).toThrow(TypeError);
});
