import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningMock, startMock } from "../../scripts/mock/host/mock.ts";
import type { PlanOperation } from "../../scripts/mock/plan/plan.ts";
import { makeRouter } from "../../scripts/mock/request/router.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, targetOf, urlOf } from "./codes/calls.ts";
import { sendBytes, sendRaw } from "./raw-http.ts";

const keyHeaders = { "x-api-key": "a-key" };
const cardsPath = "/v1/card/all/user-1042";
let mock: RunningMock;
const notes: string[] = [];
beforeAll(async () => {
  mock = await startMock(plan, { edition: "test", stateless: true, onRequest: (entry) => notes.push(...entry.notes) });
});
afterAll(() => mock.close());
afterEach(async () => {
  for (const operationId of ["listUserCards", "getCryptoDepositDetails"]) {
    expect((await fetch(urlOfExample(operationId), { headers: keyHeaders })).status).toBe(200);
  }
  expect(notes.filter((note) => note.startsWith("The mock failed"))).toEqual([]);
});

const urlOfExample = (operationId: string) =>
  urlOf(
    { baseUrl: mock.url, depositBaseUrl: mock.depositUrl },
    exampleCall(operationNamed(plan, operationId), "a-key"),
  );

test("an operation is served at its own address only, and the other address names it", async () => {
  for (const operation of plan.operations) {
    const [servingAddress, otherAddress] =
      operation.address === "base_url" ? [mock.url, mock.depositUrl] : [mock.depositUrl, mock.url];
    const target = targetOf(exampleCall(operation, "a-key"));
    const response = await fetch(`${otherAddress}${target}`, { method: operation.method, headers: keyHeaders });
    expect(response.status, operation.operationId).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toContain(servingAddress);
  }
});

test.each([
  "/",
  "/nothing/here",
  "/v1/card/all/",
  "/v1/card/all/user-1042/",
  "//v1/card/all/user-1042",
  "/v2/card/all/user-1042",
  "/v1/card/all/a/b",
  "/v1/card/all/%ZZ",
])("a path that is not in the contract gets 404: %s", async (path) => {
  const response = await fetch(`${mock.url}${path}`, { headers: keyHeaders });
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
});

test("a method that the path does not have gets 405", async () => {
  for (const operation of plan.operations) {
    const response = await fetch(urlOfExample(operation.operationId), { method: "PUT", headers: keyHeaders });
    expect(response.status, operation.operationId).toBe(405);
    expect(response.headers.get("allow")?.split(", ")).toContain(operation.method);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  }
});

test("HEAD is answered as GET without a body", async () => {
  const getResponse = await fetch(`${mock.url}${cardsPath}`, { headers: keyHeaders });
  const headResponse = await fetch(`${mock.url}${cardsPath}`, { method: "HEAD", headers: keyHeaders });
  expect(headResponse.status).toBe(getResponse.status);
  expect(headResponse.headers.get("content-type")).toBe(getResponse.headers.get("content-type"));
  expect(await headResponse.text()).toBe("");
  const refusedResponse = await fetch(urlOfExample("createOrderRateLock"), { method: "HEAD", headers: keyHeaders });
  expect(refusedResponse.status).toBe(405);
});

test("pages of other origins can call the mock (CORS)", async () => {
  const url = urlOfExample("createUserAccount");
  const preflight = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin: "http://page.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-api-key,prefer",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
  expect(preflight.headers.get("access-control-allow-headers")).toBe("*");
  const origin = { headers: { origin: "http://page.example" } };
  for (const calledUrl of [url, `${mock.url}/nothing/here`]) {
    const response = await fetch(calledUrl, origin);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toBe("*");
  }
});

test("OPTIONS lists the methods of a known path and gets 404 for an unknown one", async () => {
  const knownPath = await fetch(`${mock.url}/v1/card/all/x`, { method: "OPTIONS" });
  expect([knownPath.status, knownPath.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  const unknownPath = await fetch(`${mock.url}/nothing`, { method: "OPTIONS" });
  expect(unknownPath.status).toBe(404);
});

test.each(["a,b", "a%2Cb", "a%2Fb", "a;b=c", "a%00b", "%E2%82%AC", "'()*!", "{externalUserId}", "%7B%7D", "__proto__"])(
  "a path parameter can have any characters: %s",
  async (id) => {
    const response = await fetch(`${mock.url}/v1/user/transaction-history/${id}/02/2026`, { headers: keyHeaders });
    expect(response.status).toBe(200);
  },
);

test("the query parameter __server of Prism has no effect", async () => {
  const url = `${urlOfExample("getCryptoDepositDetails")}&__server=http%3A%2F%2Felsewhere.example`;
  expect((await fetch(url, { headers: keyHeaders })).status).toBe(200);
});

test("the concrete one of two matching path templates wins", () => {
  const operation = { address: "base_url", method: "PATCH", editions: ["test"] } as unknown as PlanOperation;
  const operations = [
    { ...operation, path: "/v1/user/{id}", operationId: "templated" },
    { ...operation, path: "/v1/user/fixed", operationId: "fixed" },
    { ...operation, path: "/v2/{a}/{id}", operationId: "templated" },
    { ...operation, path: "/v2/{b}/fixed", operationId: "fixed" },
  ];
  const route = makeRouter({ operations }, "test");
  expect(route("base_url", "PATCH", "/v2/x/fixed")).toMatchObject({ operation: { operationId: "fixed" } });
  expect(route("base_url", "PATCH", "/v1/user/fixed")).toMatchObject({ operation: { operationId: "fixed" } });
  expect(route("base_url", "PATCH", "/v1/user/other")).toMatchObject({
    operation: { operationId: "templated" },
    pathParameters: { id: "other" },
  });
});

describe("connections", () => {
  const path = "/v1/order/lock-rate";
  const request = (headers: string, body: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

  test.each([
    ["longer than the body", request("x-api-key: k\r\nContent-Length: 1000", "{}")],
    ["shorter than the body", request("x-api-key: k\r\nContent-Type: application/json\r\nContent-Length: 1", "{}{}")],
    ["twice", request("Content-Length: 2\r\nContent-Length: 3", "{}")],
    ["not a number", request("Content-Length: many", "{}")],
    ["with chunks", request("Content-Length: 2\r\nTransfer-Encoding: chunked", "{}")],
  ])("a wrong Content-Length gets 400 or a closed connection: %s", async (_, bytes) => {
    const response = await sendBytes(mock.url, bytes);
    expect(response).toMatch(/^(HTTP\/1\.1 400 |$)/);
  });

  test.each([
    ["not HTTP", "\0\x01\x02 hello\r\n\r\n"],
    ["TLS", "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"],
    ["HTTP/0.9", "GET /v1/card/all/u\r\n\r\n"],
    ["a header that is too long", request(`x: ${"y".repeat(100_000)}`, "")],
    ["a target that is too long", `GET /${"y".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"],
    ["Upgrade", request("Connection: Upgrade\r\nUpgrade: websocket", "")],
    ["without Host", `POST ${path} HTTP/1.1\r\n\r\n`],
  ])("a request that is not HTTP/1.1 or not allowed gets 4xx or a closed connection: %s", async (_, bytes) => {
    const response = await sendBytes(mock.url, bytes);
    expect(response).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
  });
});

test.each([
  ["Accept", "text/html"],
  ["Accept", "application/xml, image/*;q=0.1"],
  ["Expect", "the-unexpected"],
  ["Prefer", `example="${"\\".repeat(4000)}`],
  ["Content-Type", "multipart/form-data"],
  ["Content-Type", "\xff"],
  ["__proto__", "x"],
])("an unusual header has no effect: %s %#", async (name, value) => {
  const send = (headers: Record<string, string>) =>
    sendRaw({ method: "GET", url: mock.url, target: cardsPath, headers, body: "" });
  const { headers: _, ...usualResponse } = await send(keyHeaders);
  const { status, contentType, text } = await send({ ...keyHeaders, [name]: value });
  expect({ status, contentType, text }).toEqual({ ...usualResponse, status: 200 });
});

test.each([
  ["*", 404],
  ["http://elsewhere.example/v1/card/all/user-1042", 200],
  ["/v1/card/all/user-1042?%ZZ&=&__proto__=1&__server=x", 200],
  ["/v1/card/all/../all/user-1042", 404],
  ["/v1/card/all/%2e%2e", 200],
  ["/v1/card/all/%", 404],
  ["/v1/card/all/\xff", 400],
])("a request with the target %s gets %i", async (target, status) => {
  const { url } = mock;
  expect((await sendRaw({ method: "GET", url, target, headers: keyHeaders, body: "" })).status).toBe(status);
});
