/** Tests the HTTP server with misbehaving clients. In most tests, a function replaces the mock. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createPartnerClient } from "partner-wallet-api";
import { describe, expect, onTestFinished, type TestContext, test, vi } from "vitest";
import { startMock } from "../../scripts/mock/host/mock.ts";
import { type MockRequest, maxFormBytes, maxTextBytes } from "../../scripts/mock/request/body.ts";
import type { MockReply } from "../../scripts/mock/response/replies.ts";
import { listenOnBoth } from "../../scripts/mock/server/listen.ts";
import { makeServer, type RequestEntry, type ServerOptions } from "../../scripts/mock/server/server.ts";
import { plan } from "../support/plan.ts";
import { sendBytes, sendRaw } from "./raw-http.ts";

type Responder = Parameters<typeof makeServer>[0];

const okReply: MockReply = {
  status: 200,
  headers: { "content-type": "text/plain" },
  body: "fine",
  template: "/",
  code: undefined,
  notes: [],
};

interface ServeOptions extends ServerOptions {
  readonly response?: Responder;
  readonly onRequest?: Parameters<typeof makeServer>[1];
}

/** @param context needed in a concurrent test: the context of this test. */
async function serve(
  { response = () => okReply, onRequest, ...options }: ServeOptions = {},
  context: Pick<TestContext, "onTestFinished"> = { onTestFinished },
) {
  const entries: RequestEntry[] = [];
  const onEntry = onRequest ?? ((entry: RequestEntry) => entries.push(entry));
  const [mainServer, deposit] = [makeServer(response, onEntry, options), makeServer(response, onEntry, options)];
  const { url, close } = await listenOnBoth(mainServer, deposit, { port: 0, depositPort: 0, host: "127.0.0.1" });
  context.onTestFinished(async () => void (await close()));
  return { url, entries };
}

async function openConnection(url: string, bytes: string): Promise<{ socket: Socket; receivedText: () => string }> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  return { socket, receivedText: () => text };
}

const requestHead = (headerLines: string) => `POST /x HTTP/1.1\r\nHost: x\r\n${headerLines}\r\n\r\n`;

test("a client never sends its next request to a mock that was stopped on the same port", async () => {
  const start = (ports: object) => startMock(plan, ports);
  let mock = await start({});
  const ports = { port: Number(new URL(mock.url).port), depositPort: Number(new URL(mock.depositUrl).port) };
  const wallet = createPartnerClient({ ...mock.clientOptions, retries: 0 });
  const body = { destinationExternalUserId: "user-7", amount: "1.00", currency: "eur" } as const;
  const results: (number | string | undefined)[] = [];
  for (let round = 0; round < 10; round += 1) {
    mock.users.create("user-7", { verified: true });
    mock.partner.fund({ eur: "10.00" });
    const { status, error } = await wallet.createTransfer({ body });
    results.push(status ?? error?.outcome);
    await mock.close();
    mock = await start(ports);
  }
  await mock.close();
  expect(results).toEqual(Array(10).fill(201));
});

// These tests mostly wait, so they run at the same time.
describe.concurrent("with limits of time,", () => {
  test("stopping does not wait for long for a client that keeps its connection", async () => {
    const mainServer = makeServer(
      () => okReply,
      () => {},
    );
    const { url, close } = await listenOnBoth(
      mainServer,
      makeServer(
        () => okReply,
        () => {},
      ),
      { port: 0, depositPort: 0, host: "127.0.0.1" },
    );
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    await once(socket, "connect");
    socket.write("GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    await close();
    socket.destroy();
  });

  test("an incomplete body gets 408 when nothing more arrives, and the connection is closed", async (context) => {
    const { url, entries } = await serve({ bodyTimeoutMs: 100 }, context);
    const { socket, receivedText } = await openConnection(url, `${requestHead("Content-Length: 1000")}{"a":`);
    await once(socket, "close");
    expect(receivedText()).toMatch(/^HTTP\/1\.1 408 .*connection: close/is);
    expect(entries).toMatchObject([{ status: 408, path: undefined, notes: [expect.stringContaining("0.1 s")] }]);
  });

  test("a slow body is read as long as it makes progress", async (context) => {
    const { url } = await serve(
      { bodyTimeoutMs: 900, response: ({ body }) => ({ ...okReply, body: String(body.bytes) }) },
      context,
    );
    const { socket, receivedText } = await openConnection(url, requestHead("Content-Length: 4\r\nConnection: close"));
    for (const byte of "abcd") {
      await new Promise((resolve) => setTimeout(resolve, 300));
      socket.write(byte);
    }
    await once(socket, "close");
    expect(receivedText()).toMatch(/^HTTP\/1\.1 200 .*abcd$/s);
  });

  test("connections without complete headers are closed", async (context) => {
    const { url } = await serve({ headersTimeoutMs: 100 }, context);
    const { socket, receivedText } = await openConnection(url, "GET / HTTP/1.1\r\nHo");
    await once(socket, "close");
    expect(receivedText()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("connections of a client that does not read its response are closed", async (context) => {
    const { url, entries } = await serve(
      { readTimeoutMs: 100, response: () => ({ ...okReply, body: "x".repeat(30_000_000) }) },
      context,
    );
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => {}).pause();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await vi.waitFor(() => expect(entries).toHaveLength(1), { timeout: 5000 });
    await new Promise((resolve) => setTimeout(resolve, 400));
    let size = 0;
    socket.on("data", (chunk) => {
      size += chunk.length;
    });
    socket.resume();
    await once(socket, "close");
    expect(size).toBeLessThan(30_000_000);
  });

  test("replies with a delay wait for it, unless the connection closes", async (context) => {
    const { url, entries } = await serve({ response: () => ({ ...okReply, delay: 120 }) }, context);
    const startedAt = performance.now();
    await fetch(url).then((response) => response.text());
    expect(performance.now() - startedAt).toBeGreaterThan(110);
    await sendBytes(url, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", { abort: true });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(entries).toHaveLength(1);
  });
});

describe("bodies", () => {
  test.each([
    ["JSON", "application/json", maxTextBytes],
    ["multipart", "multipart/form-data; boundary=b", maxFormBytes],
    ["no type", undefined, maxTextBytes],
  ])("%s above its limit is refused before it has arrived", async (_, type, limit) => {
    const seenRequests: MockRequest[] = [];
    const response = (request: MockRequest) => {
      seenRequests.push(request);
      return okReply;
    };
    const { url } = await serve({ response });
    const lines = `Content-Length: ${limit + 1}${type === undefined ? "" : `\r\nContent-Type: ${type}`}`;
    const { socket, receivedText } = await openConnection(url, `${requestHead(lines)}x`);
    await vi.waitFor(() => expect(receivedText()).toMatch(/^HTTP\/1\.1 200 .*connection: close.*fine$/is));
    expect(seenRequests.map(({ body }) => [body.isTooLarge, body.bytes.length])).toEqual([[true, 0]]);
    socket.destroy();
  });

  test.each([
    ["JSON", "application/json", maxTextBytes],
    ["multipart", "multipart/form-data; boundary=b", maxFormBytes],
  ])("%s of exactly its limit is accepted, with a Content-Length and in chunks", async (_, type, limit) => {
    const { url } = await serve({
      response: ({ body }) => ({ ...okReply, body: `${body.isTooLarge} ${body.bytes.length}` }),
    });
    const bytes = Buffer.alloc(limit, "[");
    for (const body of [bytes, new Blob([bytes]).stream()]) {
      const init = { method: "POST", body, duplex: "half", headers: { "content-type": type } };
      const response = await fetch(url, init);
      expect([response.headers.get("connection"), await response.text()]).toEqual(["keep-alive", `false ${limit}`]);
    }
  });

  test("chunks above the limit are refused as soon as they exceed it, without using more memory", async () => {
    const { url } = await serve({ response: ({ body }) => ({ ...okReply, body: String(body.isTooLarge) }) });
    const { socket, receivedText } = await openConnection(
      url,
      requestHead("Transfer-Encoding: chunked\r\nContent-Type: application/json"),
    );
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, "["), Buffer.from("\r\n")]);
    for (let sentBytes = 0; sentBytes <= maxTextBytes; sentBytes += 0x10000) socket.write(chunk);
    await vi.waitFor(() => expect(receivedText()).toMatch(/true$/));
    socket.destroy();
  });

  test("a client that sends a whole body above the limit gets its response", async () => {
    const { url } = await serve({ response: ({ body }) => ({ ...okReply, body: String(body.isTooLarge) }) });
    const response = await fetch(url, { method: "POST", body: Buffer.alloc(maxFormBytes + 1, "[") });
    expect(await response.text()).toBe("true");
  });

  test("100-continue is sent only where the body is accepted", async () => {
    const { url } = await serve();
    const lines = `Content-Length: ${maxTextBytes}\r\nExpect: 100-continue\r\nConnection: close`;
    const smallRequest = await openConnection(url, requestHead(lines));
    await vi.waitFor(() => expect(smallRequest.receivedText()).toContain("100 Continue"));
    smallRequest.socket.end(Buffer.alloc(maxTextBytes, "["));
    await vi.waitFor(() => expect(smallRequest.receivedText()).toMatch(/200 OK.*fine$/s));
    const largeRequest = await openConnection(
      url,
      requestHead(`Content-Length: ${maxTextBytes + 1}\r\nExpect: 100-continue`),
    );
    await vi.waitFor(() => expect(largeRequest.receivedText()).toMatch(/^HTTP\/1\.1 200 .*fine$/s));
    largeRequest.socket.destroy();
  });
});

describe("connections", () => {
  test("that are idle are closed for new ones, the longest idle first, and active ones are not", async () => {
    let finish = (): void => {};
    const slowWork = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const response = async ({ path }: MockRequest) => {
      if (path === "/slow") await slowWork;
      return okReply;
    };
    const { url } = await serve({ maxConnections: 3, response });
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const busyConnection = await openConnection(url, get("/slow"));
    const usedConnection = await openConnection(url, get("/"));
    await vi.waitFor(() => expect(usedConnection.receivedText()).toMatch(/fine$/));
    const silentConnection = await openConnection(url, "");
    const fourthConnection = await openConnection(url, get("/"));
    await once(usedConnection.socket, "close");
    await vi.waitFor(() => expect(fourthConnection.receivedText()).toMatch(/fine$/));
    const fifthConnection = await openConnection(url, get("/slow"));
    await once(silentConnection.socket, "close");
    const sixthConnection = await openConnection(url, get("/slow"));
    await once(fourthConnection.socket, "close");
    const seventhConnection = await openConnection(url, get("/"));
    await once(seventhConnection.socket, "close");
    finish();
    for (const { receivedText } of [busyConnection, fifthConnection, sixthConnection])
      await vi.waitFor(() => expect(receivedText()).toMatch(/fine$/));
    for (const { socket } of [busyConnection, fifthConnection, sixthConnection]) socket.destroy();
  });

  test("with pipelined requests get responses in order, even when the first takes longer", async () => {
    const response = async ({ path }: MockRequest) => {
      if (path === "/1") await new Promise((resolve) => setTimeout(resolve, 50));
      return { ...okReply, body: `<${path}>` };
    };
    const { url } = await serve({ response });
    const bytes = ["/1", "/2", "/3"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");
    const { socket, receivedText } = await openConnection(url, bytes);
    await vi.waitFor(() => expect(receivedText().match(/<\/\d>/g)).toEqual(["</1>", "</2>", "</3>"]));
    socket.destroy();
  });

  test("a response is sent in one piece", async () => {
    const { url } = await serve();
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const pieces: string[] = [];
    socket.on("data", (chunk) => pieces.push(String(chunk)));
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await vi.waitFor(() => expect(pieces.join("")).toMatch(/fine$/));
    expect(pieces).toHaveLength(1);
    socket.destroy();
  });
});

describe("replies", () => {
  test("with drop close the connection without a response", async () => {
    const { url, entries } = await serve({ response: () => ({ ...okReply, status: "drop" }) });
    expect(await sendBytes(url, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).toBe("");
    expect(entries).toMatchObject([{ status: "drop" }]);
  });

  test.each([
    ["throws", () => expectFailure()],
    ["rejects", async () => expectFailure()],
    ["has a header that HTTP does not allow", () => ({ ...okReply, headers: { "x-note": "a\nb" } })],
    ["has a status that HTTP does not allow", () => ({ ...okReply, status: 7 })],
  ] as [string, Responder][])(
    "of a function that %s leave the process and the server running",
    async (_, failingResponder) => {
      let callCount = 0;
      const { url } = await serve({ response: (request) => (callCount++ === 0 ? failingResponder(request) : okReply) });
      const firstResponse = await sendRaw({ method: "GET", url, target: "/canary7", headers: {}, body: "" }).catch(
        () => undefined,
      );
      expect([undefined, 500]).toContain(firstResponse?.status);
      expect(JSON.stringify(firstResponse ?? "")).not.toContain("canary7");
      expect((await fetch(url)).status).toBe(200);
    },
  );

  test.each(["fine", "schön", "€ 😀"])(
    "to HEAD have the headers of %s and no body; GET has its bytes",
    async (body) => {
      const { url } = await serve({ response: () => ({ ...okReply, body }) });
      const { socket, receivedText } = await openConnection(url, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
      socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      await once(socket, "close");
      const [head, get, text] = receivedText().split("\r\n\r\n");
      for (const lines of [head, get]) expect(lines).toMatch(`content-length: ${Buffer.byteLength(body)}`);
      expect(get).toMatch(/^HTTP\/1\.1 200 OK/);
      expect(Buffer.from(text ?? "", "latin1").toString()).toBe(body);
    },
  );
});

function expectFailure(): never {
  throw new Error("canary7");
}

test.each([
  ["throws", () => expectFailure()],
  ["rejects", async () => expectFailure()],
])("are sent despite an onRequest that %s, which is warned of", async (_, onRequest) => {
  const warning = once(process, "warning");
  const { url } = await serve({ onRequest });
  expect((await fetch(url)).status).toBe(200);
  expect(String((await warning)[0])).toContain("onRequest failed");
  expect((await fetch(url)).status).toBe(200);
});
