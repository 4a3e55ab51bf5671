import { gzipSync } from "node:zlib";
import express from "express";
// @ts-expect-error Express 4 is installed under this name, without types.
import express4 from "express4";
import fastify from "fastify";
import { exactNumbers, toFastifyPlugin, toNodeListener, type WebhookHandler } from "partner-wallet-api/webhooks";
import { describe, expect, it, vi } from "vitest";
import { testAnyRequest, testSlowCallers } from "../../client/packed/any-request.ts";
import { makeReceiver } from "../../client/packed/deliveries.ts";
import {
  listenWith,
  makeHandler,
  newEvent,
  path,
  requestText,
  sendRaw,
  watchServers,
} from "../../client/packed/receivers.ts";
import { frameworks } from "./frameworks.ts";

const startServer = watchServers();

describe.each(Object.entries(frameworks))("%s", (_name, serve) => testAnyRequest(serve, startServer));

describe.concurrent.each(Object.entries(frameworks))("%s with slow callers", (_name, serve) =>
  testSlowCallers(serve, startServer),
);

describe.each([
  ["4", express4 as unknown as typeof express],
  ["5", express],
] as const)("Express %s", (_version, framework) => {
  const numbers = '{"amount":12345678.123456789012}';
  const json = "application/json";

  async function deliver(mount: (handler: WebhookHandler) => unknown, body: string, type: string, mountPath = "") {
    const { handler, received, nonconformingBodies, refusals } = makeReceiver({
      authorization: "secret-token",
      paths: { cryptoDeposit: "/mine" },
      basePath: mountPath,
    });
    const port = await startServer(listenWith(mount(handler)));
    const headers = { "content-type": type, authorization: "secret-token" };
    const { status } = await fetch(`http://127.0.0.1:${port}${mountPath.replace(/\/$/, "")}/mine`, {
      method: "POST",
      headers,
      body,
    });
    return {
      status,
      receivedBodies: [...received, ...nonconformingBodies.map(({ body: receivedBody }) => receivedBody)],
      refusedTexts: refusals.map(([, raw]) => raw),
    };
  }

  const parsers: [name: string, mount: (handler: WebhookHandler) => unknown, isExact: boolean, type?: string][] = [
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

  it.each(parsers)("delivers behind %s", async (_name, mount, isExact, type = json) => {
    const { status, receivedBodies } = await deliver(mount, numbers, type);
    expect([status, receivedBodies]).toEqual([200, [JSON.parse(numbers)]]);
    const readAmount = () => exactNumbers(receivedBodies[0] as { amount: number }).amount;
    if (isExact) expect(readAmount()).toBe("12345678.123456789012");
    else expect(readAmount).toThrow(TypeError);
  });

  it.each(parsers)("refuses an empty body as no JSON behind %s", async (_name, mount, _isExact, type = json) => {
    expect(await deliver(mount, "", type)).toMatchObject({ status: 400, receivedBodies: [] });
  });

  it("delivers below the path of a router", async () => {
    const mountOnRouter = (handler: WebhookHandler) => framework().use("/hooks", toNodeListener(handler));
    expect(await deliver(mountOnRouter, numbers, json, "/hooks")).toMatchObject({ status: 200 });
    const mountOnNestedRouter = (handler: WebhookHandler) =>
      framework().use("/hooks", framework.Router().use(framework.json(), toNodeListener(handler)));
    expect(await deliver(mountOnNestedRouter, numbers, json, "/hooks/")).toMatchObject({ status: 200 });
  });

  it("refuses an event below the path of a router, naming basePath, when basePath is missing", async () => {
    const { handler, received } = makeHandler({ unknown: () => undefined });
    const port = await startServer(listenWith(framework().use("/hooks", toNodeListener(handler))));
    const headers = { authorization: "secret-token" };
    const init = { method: "POST", headers, body: JSON.stringify(newEvent()) };
    const response = await fetch(`http://127.0.0.1:${port}/hooks${path}`, init);
    const { message } = (await response.json()) as { message: string };
    expect([response.status, message]).toEqual([404, expect.stringContaining('basePath: "/hooks"')]);
    expect(received).toEqual([]);
  });

  it("passes a body of null to the policy nonconforming", async () => {
    const mount = (handler: WebhookHandler) =>
      framework().use(framework.json({ strict: false }), toNodeListener(handler));
    expect(await deliver(mount, "null", json)).toMatchObject({ status: 200, receivedBodies: [null] });
  });

  it("delivers a compressed body that the parser has read", async () => {
    const { handler, received } = makeHandler();
    const port = await startServer(listenWith(framework().use(framework.json(), toNodeListener(handler))));
    const event = newEvent();
    const headers = { "content-type": json, "content-encoding": "gzip", authorization: "secret-token" };
    const body = gzipSync(JSON.stringify(event));
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
    expect([status, received]).toEqual([200, [event]]);
  });

  it("responds with 500 to a parsed body that cannot be serialised, so that the event comes again", async () => {
    const parseAsBigInt = (request: object, _response: unknown, next: () => void) => {
      Object.assign(request, { body: { amount: 1n } });
      next();
    };
    const mount = (handler: WebhookHandler) =>
      framework().use(framework.raw({ type: "*/*" }), parseAsBigInt, toNodeListener(handler));
    expect(await deliver(mount, numbers, json)).toMatchObject({ status: 500, receivedBodies: [] });
  });

  it("keeps a response that another middleware has sent", async () => {
    const { handler, received } = makeHandler();
    const respondFirst = (_request: unknown, response: { status(code: number): { end(): void } }, next: () => void) => {
      response.status(202).end();
      next();
    };
    const port = await startServer(listenWith(framework().use(respondFirst as never, toNodeListener(handler))));
    expect(await sendRaw(port, requestText({}, JSON.stringify(newEvent())))).toBe("202");
    await vi.waitFor(() => expect(received).toHaveLength(1), 10_000);
  });
});

describe("toFastifyPlugin", () => {
  it("leaves other routes and their parsers unchanged", async () => {
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

  it("accepts the path made by rewriteUrl, with or without a trailing slash", async () => {
    const { handler, received } = makeHandler({ basePath: "/hooks" });
    const app = fastify({ rewriteUrl: ({ url = "" }) => url.replace(/^\/public\/v2/, "/hooks") });
    await app.register(toFastifyPlugin(handler), { prefix: "/hooks" });
    const headers = { authorization: "secret-token" };
    for (const url of [`/public/v2${path}`, `/public/v2${path}/`]) {
      const response = await app.inject({ method: "POST", url, headers, payload: newEvent() });
      expect([response.statusCode, response.json()]).toEqual([200, {}]);
    }
    expect(received).toHaveLength(2);
    await app.close();
  });
});
