/**
 * The contract in the edition `test` works with the unchanged `prism mock`, which `npm run mock:prism` runs. Prism must agree
 * with the stateless mock on the documented responses, and on which requests are valid.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { type Command, startScript } from "../support/command.ts";
import { plan } from "../support/plan.ts";
import { withTakenPort } from "../support/ports.ts";
import { type NearlyValidRequest, nearlyValidRequests } from "./any-request.ts";
import { exampleCall, send } from "./codes/calls.ts";

const freePort = () => withTakenPort(async (port) => String(port));

describe("the edition test", () => {
  const edition = "test";
  const { operations } = plan;
  let prism: Command | undefined;
  let urls: { url: string; depositUrl: string };
  beforeAll(async () => {
    const [port, depositPort] = [await freePort(), await freePort()];
    prism = startScript("mock-prism", "--edition", edition, "--port", port, "--deposit-port", depositPort);
    await prism.waitFor(/Prism is listening[\s\S]*Prism is listening/, { limitMs: 180_000 });
    urls = { url: `http://127.0.0.1:${port}`, depositUrl: `http://127.0.0.1:${depositPort}` };
  }, 200_000);
  afterAll(async () => {
    prism?.signal("SIGTERM");
    await prism?.exitCode;
  });

  test("has the same documented responses as Prism", async () => {
    const mock = createMock(plan, { edition, stateless: true });
    const stockMock = { fetch, baseUrl: urls.url, depositBaseUrl: urls.depositUrl };
    for (const operation of operations) {
      // Prism refuses a single file where a list of files is expected.
      if (operation.operationId === "addPoaFiles") continue;
      for (const { status, example } of operation.responses) {
        if (example === undefined) continue;
        const prefer = `code=${status}, example=${example}`;
        const mockResponse = await send(mock, exampleCall(operation, "a-key"), { prefer });
        const prismResponse = await send(stockMock, exampleCall(operation, "a-key"), { prefer, connection: "close" });
        const caseName = `${operation.operationId} ${status} ${example}`;
        expect(prismResponse.status, caseName).toBe(mockResponse.status);
        expect(prismResponse.headers.get("content-type"), caseName).toBe(mockResponse.headers.get("content-type"));
        expect(await prismResponse.text(), caseName).toBe(await mockResponse.text());
      }
    }
  });

  test("accepts and refuses the same random requests as Prism", async () => {
    const mock = createMock(plan, { edition, stateless: true });
    for (const { address, request } of fc.sample(nearlyValidRequests(operations), { seed: 1, numRuns: 300 })) {
      const { method, query, body } = request;
      if (!isCompared(request)) continue;
      const path = `${request.path}${query.size === 0 ? "" : `?${query}`}`;
      const headers = { "x-api-key": String(request.headers["x-api-key"] ?? ""), "content-type": "application/json" };
      const init = { method, headers, ...(method === "GET" ? {} : { body: String(body.bytes) }) };
      const mockResponse = await mock.fetch(
        `${address === "base_url" ? mock.baseUrl : mock.depositBaseUrl}${path}`,
        init,
      );
      // The two mocks may treat undocumented paths, methods and addresses differently.
      if (mockResponse.headers.get("content-type")?.startsWith("text/plain")) continue;
      // Prism closes idle connections after 5 s, which on a slow machine could be while the next request is sent.
      const initWithClose = { ...init, headers: { ...headers, connection: "close" } };
      const prismResponse = await fetch(`${address === "base_url" ? urls.url : urls.depositUrl}${path}`, initWithClose);
      const isAccepted = mockResponse.status < 400 && !mockResponse.headers.has("x-mock-warning");
      expect(
        prismResponse.status < 400,
        `${method} ${path} ${body.bytes}: ${mockResponse.status}, ${prismResponse.status}`,
      ).toBe(isAccepted);
    }
  });

  test("is served again after Prism has ended at a malformed form", async () => {
    const form = [
      '--b\r\ncontent-disposition: form-data; name="{\\"x\\" : true}\\";type"\r\n\r\napplication/json\r\n--b--\r\n',
    ].join("");
    const headers = { "x-api-key": "k", "content-type": "multipart/form-data; boundary=b", connection: "close" };
    const url = `${urls.url}/v1/user/kyc-files/user-1042`;
    await fetch(url, { method: "POST", headers, body: form }).catch(() => {});
    await prism?.waitFor(/It is started again[\s\S]*Prism is listening/, { limitMs: 180_000 });
    expect((await fetch(`${urls.url}/v1/partner/balances`, { headers: { "x-api-key": "k" } })).status).toBe(200);
  }, 200_000);
});

/** Whether the responses to a request are compared. They may differ for HEAD, OPTIONS, forms, and bodies that are not JSON objects. */
function isCompared({ method, headers, body }: NearlyValidRequest["request"]): boolean {
  if (["GET", "HEAD", "OPTIONS"].includes(method)) return method === "GET";
  return headers["content-type"] === "application/json" && body.bytes[0] === "{".charCodeAt(0);
}
