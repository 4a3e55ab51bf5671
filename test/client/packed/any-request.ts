/** Tests of a webhook receiver with invalid and unusual requests, to be run on each server and framework. */
import { Agent, request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import type { WebhookHandler } from "partner-wallet-api/webhooks";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  chunkedHeaders,
  eventText,
  makeHandler,
  newEvent,
  path,
  type RequestParts,
  requestText,
  type SendOptions,
  sendRaw,
  trickle,
} from "./receivers.ts";
import type { RunningServer } from "./support.ts";

const noAuthorization = { authorization: [] };
const nestedJson = "[".repeat(30_000) + "]".repeat(30_000);

/** Invalid or unusual requests, each with a pattern of the accepted results of `sendRaw`. */
const invalidRequests: [name: string, bytes: string | Uint8Array, responses: RegExp, options?: SendOptions][] = [
  ["TRACE", requestText({ method: "TRACE" }), /^40[045]$/],
  ["a target of two slashes", requestText({ target: "//" }), /^40[04]$/],
  ["an absolute target that is malformed", requestText({ target: "http://[/" }), /^40[04]$/],
  ["an absolute target with a user", requestText({ target: "http://a:b@partner.example/" }), /^40[04]$/],
  ["a target that is not a URL of HTTP", requestText({ target: "mailto:a" }), /^40[04]$/],
  ["broken percent-encoding", requestText({ target: "/%zz?%zz" }), /^40[04]$/],
  ["a target with a backslash", requestText({ target: "/\\x" }), /^40[04]$/],
  ["a long target", requestText({ target: `/${"x".repeat(8_000)}` }), /^4\d\d$/],
  ["OPTIONS *", requestText({ method: "OPTIONS", target: "*" }), /^(40[045]|20[04])$/],
  ["CONNECT", requestText({ method: "CONNECT", target: "partner.example:443" }), /^(closed|4\d\d)$/],
  ["a method of WebDAV", requestText({ method: "PROPFIND" }), /^40[45]$/],
  ["an unknown method", requestText({ method: "BREW" }), /^400$/],
  ["no host", requestText({ headers: { host: [] } }, eventText), /^400$/],
  ["headers of a megabyte", requestText({ headers: { "x-long": "x".repeat(1_000_000) } }), /^(431|closed)$/],
  [
    "two tokens, the first of them wrong",
    requestText({ headers: { authorization: ["x", "secret-token"] } }, eventText),
    /^401$/,
  ],
  [
    "a body of which a part is missing",
    requestText({ headers: { "content-length": "500" } }, "{"),
    /^closed$/,
    { isCut: true },
  ],
  [
    "the same without a token",
    requestText({ headers: { "content-length": "500", ...noAuthorization } }, "{"),
    /^(401|closed)$/,
    { isCut: true },
  ],
  [
    "a half-closed connection in mid-body",
    requestText({ headers: { "content-length": "500" } }, "{"),
    /./,
    { isHalfClosed: true },
  ],
  ["a chunked body that is cut", requestText({ headers: chunkedHeaders }, "5\r\n{"), /^closed$/, { isCut: true }],
  ["a malformed chunk length", requestText({ headers: chunkedHeaders }, "zz\r\n{}\r\n0\r\n\r\n"), /^400$/],
  ["an upgrade", requestText({ method: "GET", headers: { connection: "upgrade", upgrade: "websocket" } }), /^40[45]$/],
  ["no body", requestText({}), /^400$/],
  ["a body of bytes that are no text", Buffer.from(requestText({}, "\xff\xfe\x00"), "latin1"), /^400$/],
  ["a body that is nested deeply", requestText({}, nestedJson), /^400$/],
  ["a body without the length that it needs", requestText({ headers: { "content-length": [] } }), /^400$/],
  [
    "a compressed body",
    Buffer.concat([
      Buffer.from(
        requestText({ headers: { "content-encoding": "gzip", "content-length": `${gzipSync(eventText).length}` } }),
      ),
      gzipSync(eventText),
    ]),
    /^415$/,
  ],
  ["a field named __proto__", requestText({}, '{"__proto__":{"id":1}}'), /^400$/],
  ["a number that is too large", requestText({}, '{"id":1e999}'), /^400$/],
];

export function testAnyRequest(
  serve: (handler: WebhookHandler) => Promise<RunningServer>,
  startServer: (serverPromise: Promise<RunningServer>) => Promise<number>,
): void {
  const { handler, received } = makeHandler();
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(handler);
  });
  afterAll(() => server.close());
  afterEach(() => received.splice(0));

  const deliver = (bytes: string, options?: SendOptions) => sendRaw(server.port, bytes, options);

  it.each(invalidRequests)("survives %s, and handles the next event", async (_name, bytes, responses, options) => {
    expect(await sendRaw(server.port, bytes, options)).toMatch(responses);
    const event = newEvent();
    expect(await deliver(requestText({}, JSON.stringify(event)))).toBe("200");
    expect(received).toEqual([event]);
  });

  it.each<[string, RequestParts, SendOptions?]>([
    ["with an absolute target", { target: `http://partner.example${path}` }],
    ["after an interim response", { headers: { expect: "100-continue" } }],
    ["with an offer to upgrade", { headers: { connection: "upgrade", upgrade: "h2c" } }],
    ["of HTTP 1.0", { version: "1.0" }],
    ["with a query", { target: `${path}?a=%zz` }],
    ["with an unknown media type", { headers: { "content-type": "text/plain" } }],
    ["with a malformed media type", { headers: { "content-type": "application/json;;;=" } }],
    ["whose coding was not applied, or undone on its way", { headers: { "content-encoding": "gzip" } }],
    ["that says that it is not compressed", { headers: { "content-encoding": "identity" } }],
  ])("handles an event %s", async (_name, init, options) => {
    const event = newEvent();
    expect(await deliver(requestText(init, JSON.stringify(event)), options)).toBe("200");
    expect(received).toEqual([event]);
  });

  it("handles the next call after a refusal, over the same connection where the refused body is short", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendCall = (body: string, headers: Record<string, string> = {}) =>
      new Promise<string>((resolve) => {
        const options = { agent, port: server.port, host: "127.0.0.1", method: "POST", path };
        const outgoingRequest = httpRequest(
          { ...options, headers: { authorization: "secret-token", ...headers } },
          (response) => {
            response.resume();
            response.on("end", () => resolve(`${response.statusCode}${outgoingRequest.reusedSocket ? " reused" : ""}`));
          },
        );
        outgoingRequest.on("error", (error: NodeJS.ErrnoException) => resolve(`${error.code}`));
        outgoingRequest.end(body);
      });
    const sendValidEvent = () => sendCall(JSON.stringify(newEvent()));
    expect(await sendValidEvent()).toBe("200");
    expect(await sendCall(eventText, { authorization: "wrong" })).toBe("401 reused");
    expect(await sendValidEvent()).toBe("200 reused");
    const longBody = " ".repeat(200_000);
    expect(await sendCall(longBody, { "content-length": `${longBody.length}` })).toBe("413 reused");
    for (const [sendRefused, status] of [
      [() => sendCall(longBody, { "transfer-encoding": "chunked" }), "413"],
      [() => sendCall(" ".repeat(5_000_000), { "content-length": "5000000" }), "413"],
      [() => sendCall(" ".repeat(5_000_000), { "transfer-encoding": "chunked" }), "413"],
      [() => sendCall(" ".repeat(5_000_000), { authorization: "wrong" }), "401"],
    ] as const) {
      expect(await sendRefused()).toContain(status);
      expect(await sendValidEvent()).toContain("200");
    }
    agent.destroy();
    expect(received).toHaveLength(6);
  });

  it("handles the event of a caller that half-closes its connection at once", async () => {
    const event = newEvent();
    await deliver(requestText({}, JSON.stringify(event)), { isHalfClosed: true });
    await vi.waitFor(() => expect(received).toEqual([event]), 10_000);
  });

  it("is not affected by a caller that disconnects before the response", async () => {
    let finishHandler: () => void = () => undefined;
    const handlerEnd = new Promise<void>((resolve) => {
      finishHandler = resolve;
    });
    const slowReceiver = makeHandler({ on: { p2pTransfer: () => handlerEnd } });
    const port = await startServer(serve(slowReceiver.handler));
    const body = JSON.stringify(newEvent());
    expect(await sendRaw(port, requestText({}, body), { isCut: true })).toBe("closed");
    finishHandler();
    await vi.waitFor(async () => expect(await sendRaw(port, requestText({}, body))).toBe("200"), 10_000);
  });
}

/** These tests mostly wait, so they run at the same time (`it.concurrent`). */
export function testSlowCallers(
  serve: (handler: WebhookHandler) => Promise<RunningServer>,
  startServer: (serverPromise: Promise<RunningServer>) => Promise<number>,
): void {
  it.concurrent("closes the connection of a caller without the token that sends its body slowly", async () => {
    const slowRequest = requestText({ headers: { authorization: "wrong", "content-length": "100000" } });
    const port = await startServer(serve(makeHandler().handler));
    expect(await trickle(port, slowRequest)).toMatchObject({ status: "401", isClosed: true });
  });

  it.concurrent("refuses a body that does not arrive within bodyTimeoutMs with 408, and closes the connection", async () => {
    const { handler, received, refusals } = makeHandler({ bodyTimeoutMs: 200 });
    const slowRequest = requestText({ headers: { "content-length": "60000" } });
    const port = await startServer(serve(handler));
    expect(await trickle(port, slowRequest)).toMatchObject({ status: "408", isClosed: true });
    expect([received, refusals]).toEqual([[], [[expect.objectContaining({ status: 408 }), undefined]]]);
    expect(await sendRaw(port, requestText({}, JSON.stringify(newEvent())))).toBe("200");
  });
}
