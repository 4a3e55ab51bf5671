import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { createPartnerClient } from "partner-wallet-api";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { readArguments } from "../../scripts/cli/kit/arguments.ts";
import { proxyCommand, runProxy } from "../../scripts/cli/package/proxy.ts";
import { serviceCommands } from "../../scripts/cli/package/service-commands.ts";
import type { Drift } from "../../scripts/service/judge.ts";
import { startProxy } from "../../scripts/service/proxy.ts";
import { formatDrift } from "../../scripts/service/report.ts";
import { readBody, serveInTest } from "../support/http.ts";
import { plan } from "../support/plan.ts";
import { key, type SeededService, serveSeeded, writeNothing } from "./seeded-service.ts";

let service: SeededService;
let reportedIds: (string | undefined)[];
let reportedDrift: (readonly Drift[])[];
let proxy: Awaited<ReturnType<typeof startProxy>>;

const start = (upstream: string, depositUpstream = upstream) =>
  startProxy(plan, {
    upstream,
    depositUpstream,
    port: 0,
    depositPort: 0,
    onCall: (operationId, drift) => {
      reportedIds.push(operationId);
      reportedDrift.push(drift);
    },
  });

async function startInTest(upstream: string) {
  const proxyInTest = await start(upstream);
  onTestFinished(async () => void (await proxyInTest.close()));
  return proxyInTest;
}

beforeAll(async () => {
  service = await serveSeeded();
  proxy = await start(service.url, service.depositUrl);
});
beforeEach(() => {
  reportedIds = [];
  reportedDrift = [];
  service.seed = undefined;
});
afterAll(() => Promise.all([proxy.close(), service.close()]));

async function linesAfter(calls: number): Promise<string[]> {
  await expect.poll(() => reportedDrift.length).toBe(calls);
  return reportedDrift.flat().map((drift) => formatDrift(drift));
}

it("reports nothing for a client that the mock answers", async () => {
  const wallet = createPartnerClient({ baseUrl: proxy.url, depositBaseUrl: proxy.depositUrl, apiKey: key });
  const results = [
    await wallet.getPartnerBalances(),
    await wallet.listUserCards({ path: { externalUserId: "user-1042" } }),
    await wallet.getUserBalances({ path: { externalUserId: "nobody" } }),
    await wallet.createOrderRateLock({ body: { currency: "btc", amount: "250.00", network: "btc" } }),
    await wallet.getCryptoDepositDetails({ query: { externalId: "475a0310-d619-430d-a417-38f514e20fc0" } }),
  ];
  expect(results.map(({ status }) => status)).toEqual([200, 200, 404, 201, 200]);
  expect(await linesAfter(5)).toEqual([]);
});

it("reports differences in a request and its response, without values and key", async () => {
  service.seed = { operation: "createOrderRateLock", set: { "/rate": `64000 ${key}` } };
  const init = { method: "POST", headers: { "x-api-key": key, "content-type": "application/json" } };
  const post = (body: object | string) =>
    fetch(`${proxy.url}/v1/order/lock-rate`, { ...init, body: JSON.stringify(body) });
  await post({ currency: "btc", amount: "250.00", network: "btc" });
  await post({ currency: "btc", amount: ["Lena Vogel"], network: "btc" });
  await post({ currency: "btc", amount: "250.00", network: "btc", amonut: "1.00", lenaSommer: 1, walletAddress: "x" });
  for (const body of ["Lena", ["Vogel"]]) await post(body);
  await fetch(`${proxy.url}/v1/order/lock-rates?name=Lena`);
  expect(await linesAfter(6)).toEqual([
    "createOrderRateLock 201 /rate: type, expected number, seen string [Q-lock-newer-shape]",
    "createOrderRateLock request: body: amount must be a text",
    "createOrderRateLock request: no field /*. Did you mean /amount?",
    "createOrderRateLock request: no field /*.",
    "createOrderRateLock request: no field /walletAddress",
    "createOrderRateLock 201 /rate: type, expected number, seen string [Q-lock-newer-shape]",
    "createOrderRateLock request: body: must be an object",
    "createOrderRateLock request: body: must be an object",
    "unknown path request: no path of the contract with GET; the nearest is /v1/order/lock-rate",
  ]);
});

it("masks names that may be data: with many digits, or with a slash", async () => {
  const headers = { "x-api-key": key };
  await fetch(`${proxy.url}/v1/partner/balances?4915112345678=1&id4915112345678=1&Lena%2Fid=1&id_2=1`, { headers });
  expect(await linesAfter(1)).toEqual([
    ...new Array(3).fill("getPartnerBalances request: no query parameter *."),
    "getPartnerBalances request: no query parameter id_2",
  ]);
});

it("judges a query that contains a question mark to its end", async () => {
  await fetch(`${proxy.url}/v1/partner/balances?id_2=1?&id_3=1`, { headers: { "x-api-key": key } });
  expect(await linesAfter(1)).toEqual([
    "getPartnerBalances request: no query parameter id_2",
    "getPartnerBalances request: no query parameter id_3",
  ]);
});

it("forwards requests and responses unchanged except for the host", async () => {
  const head = [
    ...["HTTP/1.1 200 Quite All Right", "X-Odd-CASE: one", "Set-Cookie: a=1", "Set-Cookie: b=2"],
    ...["content-type: application/json", "Content-Encoding: gzip", "Connection: close", "Transfer-Encoding: chunked"],
  ].join("\r\n");
  const compressedBody = gzipSync(JSON.stringify({ fiatBalances: 1 }));
  const size = compressedBody.length.toString(16);
  const response = Buffer.concat([
    Buffer.from(`${head}\r\n\r\n${size}\r\n`),
    compressedBody,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
  const requestBytes: Buffer[] = [];
  const upstream = createTcpServer((socket) => {
    socket.on("data", (bytes) => void requestBytes.push(bytes));
    socket.once("data", () => socket.end(response));
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  const proxyInTest = await startInTest(`http://127.0.0.1:${port}`);
  const sentText = `GET /v1/partner/balances?a=%20b HTTP/1.1\r\nhOST: name\r\nX-Api-Key: ${key}\r\nX-Twice: 1\r\nx-twice: 2\r\nConnection: close\r\n\r\n`;
  const socket = connect(Number(new URL(proxyInTest.url).port), "127.0.0.1");
  socket.write(sentText);
  const receivedChunks: Buffer[] = [];
  for await (const bytes of socket) receivedChunks.push(bytes as Buffer);
  expect(Buffer.concat(requestBytes).toString()).toBe(sentText.replace("name", `127.0.0.1:${port}`));
  expect(Buffer.concat(receivedChunks).toString("latin1")).toBe(response.toString("latin1"));
  expect(await linesAfter(1)).toEqual([
    "getPartnerBalances request: no query parameter *.",
    "getPartnerBalances 200 /fiatBalances: type, expected array, seen number",
  ]);
  upstream.close();
});

it("forwards a request with a whole URL, as clients send it to a forward proxy, to the path below that of the service", async () => {
  const urls: unknown[] = [];
  const upstream = await serveInTest(({ url }, response) => {
    urls.push(url);
    response.end();
  });
  const { port } = new URL((await startInTest(`${upstream.url}/base/`)).url);
  const path = "http://service.example/v1/partner/balances?id_2=1";
  request({ host: "127.0.0.1", port, path, agent: false }, (response) => response.resume()).end();
  await linesAfter(1);
  expect(urls).toEqual(["/base/v1/partner/balances?id_2=1"]);
});

it("forwards a chunked body unchanged, and a missing body as empty", async () => {
  const requests: unknown[] = [];
  const upstream = await serveInTest(async (request, response) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    requests.push([length, encoding, String(await readBody(request))]);
    response.end();
  });
  const proxyInTest = await startInTest(upstream.url);
  const body = new Blob(["chunked"]).stream();
  await fetch(`${proxyInTest.url}/v1/a`, { method: "POST", body, duplex: "half" } as RequestInit);
  await fetch(`${proxyInTest.url}/v1/a`, { method: "DELETE" });
  expect(requests).toEqual([
    [undefined, "chunked", "chunked"],
    ["0", undefined, ""],
  ]);
});

it("judges a compressed body, whatever the case of the coding, and names a coding that it does not know", async () => {
  const body = JSON.stringify({ fiatBalances: 1 });
  const difference = "getPartnerBalances 200 /fiatBalances: type, expected array, seen number";
  const cases: [coding: string, bytes: Buffer, line: string | undefined][] = [
    ["GZIP", gzipSync(body), difference],
    ["x-gzip", gzipSync(body), difference],
    ["deflate", deflateSync(body), difference],
    ["deflate", deflateRawSync(body), difference],
    ["br, gzip", gzipSync(brotliCompressSync(body)), difference],
    ["identity", Buffer.from(body), difference],
    [
      "constructor",
      gzipSync(body),
      "getPartnerBalances 200: content-encoding, expected a body that its Content-Encoding decodes: gzip, deflate or br, seen constructor",
    ],
  ];
  let next: (typeof cases)[number] | undefined;
  const upstream = await serveInTest((_, response) => {
    const [coding = "", bytes] = next ?? [];
    response.writeHead(200, { "content-type": "application/json", "content-encoding": coding }).end(bytes);
  });
  const { url } = await startInTest(upstream.url);
  for (const [index, [coding, bytes, line]] of cases.entries()) {
    next = [coding, bytes, line];
    await fetch(`${url}/v1/partner/balances`, { headers: { "x-api-key": key } }).then((response) =>
      response.arrayBuffer().catch(() => undefined),
    );
    expect((await linesAfter(index + 1)).at(-1)).toBe(line);
  }
});

it.each([
  ["HTTP/1.1 099 Odd", "status-line, expected a valid status line, seen the status 99"],
  ["HTTP/1.1 200 O\u0001K", "status-line, expected a valid status line, seen the status 200"],
  ["HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: h2c", "status, expected no change of the protocol, seen 101"],
])("answers 502 for %j, reports it, and goes on", async (head, difference) => {
  const upstream = createTcpServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end(`${head}\r\nContent-Length: 0\r\n\r\n`));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void upstream.close());
  await once(upstream, "listening");
  const { url } = await startInTest(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  for (const number of [1, 2]) {
    const response = await fetch(`${url}/v1/partner/balances`, { headers: { "x-api-key": key } });
    expect([response.status, await response.text()]).toEqual([502, expect.stringMatching(/the proxy/i)]);
    expect((await linesAfter(number)).at(-1)).toBe(`getPartnerBalances: ${difference}`);
  }
});

it("masks the key of a call, even one that equals a value of the contract", async () => {
  const path = "/v1/card/all/user-1042";
  const cards = await (await fetch(`${service.url}${path}`, { headers: { "x-api-key": key } })).text();
  const body = cards.replaceAll(/"status":"\w+"/g, '"status":"MELTED"');
  const upstream = await serveInTest(
    (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(body),
  );
  const proxyInTest = await startInTest(upstream.url);
  const lineWith = async (name: string) => {
    reportedDrift = [];
    await fetch(`${proxyInTest.url}${path}`, { headers: { "x-api-key": name } });
    return (await linesAfter(1))[0];
  };
  expect(await lineWith("FROZEN")).toContain("seen MELTED");
  expect(await lineWith("MELTED")).toMatch(/\/status: unlisted-value, .* seen (?!MELTED)/);
});

it("shows what it has seen in a call without a key", async () => {
  const upstream = await serveInTest((_, response) => void response.end("{}"));
  const { url } = await startInTest(upstream.url);
  await fetch(`${url}/v1/partner/balances`);
  expect(await linesAfter(1)).toContain("getPartnerBalances 200: media-type, expected application/json, seen none");
});

it("streams a response of any size, and closes the connection when the service does", async () => {
  let sendRest: () => void = () => {};
  let isAbandonedOpen: boolean | undefined;
  const upstream = await serveInTest((incoming, response) => {
    if (incoming.url === "/v1/partner/balances")
      return void response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end("no gzip");
    if (incoming.url?.endsWith("user-2077")) return void response.end(`[${" ".repeat(4 * 1024 * 1024 - 2)}]`);
    if (incoming.url === "/v1/abandoned") {
      isAbandonedOpen = true;
      return void response.on("close", () => (isAbandonedOpen = false));
    }
    if (incoming.url === "/v1/break") return void response.write("{", () => response.destroy());
    response.write("[");
    sendRest = () => response.end(Buffer.alloc(5 * 1024 * 1024, " "));
  });
  const proxyInTest = await startInTest(upstream.url);
  const response = await fetch(`${proxyInTest.url}/v1/card/all/user-1042`, { headers: { "x-api-key": key } });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  expect((await reader.read()).value).toEqual(new Uint8Array([0x5b]));
  sendRest();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length;
  expect(size).toBe(5 * 1024 * 1024);
  expect(await linesAfter(1)).toEqual(["listUserCards 200: size, expected at most 4 MiB, to be judged, seen more"]);
  const wholeResponse = await fetch(`${proxyInTest.url}/v1/card/all/user-2077`, { headers: { "x-api-key": key } });
  expect((await wholeResponse.text()).length).toBe(4 * 1024 * 1024);
  expect((await linesAfter(2))[1]).toBe("listUserCards 200: media-type, expected application/json, seen none");
  await fetch(`${proxyInTest.url}/v1/partner/balances`, { headers: { "x-api-key": key } }).catch(() => {});
  expect((await linesAfter(3))[2]).toBe(
    "getPartnerBalances 200: content-encoding, expected a body that its Content-Encoding decodes: gzip, deflate or br, seen gzip",
  );
  await expect(fetch(`${proxyInTest.url}/v1/break`).then((incomplete) => incomplete.text())).rejects.toThrow(
    "terminated",
  );
  expect((await linesAfter(4))[3]).toBe("unknown path: broken, expected a whole response, seen the connection broke");
  const abortController = new AbortController();
  const abandonedCall = fetch(`${proxyInTest.url}/v1/abandoned`, { signal: abortController.signal });
  await expect.poll(() => isAbandonedOpen).toBe(true);
  abortController.abort();
  await expect(abandonedCall).rejects.toThrow("aborted");
  await expect.poll(() => isAbandonedOpen).toBe(false);
  await upstream.close();
  const refusedResponse = await fetch(`${proxyInTest.url}/v1/partner/balances`);
  expect([refusedResponse.status, await refusedResponse.text()]).toEqual([
    502,
    "The proxy cannot reach the service: connection refused. Check --upstream and --deposit-upstream.\n",
  ]);
  expect((await linesAfter(5))[4]).toBe(
    "getPartnerBalances: no-response, expected a response, seen connection refused",
  );
  expect((await fetch(`${proxyInTest.url}//`)).status).toBe(502);
  expect((await linesAfter(6))[5]).toContain("unknown path: no-response");
  expect(reportedIds.map((id) => id ?? "none").join(" ")).toBe(
    "listUserCards listUserCards getPartnerBalances none getPartnerBalances none",
  );
});

it("prints only the report on stdout, and differences on stderr", async () => {
  const stderrWrite = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const onceSpy = vi.spyOn(process, "once");
  const output = vi.spyOn(process.stdout, "write").mockImplementation(writeNothing);
  const args = ["--upstream", service.url, "--port", "0", "--deposit-port", "0", "--format", "json"];
  const exitCodePromise = serviceCommands.proxy.run(args, { usage: "proxy", loadPlan: async () => plan });
  const printedText = () => stderrWrite.mock.calls.join("");
  await expect.poll(printedText).toContain(" forwards to ");
  const [url] = /http:\S+/.exec(printedText()) ?? [];
  await fetch(`${url}/v1/no/such/path`);
  await expect.poll(printedText).toContain("unknown path request: no path of the contract");
  const { exitCode } = process;
  // Calls only the signal handler of this command, because other tests of this process may have left handlers.
  onceSpy.mock.calls.findLast(([name]) => name === "SIGHUP")?.[1]();
  expect(await exitCodePromise).toBe(1);
  process.exitCode = exitCode;
  const problem = expect.stringContaining("no path of the contract with GET");
  expect(JSON.parse(String(output.mock.lastCall?.[0]))).toMatchObject({
    places: 1,
    drift: [{ side: "request", pointer: "", rule: "path", problem, count: 1 }],
  });
  expect(output.mock.calls.join("")).not.toContain("forwards to");
  vi.restoreAllMocks();
});

it("ends at once when it is stopped before it listens", async () => {
  vi.spyOn(process.stdout, "write").mockImplementation(writeNothing);
  const args = ["--upstream", service.url, "--port", "0", "--deposit-port", "0"];
  const result = runProxy(readArguments(proxyCommand("proxy"), args), plan, { env: {}, signal: AbortSignal.abort() });
  expect((await result).text).toBe("Nothing differs from the contract.");
  // `linePrinter` writes at the end of the turn. Until then, stdout stays mocked.
  await turn();
  vi.restoreAllMocks();
}, 2_000);
