/** Matching of addresses, paths and methods to operations. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRouter } from "../../scripts/mock/answer/router.ts";
import type { PlanOperation } from "../../scripts/mock/plan/plan.ts";
import { expectDocumented, key, operationOf, startTestMock, type TestMock, urlOf, validInit } from "./support.ts";

let mock: TestMock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

test("an operation is answered on its own address only, and the other address names it", async () => {
  for (const operation of mock.contract.operations) {
    const own = urlOf(mock, operation);
    const [ownAddress, otherAddress] =
      operation.address === "base_url" ? [mock.url, mock.depositUrl] : [mock.depositUrl, mock.url];
    const response = await fetch(own.replace(ownAddress, otherAddress), validInit(operation));
    expect(response.status, operation.operationId).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toContain(ownAddress);
  }
});

test.each([
  "/",
  "/v1",
  "/nothing/here",
  "/v1/card/all",
  "/v1/card/all/",
  "/v1/card/all/user-1042/",
  "//v1/card/all/user-1042",
  "/v2/card/all/user-1042",
  "/v1/card/all/a/b",
  "/v1/card/all/%ZZ",
  "/v1/card/all/%C3%28",
])("a path that is not in the contract: %s", async (path) => {
  const response = await fetch(`${mock.url}${path}`, { headers: key });
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
});

test("a method that the path does not have", async () => {
  for (const operation of mock.contract.operations) {
    const response = await fetch(urlOf(mock, operation), { method: "PUT", headers: key });
    expect(response.status, operation.operationId).toBe(405);
    expect(response.headers.get("allow")?.split(", ")).toContain(operation.method.toUpperCase());
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  }
});

test("HEAD is answered as GET without a body", async () => {
  const operation = operationOf(mock, "listUserCards");
  const got = await fetch(urlOf(mock, operation), { headers: key });
  const head = await fetch(urlOf(mock, operation), { method: "HEAD", headers: key });
  expect(head.status).toBe(got.status);
  expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"));
  expect(head.headers.get("content-length")).toBe(String((await got.text()).length));
  expect(await head.text()).toBe("");
  const refused = await fetch(urlOf(mock, operationOf(mock, "createOrderRateLock")), { method: "HEAD", headers: key });
  expect(refused.status).toBe(405);
});

test("a page of another origin can call the mock (CORS)", async () => {
  const operation = operationOf(mock, "createUserAccount");
  const preflight = await fetch(urlOf(mock, operation), {
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
  for (const path of [operation.path, "/nothing/here"]) {
    const response = await fetch(`${mock.url}${path}`, origin);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toBe("*");
  }
});

test("OPTIONS lists the methods of a known path and gets 404 for an unknown one", async () => {
  const known = await fetch(`${mock.url}/v1/card/all/x`, { method: "OPTIONS" });
  expect([known.status, known.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  const unknown = await fetch(`${mock.url}/nothing`, { method: "OPTIONS" });
  expect(unknown.status).toBe(404);
});

test.each(["a,b", "a%2Cb", "a%2Fb", "a;b=c", "a%00b", "%E2%82%AC", "'()*!", "{externalUserId}", "%7B%7D", "__proto__"])(
  "a path parameter may have any characters: %s",
  async (id) => {
    const response = await fetch(`${mock.url}/v1/user/transaction-history/${id}/02/2026`, { headers: key });
    expect(response.status).toBe(200);
    await expectDocumented(operationOf(mock, "getUserTransactionHistory"), response);
  },
);

test("the query parameter __server of Prism has no effect", async () => {
  const operation = operationOf(mock, "getCryptoDepositDetails");
  const response = await fetch(`${urlOf(mock, operation)}&__server=http%3A%2F%2Felsewhere.example`, { headers: key });
  expect(response.status).toBe(200);
  await expectDocumented(operation, response);
});

test("of two path templates that match, the concrete one wins", () => {
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
