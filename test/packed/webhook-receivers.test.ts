/** What may arrive at a receiver: nothing of it rejects, throws or ends anything, in any framework. */
import { randomUUID } from "node:crypto";
import { Agent, createServer, request as httpRequest } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { gzipSync } from "node:zlib";
import express from "express";
// @ts-expect-error Express 4 is installed under this name, without types.
import express4 from "express4";
import fastify from "fastify";
import {
  createWebhookHandler,
  exactNumbers,
  testEvent,
  toFastifyPlugin,
  toNodeListener,
  type WebhookHandler,
} from "partner-wallet-api/webhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { frameworks, listen, listenWith, type Manner, type Running, sendRaw, watchProcess } from "./receivers.ts";

const path = "/transfer-webhook";
const newEvent = () => testEvent("p2pTransfer", { id: randomUUID() });

type Options = Parameters<typeof createWebhookHandler>[0];

/** A handler, and what it was given. */
function makeHandler(options: Partial<Options> = {}) {
  const received: unknown[] = [];
  const refused: [status: number, raw: string | undefined][] = [];
  const handler = createWebhookHandler({
    authorization: "secret-token",
    on: { p2pTransfer: (event) => void received.push(event) },
    otherwise: "reject",
    nonconforming: "reject",
    maxBytes: 65_536,
    onRefused: ({ status }, raw) => void refused.push([status, raw]),
    ...options,
  });
  return { handler, received, refused };
}

const guard = watchProcess();
afterEach(() => expect(guard.fatal.splice(0)).toEqual([]));
afterAll(() => guard.stop());

/** Closes what a test started. */
const started: Running[] = [];
afterEach(() => Promise.all(started.splice(0).map((server) => server.close())));
async function start(running: Promise<Running>): Promise<number> {
  const server = await running;
  started.push(server);
  return server.port;
}

interface Head {
  method?: string;
  target?: string;
  version?: string;
  headers?: Record<string, string | string[]>;
}

/** The text of a request, with the right token unless other headers are given. */
function head({ method = "POST", target = path, version = "1.1", headers = {} }: Head, body = ""): string {
  const all = {
    host: "partner.example",
    authorization: "secret-token",
    "content-length": `${body.length}`,
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}\r\n`));
  return `${method} ${target} HTTP/${version}\r\n${lines.join("")}\r\n${body}`;
}

const text = JSON.stringify(testEvent("p2pTransfer"));
const anonymous = { authorization: [] };
const chunked = { "content-length": [], "transfer-encoding": "chunked" };
const nested = "[".repeat(30_000) + "]".repeat(30_000);

/** What is no delivery of an event, and which statuses answer it: "closed" where the server ends the connection. */
const hostile: [name: string, bytes: string | Uint8Array, answers: RegExp, manner?: Manner][] = [
  ["TRACE without a token", head({ method: "TRACE", headers: anonymous }), /^40[045]$/],
  ["TRACE with a token", head({ method: "TRACE" }), /^40[045]$/],
  ["a target of two slashes", head({ target: "//" }), /^40[04]$/],
  ["a target of two slashes, without a token", head({ target: "//", headers: anonymous }), /^40[04]$/],
  ["an absolute target without a host", head({ target: "http://" }), /^40[04]$/],
  ["an absolute target that is malformed", head({ target: "http://[/" }), /^40[04]$/],
  ["an absolute target with a user", head({ target: "http://a:b@partner.example/" }), /^40[04]$/],
  ["an absolute target of another scheme", head({ target: "ftp://partner.example/" }), /^40[04]$/],
  ["a target that is no URL", head({ target: "mailto:a" }), /^40[04]$/],
  ["a port that is none", head({ target: "//partner.example:99999/" }), /^40[04]$/],
  ["broken percent-encoding", head({ target: "/%zz?%zz" }), /^40[04]$/],
  ["a target with a backslash", head({ target: "/\\x" }), /^40[04]$/],
  ["a long target", head({ target: `/${"x".repeat(8_000)}` }), /^4\d\d$/],
  ["OPTIONS *", head({ method: "OPTIONS", target: "*" }), /^(40[045]|20[04])$/],
  ["CONNECT", head({ method: "CONNECT", target: "partner.example:443" }), /^(closed|4\d\d)$/],
  ["another method", head({ method: "PROPFIND" }), /^40[45]$/],
  ["a method that is none", head({ method: "BREW" }), /^400$/],
  ["no host", head({ headers: { host: [] } }, text), /^400$/],
  ["headers of a megabyte", head({ headers: { "x-long": "x".repeat(1_000_000) } }), /^(431|closed)$/],
  ["two tokens, the first of them wrong", head({ headers: { authorization: ["x", "secret-token"] } }, text), /^401$/],
  ["an expectation that is none", head({ headers: { expect: "200-maybe" } }, text), /^417$/],
  ["a body of which a part is missing", head({ headers: { "content-length": "500" } }, "{"), /^closed$/, { cut: true }],
  [
    "the same without a token",
    head({ headers: { "content-length": "500", ...anonymous } }, "{"),
    /^(401|closed)$/,
    { cut: true },
  ],
  [
    "the same of a body that is too large",
    head({ headers: { "content-length": "999999999" } }, "{"),
    /^(413|closed)$/,
    { cut: true },
  ],
  [
    "a half-closed connection in mid-body",
    head({ headers: { "content-length": "500" } }, "{"),
    /./,
    { halfClose: true },
  ],
  ["a chunked body that is cut", head({ headers: chunked }, "5\r\n{"), /^closed$/, { cut: true }],
  ["a chunk whose length is none", head({ headers: chunked }, "zz\r\n{}\r\n0\r\n\r\n"), /^400$/],
  ["a length and chunks", head({ headers: { "transfer-encoding": "chunked" } }, "0\r\n\r\n"), /^400$/],
  ["a length that is none", head({ headers: { "content-length": "1e3" } }), /^400$/],
  ["an upgrade", head({ method: "GET", headers: { connection: "upgrade", upgrade: "websocket" } }), /^40[45]$/],
  ["no body", head({}), /^400$/],
  ["a body of bytes that are no text", Buffer.from(head({}, "\xff\xfe\x00"), "latin1"), /^400$/],
  ["a body that is nested deeply", head({}, nested), /^400$/],
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

describe.each(Object.entries(frameworks))("%s", (_name, serve) => {
  const { handler, received } = makeHandler();
  let server: Running;
  beforeAll(async () => {
    server = await serve(handler);
  });
  afterAll(() => server.close());
  afterEach(() => received.splice(0));

  const deliver = (bytes: string, manner?: Manner) => sendRaw(server.port, bytes, manner);

  it.each(hostile)("1: survives %s, and receives the next event", async (_what, bytes, answers, manner) => {
    expect(await sendRaw(server.port, bytes, manner)).toMatch(answers);
    const event = newEvent();
    expect(await deliver(head({}, JSON.stringify(event)))).toBe("200");
    expect(received).toEqual([event]);
  });

  it.each<[string, Head, Manner?]>([
    ["with an absolute target", { target: `http://partner.example${path}` }],
    ["after an interim response", { headers: { expect: "100-continue" } }],
    ["with an offer to upgrade", { headers: { connection: "upgrade", upgrade: "h2c" } }],
    ["of HTTP 1.0", { version: "1.0" }],
    ["with a query", { target: `${path}?a=%zz` }],
    ["with an unknown media type", { headers: { "content-type": "text/plain" } }],
    ["with a malformed media type", { headers: { "content-type": "application/json;;;=" } }],
    ["whose coding was not applied, or undone on its way", { headers: { "content-encoding": "gzip" } }],
    ["that says that it is not compressed", { headers: { "content-encoding": "identity" } }],
  ])("1: receives an event %s", async (_what, init, manner) => {
    const event = newEvent();
    expect(await deliver(head(init, JSON.stringify(event)), manner)).toBe("200");
    expect(received).toEqual([event]);
  });

  it("20: the next call works after a refusal, over the same connection where the refused body is short", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = (body: string, headers: Record<string, string> = {}) =>
      new Promise<string>((resolve) => {
        const options = { agent, port: server.port, host: "127.0.0.1", method: "POST", path };
        const sent = httpRequest({ ...options, headers: { authorization: "secret-token", ...headers } }, (response) => {
          response.resume();
          response.on("end", () => resolve(`${response.statusCode}${sent.reusedSocket ? " reused" : ""}`));
        });
        sent.on("error", (error: NodeJS.ErrnoException) => resolve(`${error.code}`));
        sent.end(body);
      });
    const good = () => call(JSON.stringify(newEvent()));
    expect(await good()).toBe("200");
    expect(await call(text, { authorization: "wrong" })).toBe("401 reused");
    expect(await good()).toBe("200 reused");
    const long = " ".repeat(200_000);
    expect(await call(long, { "content-length": `${long.length}` })).toBe("413 reused");
    for (const [refused, status] of [
      [() => call(long, { "transfer-encoding": "chunked" }), "413"],
      [() => call(" ".repeat(5_000_000), { "content-length": "5000000" }), "413"],
      [() => call(" ".repeat(5_000_000), { "transfer-encoding": "chunked" }), "413"],
      [() => call(" ".repeat(5_000_000), { authorization: "wrong" }), "401"],
    ] as const) {
      expect(await refused()).toContain(status);
      expect(await good()).toContain("200");
    }
    agent.destroy();
    expect(received).toHaveLength(6);
  });

  it("1: receives the event of a caller that ends its side of the connection at once", async () => {
    const event = newEvent();
    await deliver(head({}, JSON.stringify(event)), { halfClose: true });
    await vi.waitFor(() => expect(received).toEqual([event]));
  });

  it("1: a caller that leaves before the response changes nothing", async () => {
    let finish: () => void = () => undefined;
    const slow = makeHandler({
      on: {
        p2pTransfer: () =>
          new Promise<void>((resolve) => {
            finish = resolve;
          }),
      },
    });
    const port = await start(serve(slow.handler));
    const body = JSON.stringify(newEvent());
    expect(await sendRaw(port, head({}, body), { cut: true })).toBe("closed");
    finish();
    await vi.waitFor(async () => expect(await sendRaw(port, head({}, body))).toBe("200"));
  });
});

describe.each([
  ["4", express4 as unknown as typeof express],
  ["5", express],
] as const)("Express %s", (_version, framework) => {
  const numbers = '{"amount":12345678.123456789012}';
  const json = "application/json";

  /** Delivers a body to an application, and returns the status and the exact amount that its function got. */
  async function deliver(wire: (handler: WebhookHandler) => unknown, body: string, type: string, mount = "") {
    const got: unknown[] = [];
    const refused: (string | undefined)[] = [];
    const handler = createWebhookHandler({
      authorization: "secret-token",
      on: { cryptoDeposit: (event) => void got.push(event) },
      otherwise: "reject",
      nonconforming: (_name, event) => void got.push(event),
      paths: { cryptoDeposit: "/mine" },
      basePath: mount,
      onRefused: (_refusal, raw) => void refused.push(raw),
    });
    const port = await start(listenWith(wire(handler)));
    const headers = { "content-type": type, authorization: "secret-token" };
    const call = fetch(`http://127.0.0.1:${port}${mount.replace(/\/$/, "")}/mine`, { method: "POST", headers, body });
    const { status } = await call;
    return { status, got, refused };
  }

  const parsers: [name: string, wire: (handler: WebhookHandler) => unknown, isExact: boolean, type?: string][] = [
    ["no parser", (handler) => framework().use(toNodeListener(handler)), true],
    ["express.json()", (handler) => framework().use(framework.json(), toNodeListener(handler)), false],
    [
      "express.json(), which does not take the media type",
      (handler) => framework().use(framework.json(), toNodeListener(handler)),
      true,
      "text/plain",
    ],
    ["express.text()", (handler) => framework().use(framework.text({ type: "*/*" }), toNodeListener(handler)), true],
    ["express.raw()", (handler) => framework().use(framework.raw({ type: "*/*" }), toNodeListener(handler)), true],
    [
      "several parsers",
      (handler) => framework().use(framework.json(), framework.urlencoded({ extended: true }), toNodeListener(handler)),
      true,
      "text/plain",
    ],
    [
      "a parser that keeps the bytes, as that of NestJS",
      (handler) => {
        const verify = (request: object, _response: unknown, bytes: Buffer) =>
          void Object.assign(request, { rawBody: bytes });
        return framework().use(framework.json({ verify }), toNodeListener(handler));
      },
      true,
    ],
    [
      "a middleware that waits",
      (handler) => framework().use((_request, _response, next) => void setTimeout(next, 20), toNodeListener(handler)),
      true,
    ],
  ];

  it.each(parsers)("20: delivers behind %s", async (_name, wire, isExact, type = json) => {
    const { status, got } = await deliver(wire, numbers, type);
    expect([status, got]).toEqual([200, [JSON.parse(numbers)]]);
    const read = () => exactNumbers(got[0] as { amount: number }).amount;
    if (isExact) expect(read()).toBe("12345678.123456789012");
    else expect(read).toThrow(TypeError);
  });

  it.each(parsers)("20: an empty body is no JSON behind %s", async (_name, wire, _isExact, type = json) => {
    expect(await deliver(wire, "", type)).toMatchObject({ status: 400, got: [] });
  });

  it("20: delivers below the path of a router", async () => {
    const router = (handler: WebhookHandler) => framework().use("/hooks", toNodeListener(handler));
    expect(await deliver(router, numbers, json, "/hooks")).toMatchObject({ status: 200 });
    const nested = (handler: WebhookHandler) =>
      framework().use("/hooks", framework.Router().use(framework.json(), toNodeListener(handler)));
    expect(await deliver(nested, numbers, json, "/hooks/")).toMatchObject({ status: 200 });
  });

  it("20: a body of null reaches the policy for what does not conform", async () => {
    const wire = (handler: WebhookHandler) =>
      framework().use(framework.json({ strict: false }), toNodeListener(handler));
    expect(await deliver(wire, "null", json)).toMatchObject({ status: 200, got: [null] });
  });

  it("20: a compressed body that the parser has read is delivered", async () => {
    const { handler, received } = makeHandler();
    const port = await start(listenWith(framework().use(framework.json(), toNodeListener(handler))));
    const event = newEvent();
    const headers = { "content-type": json, "content-encoding": "gzip", authorization: "secret-token" };
    const body = gzipSync(JSON.stringify(event));
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
    expect([status, received]).toEqual([200, [event]]);
  });

  it("10: what a parser left that cannot be serialised is refused, and told", async () => {
    const leave = (request: object, _response: unknown, next: () => void) => {
      Object.assign(request, { body: { amount: 1n } });
      next();
    };
    const wire = (handler: WebhookHandler) =>
      framework().use(framework.raw({ type: "*/*" }), leave, toNodeListener(handler));
    expect(await deliver(wire, numbers, json)).toMatchObject({ status: 400, got: [], refused: [undefined] });
  });

  it("1: a response that another middleware has sent stays", async () => {
    const { handler, received } = makeHandler();
    const answerFirst = (_request: unknown, response: { status(code: number): { end(): void } }, next: () => void) => {
      response.status(202).end();
      next();
    };
    const port = await start(listenWith(framework().use(answerFirst as never, toNodeListener(handler))));
    expect(await sendRaw(port, head({}, JSON.stringify(newEvent())))).toBe("202");
    await vi.waitFor(() => expect(received).toHaveLength(1));
  });
});

describe("toNodeListener", () => {
  it.each<[string, () => Response | Promise<Response>]>([
    ["rejects", () => Promise.reject(new Error("mine"))],
    [
      "throws",
      () => {
        throw new Error("mine");
      },
    ],
    ["returns nothing", () => undefined as unknown as Response],
    ["returns a response without a status", () => Response.error()],
    [
      "returns a response whose body fails",
      () => new Response(new ReadableStream({ start: (it) => it.error(new Error("mine")) })),
    ],
  ])("1: answers 500, and says why, when a function around the handler %s", async (_what, around) => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const port = await start(listenWith(toNodeListener(around as unknown as WebhookHandler)));
    for (const _call of [1, 2]) expect(await sendRaw(port, head({}, text))).toBe("500");
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  it("1: sends the bytes, the status and the headers of any response", async () => {
    const bytes = new Uint8Array([0, 255, 128]);
    const around = async () => new Response(bytes, { status: 203, headers: { "x-a": "b" } });
    const port = await start(listenWith(toNodeListener(around)));
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect([response.status, response.headers.get("x-a")]).toEqual([203, "b"]);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  it("1: a body that does not arrive ends with the time that the server gives it, and is told", async () => {
    const { handler, received, refused } = makeHandler();
    const limits = { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 };
    const port = await start(listen(createServer(limits, toNodeListener(handler))));
    const event = newEvent();
    const body = JSON.stringify(event);
    const slow = `${head({ headers: { "content-length": `${body.length}` } })}${body.slice(0, 5)}`;
    expect(await sendRaw(port, slow)).toMatch(/^(408|closed)$/);
    await vi.waitFor(() => expect(refused).toEqual([[400, undefined]]));
    expect(await sendRaw(port, head({}, body))).toBe("200");
    expect(received).toEqual([event]);
  });

  it("20: a caller that never stops sending gets the response, and then its connection ends", async () => {
    const port = await start(listenWith(toNodeListener(makeHandler().handler)));
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    const received = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(head({ headers: chunked }, chunk.repeat(3))));
      const more = setInterval(() => socket.write(chunk), 20);
      socket.setEncoding("latin1").on("data", (part) => {
        text += part;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearInterval(more);
        resolve(text);
      });
    });
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toMatch(/connection: close/i);
    expect(received).toContain("The body is larger than 65536 bytes.");
  });

  it("20: receives events of a server for HTTP 2", async () => {
    const { handler, received } = makeHandler();
    const server = createHttp2Server(toNodeListener(handler) as never);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const post = (authorization: string, body: string) =>
      new Promise((resolve) => {
        const stream = client.request({ ":method": "POST", ":path": path, authorization });
        stream.on("response", (headers) => resolve(headers[":status"]));
        stream.on("error", () => undefined);
        stream.resume().end(body);
      });
    const event = newEvent();
    expect(await post("secret-token", JSON.stringify(event))).toBe(200);
    expect(await post("wrong", " ".repeat(200_000))).toBe(401);
    expect(await post("secret-token", " ".repeat(200_000))).toBe(413);
    expect(await post("secret-token", JSON.stringify(event))).toBe(200);
    expect(received).toEqual([event]);
    client.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([undefined, {}])("1: takes no %j for a handler", (handler) => {
    expect(() => toNodeListener(handler as unknown as WebhookHandler)).toThrow(/createWebhookHandler/);
    expect(() => toFastifyPlugin(handler as unknown as WebhookHandler)).toThrow(/createWebhookHandler/);
  });
});

describe("toFastifyPlugin", () => {
  it("20: leaves the other routes of the application and their parsers alone", async () => {
    const { handler, received } = makeHandler({ basePath: "/hooks/" });
    const app = fastify();
    app.post("/other", async (request) => ({ got: request.body }));
    await app.register(toFastifyPlugin(handler), { prefix: "/hooks" });
    const event = newEvent();
    const headers = { authorization: "secret-token" };
    const inject = (url: string, payload: object) => app.inject({ method: "POST", url, headers, payload });
    expect((await inject(`/hooks${path}`, event)).json()).toEqual({});
    expect((await inject("/other", { a: 1 })).json()).toEqual({ got: { a: 1 } });
    expect((await inject("/nowhere", {})).statusCode).toBe(404);
    expect(received).toEqual([event]);
    await app.close();
  });
});

describe("a handler of standard requests, as in Next.js", () => {
  const failing = () => new ReadableStream({ start: (controller) => controller.error(new Error("cut")) });
  const post = (body: BodyInit | null, init: RequestInit = {}) =>
    new Request(`https://partner.example${path}`, {
      method: "POST",
      headers: { authorization: "secret-token" },
      body,
      duplex: "half",
      ...init,
    } as RequestInit);

  it.each<[string, () => Request, number]>([
    ["a body that fails", () => post(failing()), 400],
    ["no body", () => post(null), 400],
    [
      "a body that was read",
      () => {
        const request = post(text);
        void request.text();
        return request;
      },
      500,
    ],
    [
      "a body of something else than bytes",
      () =>
        post(
          new ReadableStream({
            start(it) {
              it.enqueue("text");
              it.close();
            },
          }),
        ),
      400,
    ],
    ["a URL that is none", () => ({ method: "POST", url: "/relative", headers: new Headers() }) as Request, 500],
    [
      "a compressed body",
      () => post(gzipSync(text), { headers: { authorization: "secret-token", "content-encoding": "gzip" } }),
      415,
    ],
  ])("1: answers %s", async (_what, makeRequest, status) => {
    const errors: unknown[] = [];
    const { handler, received } = makeHandler({ onError: (error) => void errors.push(error) });
    expect((await handler(makeRequest())).status).toBe(status);
    expect([received, errors.length]).toEqual([[], status === 500 ? 1 : 0]);
  });

  it("1: says what to do where it is given something else than a Request", async () => {
    const { handler } = makeHandler();
    const port = await start(
      listenWith(async (incoming: Request, outgoing: { end(text: string): void }) =>
        handler(incoming).catch((error: Error) => outgoing.end(error.message)),
      ),
    );
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain("toNodeListener");
  });
});
