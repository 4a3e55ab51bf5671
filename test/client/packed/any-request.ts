/** Tests of a receiver with arbitrary requests, which run for every server. */
import { Agent, request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import type { WebhookHandler } from "partner-wallet-api/webhooks";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  chunked,
  type Head,
  head,
  makeHandler,
  newEvent,
  path,
  type SendOptions,
  sendRaw,
  text,
  trickle,
} from "./receivers.ts";
import type { RunningServer } from "./support.ts";

const anonymous = { authorization: [] };
const nestedJson = "[".repeat(30_000) + "]".repeat(30_000);

/** Invalid requests, each with the accepted responses: a status, or "closed" for a connection that ends without a status. */
const invalidRequests: [name: string, bytes: string | Uint8Array, responses: RegExp, options?: SendOptions][] = [
  ["TRACE", head({ method: "TRACE" }), /^40[045]$/],
  ["a target of two slashes", head({ target: "//" }), /^40[04]$/],
  ["an absolute target that is malformed", head({ target: "http://[/" }), /^40[04]$/],
  ["an absolute target with a user", head({ target: "http://a:b@partner.example/" }), /^40[04]$/],
  ["a target that is not a URL of HTTP", head({ target: "mailto:a" }), /^40[04]$/],
  ["broken percent-encoding", head({ target: "/%zz?%zz" }), /^40[04]$/],
  ["a target with a backslash", head({ target: "/\\x" }), /^40[04]$/],
  ["a long target", head({ target: `/${"x".repeat(8_000)}` }), /^4\d\d$/],
  ["OPTIONS *", head({ method: "OPTIONS", target: "*" }), /^(40[045]|20[04])$/],
  ["CONNECT", head({ method: "CONNECT", target: "partner.example:443" }), /^(closed|4\d\d)$/],
  ["a method of WebDAV", head({ method: "PROPFIND" }), /^40[45]$/],
  ["an unknown method", head({ method: "BREW" }), /^400$/],
  ["no host", head({ headers: { host: [] } }, text), /^400$/],
  ["headers of a megabyte", head({ headers: { "x-long": "x".repeat(1_000_000) } }), /^(431|closed)$/],
  ["two tokens, the first of them wrong", head({ headers: { authorization: ["x", "secret-token"] } }, text), /^401$/],
  ["a body of which a part is missing", head({ headers: { "content-length": "500" } }, "{"), /^closed$/, { cut: true }],
  [
    "the same without a token",
    head({ headers: { "content-length": "500", ...anonymous } }, "{"),
    /^(401|closed)$/,
    { cut: true },
  ],
  [
    "a half-closed connection in mid-body",
    head({ headers: { "content-length": "500" } }, "{"),
    /./,
    { halfClose: true },
  ],
  ["a chunked body that is cut", head({ headers: chunked }, "5\r\n{"), /^closed$/, { cut: true }],
  ["a malformed chunk length", head({ headers: chunked }, "zz\r\n{}\r\n0\r\n\r\n"), /^400$/],
  ["an upgrade", head({ method: "GET", headers: { connection: "upgrade", upgrade: "websocket" } }), /^40[45]$/],
  ["no body", head({}), /^400$/],
  ["a body of bytes that are no text", Buffer.from(head({}, "\xff\xfe\x00"), "latin1"), /^400$/],
  ["a body that is nested deeply", head({}, nestedJson), /^400$/],
  ["a body without the length that it needs", head({ headers: { "content-length": [] } }), /^400$/],
  [
    "a compressed body",
    Buffer.concat([
      Buffer.from(head({ headers: { "content-encoding": "gzip", "content-length": `${gzipSync(text).length}` } })),
      gzipSync(text),
    ]),
    /^415$/,
  ],
  ["a field named __proto__", head({}, '{"__proto__":{"id":1}}'), /^400$/],
  ["a number that is too large", head({}, '{"id":1e999}'), /^400$/],
];

export function testAnyRequest(
  serve: (handler: WebhookHandler) => Promise<RunningServer>,
  start: (running: Promise<RunningServer>) => Promise<number>,
): void {
  const { handler, received } = makeHandler();
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(handler);
  });
  afterAll(() => server.close());
  afterEach(() => received.splice(0));

  const deliver = (bytes: string, options?: SendOptions) => sendRaw(server.port, bytes, options);

  it.each(invalidRequests)("survives %s, and handles the next event", async (_what, bytes, responses, options) => {
    expect(await sendRaw(server.port, bytes, options)).toMatch(responses);
    const event = newEvent();
    expect(await deliver(head({}, JSON.stringify(event)))).toBe("200");
    expect(received).toEqual([event]);
  });

  it.each<[string, Head, SendOptions?]>([
    ["with an absolute target", { target: `http://partner.example${path}` }],
    ["after an interim response", { headers: { expect: "100-continue" } }],
    ["with an offer to upgrade", { headers: { connection: "upgrade", upgrade: "h2c" } }],
    ["of HTTP 1.0", { version: "1.0" }],
    ["with a query", { target: `${path}?a=%zz` }],
    ["with an unknown media type", { headers: { "content-type": "text/plain" } }],
    ["with a malformed media type", { headers: { "content-type": "application/json;;;=" } }],
    ["whose coding was not applied, or undone on its way", { headers: { "content-encoding": "gzip" } }],
    ["that says that it is not compressed", { headers: { "content-encoding": "identity" } }],
  ])("handles an event %s", async (_what, init, options) => {
    const event = newEvent();
    expect(await deliver(head(init, JSON.stringify(event)), options)).toBe("200");
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
    expect(await sendCall(text, { authorization: "wrong" })).toBe("401 reused");
    expect(await sendValidEvent()).toBe("200 reused");
    const longBody = " ".repeat(200_000);
    expect(await sendCall(longBody, { "content-length": `${longBody.length}` })).toBe("413 reused");
    for (const [refused, status] of [
      [() => sendCall(longBody, { "transfer-encoding": "chunked" }), "413"],
      [() => sendCall(" ".repeat(5_000_000), { "content-length": "5000000" }), "413"],
      [() => sendCall(" ".repeat(5_000_000), { "transfer-encoding": "chunked" }), "413"],
      [() => sendCall(" ".repeat(5_000_000), { authorization: "wrong" }), "401"],
    ] as const) {
      expect(await refused()).toContain(status);
      expect(await sendValidEvent()).toContain("200");
    }
    agent.destroy();
    expect(received).toHaveLength(6);
  });

  it.concurrent("closes the connection of a caller without the token that sends its body slowly", async () => {
    const slowRequest = head({ headers: { authorization: "wrong", "content-length": "100000" } });
    expect(await trickle(server.port, slowRequest)).toMatchObject({ status: "401", closed: true });
  });

  it.concurrent("refuses a body that does not arrive within bodyTimeoutMs with 408, and closes the connection", async () => {
    const { handler, received, refused } = makeHandler({ bodyTimeoutMs: 200 });
    const slowRequest = head({ headers: { "content-length": "60000" } });
    const port = await start(serve(handler));
    expect(await trickle(port, slowRequest)).toMatchObject({ status: "408", closed: true });
    expect([received, refused]).toEqual([[], [[expect.objectContaining({ status: 408 }), undefined]]]);
    expect(await sendRaw(port, head({}, JSON.stringify(newEvent())))).toBe("200");
  });

  it("handles the event of a caller that half-closes its connection at once", async () => {
    const event = newEvent();
    await deliver(head({}, JSON.stringify(event)), { halfClose: true });
    await vi.waitFor(() => expect(received).toEqual([event]), 10_000);
  });

  it("is not affected by a caller that disconnects before the response", async () => {
    let finishHandler: () => void = () => undefined;
    const handlerEnd = new Promise<void>((resolve) => {
      finishHandler = resolve;
    });
    const slowReceiver = makeHandler({ on: { p2pTransfer: () => handlerEnd } });
    const port = await start(serve(slowReceiver.handler));
    const body = JSON.stringify(newEvent());
    expect(await sendRaw(port, head({}, body), { cut: true })).toBe("closed");
    finishHandler();
    await vi.waitFor(async () => expect(await sendRaw(port, head({}, body))).toBe("200"), 10_000);
  });
}
