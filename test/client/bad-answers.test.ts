/**
 * A hostile server: every bad answer becomes the right typed error, nothing throws and nothing hangs. A success that the
 * contract does not document is a success.
 */

import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { createPartnerClient, PartnerApiError, unwrap } from "partner-wallet-api";
import { afterEach, describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/http.ts";

const json = { "content-type": "application/json" };
const lock = {
  lockId: "a3f7e9d0-4b62-48c1-95ae-1d0c8b6f2e73",
  rate: 1,
  amount: 1,
  expiresAt: "2026-03-09T10:45:30Z",
  cryptocurrency: "btc",
  network: "btc",
};

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Calls an operation that changes something (so that nothing is repeated) on a server that answers so. */
async function call(answer: (response: ServerResponse) => void, timeoutMs = 5_000) {
  server = await serve((request, response) => {
    request.resume();
    answer(response);
  });
  return callAt(server.url, timeoutMs);
}

function callAt(url: string, timeoutMs = 5_000, signal?: AbortSignal) {
  const client = createPartnerClient({ baseUrl: url, depositBaseUrl: url, apiKey: "canary-key", timeoutMs });
  return client.createOrderRateLock({
    body: { currency: "btc", amount: "250.00", network: "btc" },
    ...(signal === undefined ? {} : { signal }),
  });
}

function respond(status: number, headers: Record<string, string>, body = "") {
  return (response: ServerResponse) => response.writeHead(status, headers).end(body);
}

/** A server of raw bytes, for answers that node:http would not send. */
async function callRaw(onRequest: (socket: Socket) => void, timeoutMs = 5_000) {
  const raw = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => onRequest(socket));
  });
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const result = await callAt(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`, timeoutMs);
  await new Promise((resolve) => raw.close(resolve));
  return result;
}

const timestamp = "2026-03-14T09:26:53.589Z";
const p403 = JSON.stringify({ errorCode: "P403", errorMessage: "no", timestamp });

describe("a success of an operation that only answers with a message", () => {
  const update = async (answer: (response: ServerResponse) => unknown) => {
    server = await serve((request, response) => {
      request.resume();
      answer(response);
    });
    const client = createPartnerClient({ baseUrl: server.url, depositBaseUrl: server.url, apiKey: "canary-key" });
    return client.updateUser({ path: { externalUserId: "user-1042" }, body: { city: "Berlin" } });
  };

  it.each([
    ["a documented status and no body", respond(200, json)],
    ["201 and no body", respond(201, {})],
    ["204", respond(204, {})],
    ["JSON that is no object", respond(200, json, "true")],
  ])("may have %s", async (_name, answer) => {
    const { data, error } = await update(answer);
    expect(error).toBeUndefined();
    expect(data).toEqual({ message: "" });
  });

  it("keeps the body that it has", async () => {
    expect((await update(respond(202, json, '{"message":"ok","more":1}'))).data).toEqual({ message: "ok", more: 1 });
    expect((await update(respond(200, json, "{}"))).data).toEqual({});
  });

  it.each([
    ["a page", respond(200, { "content-type": "text/html" }, "<p>Log in</p>")],
    ["truncated JSON", respond(200, json, '{"message":')],
  ])("is not %s", async (_name, answer) => {
    expect((await update(answer)).error).toMatchObject({ kind: "unexpected-answer", status: 200 });
  });
});

describe("an answer of the service", () => {
  const cases: [
    name: string,
    answer: (response: ServerResponse) => unknown,
    kind: string,
    status: number,
    code?: string,
  ][] = [
    ["a documented code", respond(400, json, p403), "code", 400, "P403"],
    [
      "a documented code with a charset",
      respond(400, { "content-type": "application/json; charset=utf-8" }, p403),
      "code",
      400,
      "P403",
    ],
    ["401 without a code", respond(401, json, '{"errorMessage":"Access Denied"}'), "no-code", 401],
    ["a code of another operation", respond(400, json, '{"errorCode":"P411"}'), "code", 400, "P411"],
    ["a code with another status", respond(404, json, '{"errorCode":"P403"}'), "code", 404, "P403"],
    ["a code with an undocumented status", respond(409, json, '{"errorCode":"P411"}'), "code", 409, "P411"],
    ["a code that calls itself text", respond(400, { "content-type": "text/plain" }, p403), "code", 400, "P403"],
    ["a code nobody knows", respond(400, json, '{"errorCode":"P999"}'), "unknown-code", 400, "P999"],
    [
      "a code that is a key of Object",
      respond(400, json, '{"errorCode":"constructor"}'),
      "unknown-code",
      400,
      "constructor",
    ],
    ["a code that is a number", respond(400, json, '{"errorCode":403}'), "unexpected-answer", 400],
    ["a 400 without a code", respond(400, json, '{"errorMessage":"?"}'), "unexpected-answer", 400],
    ["an empty 400", respond(400, json), "unexpected-answer", 400],
    ["an empty 500", respond(500, {}), "unexpected-answer", 500],
    ["an HTML 502", respond(502, { "content-type": "text/html" }, "<h1>Bad Gateway</h1>"), "unexpected-answer", 502],
    ["an HTML 401", respond(401, { "content-type": "text/html" }, "<h1>Denied</h1>"), "no-code", 401],
    ["an empty 401", respond(401, {}), "no-code", 401],
    ["a plain text 503", respond(503, { "content-type": "text/plain" }, "busy"), "unexpected-answer", 503],
    ["a JSON 500", respond(500, json, '{"message":"oops"}'), "unexpected-answer", 500],
    ["a JSON array as an error", respond(400, json, "[]"), "unexpected-answer", 400],
    ["a JSON null as an error", respond(400, json, "null"), "unexpected-answer", 400],
    ["a JSON string as an error", respond(400, json, '"P403"'), "unexpected-answer", 400],
    ["broken JSON as an error", respond(400, json, '{"errorCode":"P4'), "unexpected-answer", 400],
    ["a 429 without a body", respond(429, { "retry-after": "1" }), "unexpected-answer", 429],
    ["an HTML 201", respond(201, { "content-type": "text/html" }, "<p>Log in</p>"), "unexpected-answer", 201],
    ["an empty 201", respond(201, json), "unexpected-answer", 201],
    ["a 204", respond(204, {}), "unexpected-answer", 204],
    ["a 201 with a text", respond(201, { "content-type": "text/plain" }, "created"), "unexpected-answer", 201],
    ["a 201 with a JSON string", respond(201, json, '"created"'), "unexpected-answer", 201],
    ["a 201 with null", respond(201, json, "null"), "unexpected-answer", 201],
    ["a 201 cut short", respond(201, json, JSON.stringify(lock).slice(0, 20)), "unexpected-answer", 201],
    ["a redirect to itself", respond(302, { location: "/" }), "unexpected-answer", 302],
    ["a permanent redirect", respond(308, { location: "http://127.0.0.1:9/steal" }), "unexpected-answer", 308],
  ];

  it.each(cases)("%s", async (_name, answer, kind, status, code) => {
    const result = await call(answer);
    expect(result.data).toBeUndefined();
    expect(result.error).toBeInstanceOf(PartnerApiError);
    expect(result.error).toMatchObject({ kind, status, errorCode: code, operationId: "createOrderRateLock" });
    expect(result.response?.status).toBe(status);
  });

  it.each([
    ["another status", 200, json],
    ["a status that HTTP does not know", 299, json],
    ["no content type", 201, {}],
    ["a content type of text", 201, { "content-type": "text/plain" }],
  ])("is a success with %s, when its body is readable", async (_name, status, headers) => {
    const result = await call(respond(status, headers, JSON.stringify(lock)));
    expect(result.error).toBeUndefined();
    expect(result.data).toEqual(lock);
    expect(result.status).toBe(status);
  });

  it.each([
    ["documented", 400, p403, true],
    ["of another operation", 400, '{"errorCode":"P412"}', false],
    ["with another status", 404, p403, false],
    ["nobody knows", 400, '{"errorCode":"P999"}', false],
  ])("says whether its code is documented: %s", async (_name, status, body, documented) => {
    const { error } = await call(respond(status, json, body));
    expect(error).toMatchObject({ documented });
    expect(error?.message.includes("not documented")).toBe(!documented);
  });

  it("has the meaning and the advice of a code that the operation is not known to answer", async () => {
    const { error } = await call(respond(404, json, '{"errorCode":"P412"}'));
    expect(error).toMatchObject({ meaning: "User not exist", retry: expect.any(String), docs: expect.any(String) });
    expect(error?.resolution).toEqual(expect.any(String));
  });

  it("says of a success that cannot be read that the call may have succeeded", async () => {
    const { error } = await call(respond(201, json));
    expect(error?.message).toContain("the call may have succeeded");
  });

  it("keeps the advice of the catalogue", async () => {
    const { error } = await call(respond(400, json, p403));
    expect(error).toMatchObject({ meaning: "Validation error", retry: "after-change", timestamp });
    expect(error?.resolution).toContain("errorMessage");
  });

  it("keeps a capped text of an unexpected answer, out of sight of loggers", async () => {
    const { error } = await call(respond(502, { "content-type": "text/html" }, `<p>${"x".repeat(10_000)}</p>`));
    expect(error?.body).toHaveLength(2_000);
    expect(JSON.stringify(error)).not.toContain("xxx");
  });

  it("never follows a redirect, so that the key stays where it belongs", async () => {
    let stolen = false;
    const thief = await serve((_request, response) => {
      stolen = true;
      response.end();
    });
    await call(respond(307, { location: `${thief.url}/v1/order/lock-rate` }));
    await thief.close();
    expect(stolen).toBe(false);
  });
});

describe("a broken connection", () => {
  it("refused", async () => {
    const closed = await serve(() => undefined);
    await closed.close();
    const result = await callAt(closed.url);
    expect(result.error).toMatchObject({ kind: "network", status: undefined, errorCode: undefined });
    expect(result.error?.cause).toBeInstanceOf(Error);
    expect(result.response).toBeUndefined();
  });

  it("a host that does not resolve", async () => {
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND api.example"), { code: "ENOTFOUND" });
    const client = createPartnerClient({
      baseUrl: "https://api.example",
      depositBaseUrl: "https://deposits.example",
      apiKey: "canary-key",
      retries: 0,
      fetch: () => Promise.reject(new TypeError("fetch failed", { cause })),
    });
    const result = await client.listUserCards({ path: { externalUserId: "user-1042" } });
    expect(result.error).toMatchObject({ kind: "network", status: undefined, cause: { cause } });
  });

  it.each([
    ["closed without an answer", (socket: Socket) => socket.destroy()],
    ["an answer that is no HTTP", (socket: Socket) => socket.end("220 smtp ready\r\n")],
    [
      "closed in the middle of the body",
      (socket: Socket) =>
        socket.end('HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"lockId":'),
    ],
    [
      "closed in the middle of an error body",
      (socket: Socket) =>
        socket.end(
          'HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"errorCode":',
        ),
    ],
    [
      "a broken chunk",
      (socket: Socket) => socket.end("HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n"),
    ],
  ])("%s", async (_name, onRequest) => {
    const result = await callRaw(onRequest);
    expect(result.error?.kind).toBe("network");
  });

  it.each([
    ["no answer", () => undefined],
    ["half an answer", (response: ServerResponse) => response.writeHead(201, json).write('{"lockId"')],
  ])("a timeout with %s", async (_name, answer) => {
    const result = await call(answer, 150);
    expect(result.error).toMatchObject({ kind: "timeout", status: undefined });
  });

  it("an abort by the caller, before and during the call", async () => {
    const silent = await serve(() => undefined);
    const controller = new AbortController();
    const during = callAt(silent.url, 5_000, controller.signal);
    setTimeout(() => controller.abort(new Error("changed my mind")), 20);
    expect((await during).error?.kind).toBe("aborted");
    expect((await callAt(silent.url, 5_000, AbortSignal.abort())).error?.kind).toBe("aborted");
    await silent.close();
  });

  it("a fetch that never heeds the signal", async () => {
    const client = createPartnerClient({
      baseUrl: "http://127.0.0.1",
      depositBaseUrl: "http://127.0.0.1",
      apiKey: "canary-key",
      timeoutMs: 50,
      fetch: () => new Promise(() => undefined),
    });
    const result = await client.listUserCards({ path: { externalUserId: "user-1042" } });
    expect(result.error?.kind).toBe("timeout");
  });
});

describe("unwrap", () => {
  it("gives the data of a success", async () => {
    const result = await call(respond(201, json, JSON.stringify(lock)));
    expect(unwrap(result)).toEqual(lock);
  });

  it("throws the error of a failure", async () => {
    const result = await call(respond(400, json, p403));
    expect(() => unwrap(result)).toThrow(result.error);
    expect(() => unwrap(result)).toThrow("createOrderRateLock: 400 P403 Validation error");
  });
});
