/** Receivers on node:http and standard requests. Slow callers are in slow-callers.slow.test.ts, frameworks in test/peers/packed. */
import { createServer, type RequestListener } from "node:http";
import { exactNumbers } from "partner-wallet-api";
import { toFastifyPlugin, toNodeListener, type WebhookHandler } from "partner-wallet-api/webhooks";
import { describe, expect, it, vi } from "vitest";
import { testAnyRequest } from "./any-request.ts";
import { eventText, listenWith, makeHandler, newEvent, path, requestText, sendRaw, watchServers } from "./receivers.ts";
import { listen, makeThrower } from "./support.ts";

const startServer = watchServers();

describe("node:http", () => testAnyRequest((handler) => listenWith(toNodeListener(handler)), startServer));

describe("toNodeListener", () => {
  it.each<[string, () => Response | Promise<Response>]>([
    ["rejects", () => Promise.reject(new Error("mine"))],
    ["throws", makeThrower("mine")],
    ["returns nothing", () => undefined as unknown as Response],
    ["returns a response without a status", () => Response.error()],
    [
      "returns a response whose body fails",
      () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error("mine")) })),
    ],
  ])("responds 500 with the reason when a function around the handler %s", async (_name, wrapper) => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const port = await startServer(listenWith(toNodeListener(wrapper as unknown as WebhookHandler)));
    for (const _call of [1, 2]) expect(await sendRaw(port, requestText({}, eventText))).toBe("500");
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  it("passes on the bytes, status and headers of any Response", async () => {
    const bytes = new Uint8Array([0, 255, 128]);
    const wrapper = async () => new Response(bytes, { status: 203, headers: { "x-a": "b" } });
    const port = await startServer(listenWith(toNodeListener(wrapper)));
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect([response.status, response.headers.get("x-a")]).toEqual([203, "b"]);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  it("reads the stream behind a parser that set an empty text without reading it", async () => {
    const { handler, received } = makeHandler();
    const listener = toNodeListener(handler);
    const parsingListener: RequestListener = (request, response) =>
      listener(Object.assign(request, { body: "" }), response);
    const port = await startServer(listenWith(parsingListener));
    const event = newEvent();
    expect(await sendRaw(port, requestText({}, JSON.stringify(event)))).toBe("200");
    expect(received).toEqual([event]);
  });

  it.each<[string, (bytes: Buffer) => object]>([
    ["bytes", (bytes) => ({ body: bytes })],
    ["a text", (bytes) => ({ body: bytes.toString() })],
    ["bytes beside the parsed value", (bytes) => ({ rawBody: bytes, body: JSON.parse(bytes.toString()) })],
  ])("takes the digits of an event from what a parser left, read or from elsewhere: %s", async (_, membersOf) => {
    const { handler, received } = makeHandler();
    const listener = toNodeListener(handler);
    const event = { ...newEvent(), fee: 0 };
    const text = JSON.stringify(event).replace('"fee":0', '"fee":1.10');
    const otherEventText = JSON.stringify(newEvent());
    const parsingListener: RequestListener = (request, response) => {
      const pass = (bytes: Buffer) => listener(Object.assign(request, membersOf(bytes)), response);
      if (request.headers["x-elsewhere"] !== undefined) return pass(Buffer.from(otherEventText));
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk)).on("end", () => pass(Buffer.concat(chunks)));
    };
    const port = await startServer(listenWith(parsingListener));
    expect(await sendRaw(port, requestText({}, text))).toBe("200");
    expect(exactNumbers(received[0] as object)).toEqual({ ...event, fee: "1.10" });
    expect(await sendRaw(port, requestText({ headers: { "x-elsewhere": "1" } }, otherEventText))).toBe("200");
  });

  it("knows no digits of an event of which a parser left the value only", async () => {
    const { handler, received } = makeHandler();
    const listener = toNodeListener(handler);
    const event = { ...newEvent(), fee: 1.1 };
    const parsingListener: RequestListener = (request, response) =>
      request.resume().on("end", () => listener(Object.assign(request, { body: event }), response));
    const port = await startServer(listenWith(parsingListener));
    expect(await sendRaw(port, requestText({}, JSON.stringify(event)))).toBe("200");
    expect(() => exactNumbers(received[0] as object)).toThrow(TypeError);
  });

  it("responds 500 when a parser made values that JSON does not have, so that the event is delivered again", async () => {
    const errors: Error[] = [];
    const { handler, received, refusals } = makeHandler({ onError: (error: unknown) => errors.push(error as Error) });
    const listener = toNodeListener(handler);
    const parsingListener: RequestListener = (request, response) =>
      request.resume().on("end", () => listener(Object.assign(request, { body: { id: 10n } }), response));
    expect(await sendRaw(await startServer(listenWith(parsingListener)), requestText({}, eventText))).toBe("500");
    expect([received, refusals]).toEqual([[], []]);
    expect(errors[0]?.message).toContain("such as a BigInt");
  });

  it("ends a body that does not arrive at the server's timeout, and reports it", async () => {
    const { handler, received, refusals } = makeHandler();
    const limits = { requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 50 };
    const port = await startServer(listen(createServer(limits, toNodeListener(handler))));
    const event = newEvent();
    const body = JSON.stringify(event);
    const slowRequest = `${requestText({ headers: { "content-length": `${body.length}` } })}${body.slice(0, 5)}`;
    expect(await sendRaw(port, slowRequest)).toMatch(/^(408|closed)$/);
    await vi.waitFor(() => expect(refusals).toMatchObject([[{ status: 400 }, undefined]]), 10_000);
    // This server has no short time limits, because a busy machine could exceed them.
    const patientPort = await startServer(listenWith(toNodeListener(handler)));
    expect(await sendRaw(patientPort, requestText({}, body))).toBe("200");
    expect(received).toEqual([event]);
  });

  it.each([undefined, {}])("throws for %j as the handler", (handler) => {
    expect(() => toNodeListener(handler as unknown as WebhookHandler)).toThrow(/createWebhookHandler/);
    expect(() => toFastifyPlugin(handler as unknown as WebhookHandler)).toThrow(/createWebhookHandler/);
  });
});

describe("a handler of standard requests, as in Next.js", () => {
  const makeCall = (body: BodyInit | null, init: RequestInit = {}) =>
    new Request(`https://partner.example${path}`, {
      method: "POST",
      headers: { authorization: "secret-token" },
      body,
      duplex: "half",
      ...init,
    } as RequestInit);

  it.each<[string, () => Request, number]>([
    [
      "a body of something else than bytes",
      () =>
        makeCall(
          new ReadableStream({
            start(controller) {
              controller.enqueue("text");
              controller.close();
            },
          }),
        ),
      400,
    ],
    ["a relative URL", () => ({ method: "POST", url: "/relative", headers: new Headers() }) as Request, 500],
  ])("responds %s", async (_name, makeRequest, status) => {
    const errors: unknown[] = [];
    const { handler, received } = makeHandler({ onError: (error) => void errors.push(error) });
    expect((await handler(makeRequest())).status).toBe(status);
    expect([received, errors.length]).toEqual([[], status === 500 ? 1 : 0]);
  });

  it("throws with advice when it gets something other than a Request", async () => {
    const { handler } = makeHandler();
    const port = await startServer(
      listenWith(async (request: Request, response: { end(text: string): void }) =>
        handler(request).catch((error: Error) => response.end(error.message)),
      ),
    );
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain("toNodeListener");
  });
});
