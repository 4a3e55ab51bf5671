import { afterEach, describe, expect, it } from "vitest";
import { type RunningMock, type StartMockOptions, startMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { type RawHttpResponse, sendRaw } from "./raw-http.ts";

let mock: RunningMock | undefined;
afterEach(() => mock?.close());

async function start(options: StartMockOptions = {}): Promise<string> {
  mock = await startMock(plan, options);
  return mock.url;
}

const jsonBody = (value: unknown) => ({ body: JSON.stringify(value) });

interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function call(target: string, { method = "GET", headers, body = "" }: CallOptions = {}): Promise<RawHttpResponse> {
  const { url } = mock as RunningMock;
  return sendRaw({ method, url, target, headers: { "x-api-key": "key", ...headers }, body });
}

const portText = () => new URL((mock as RunningMock).url).port;

const forwardedHeaders = (host: string) => ({ "x-forwarded-host": host, "x-forwarded-proto": "https" });

describe("the control interface", () => {
  it.each<[string, () => Record<string, string>, number]>([
    ["this machine by its address", () => ({}), 200],
    ["this machine by its name", () => ({ host: `localhost:${portText()}` }), 200],
    ["a page of the mock itself", () => ({ origin: `http://127.0.0.1:${portText()}` }), 200],
    ["a page of the mock itself that calls GET", () => ({ "sec-fetch-site": "same-origin" }), 200],
    ["a person who types its address", () => ({ "sec-fetch-site": "none" }), 200],
    ["a name that leads here", () => ({ host: `evil.example:${portText()}` }), 403],
    ["a name that begins like this machine", () => ({ host: "127.0.0.1.evil.example" }), 403],
    ["another address", () => ({ host: "192.0.2.1" }), 403],
    ["a page of another site", () => ({ origin: "https://evil.example" }), 403],
    [
      "a page that a proxy serves",
      () => ({ origin: "https://localhost:8443", ...forwardedHeaders("localhost:8443") }),
      200,
    ],
    ["a foreign name at a proxy", () => ({ origin: "https://evil.example", ...forwardedHeaders("evil.example") }), 403],
    [
      "a page of another site at a proxy",
      () => ({ origin: "https://evil.example", ...forwardedHeaders("localhost") }),
      403,
    ],
    ["a page of another port", () => ({ origin: "http://127.0.0.1:1" }), 403],
    ["a page without an origin", () => ({ origin: "null" }), 403],
    ["an image of another site", () => ({ "sec-fetch-site": "cross-site" }), 403],
  ])("checks the host and origin of a request: %s", async (_, makeHeaders, status) => {
    await start();
    const response = await call("/__mock/state", { headers: makeHeaders() });
    expect(response.status).toBe(status);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
    const preflight = await call("/__mock/reset", { method: "OPTIONS", headers: makeHeaders() });
    expect(preflight.status).toBe(status === 200 ? 204 : 403);
  });

  it("names --allow-origin when it refuses a page", async () => {
    await start();
    const { text } = await call("/__mock/clock", { headers: { origin: "http://shop.example:3000" } });
    expect(text).toMatch(/pages of http:\/\/shop\.example:3000\. .* --allow-origin http:\/\/shop\.example:3000/);
  });

  it("answers pages of an allowed origin, and calls to its host", async () => {
    const headers = { origin: "http://shop.example:3000" };
    await start({ allowOrigin: ["http://shop.example:3000"] });
    const response = await call("/__mock/clock", { headers });
    expect([response.status, response.headers["access-control-allow-origin"]]).toEqual([
      200,
      "http://shop.example:3000",
    ]);
    expect((await call("/__mock/clock", { headers: { host: "shop.example" } })).status).toBe(200);
    expect((await call("/__mock/clock", { headers: { origin: "http://evil.example" } })).status).toBe(403);
  });

  it("changes nothing for a refused page, while the operations allow every origin", async () => {
    await start();
    mock?.tenant("key").users.create("user-a", { verified: true });
    const headers = { origin: "https://evil.example", host: "evil.example" };
    expect((await call("/__mock/reset", { method: "POST", headers })).status).toBe(403);
    const response = await call("/v1/user/balances/user-a", { headers });
    expect([response.status, response.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  });

  it("accepts webhook targets on this machine only, unless a host is allowed", async () => {
    await start({ allowWebhookHost: ["hooks.example"] });
    const setWebhookUrl = (url: string) => call("/__mock/webhooks", { method: "PUT", ...jsonBody({ url }) });
    for (const url of ["http://127.0.0.1:9", "http://localhost:9/x", "http://[::1]:9", "https://hooks.example/a"]) {
      expect((await setWebhookUrl(url)).status, url).toBe(200);
    }
    for (const url of ["http://intranet.example/", "http://127.0.0.1.evil.example", "http://0.0.0.0"]) {
      const { status, text } = await setWebhookUrl(url);
      expect([status, text], url).toEqual([403, expect.stringContaining("--allow-webhook-host")]);
    }
    expect((await setWebhookUrl("nonsense")).status).toBe(400);
    expect((await call("/__mock/webhooks")).text).toContain("https://hooks.example/a");
  });

  it("accepts any state that it returned, however large", async () => {
    await start({ clock: "2026-03-10T09:00:00Z" });
    for (let number = 0; number < 400; number += 1)
      mock?.tenant("key").users.create(`user-${number}`, { verified: true });
    const state = await call("/__mock/state");
    expect(state.text.length).toBeGreaterThan(1024 * 1024);
    const putResponse = await call("/__mock/state", {
      method: "PUT",
      body: state.text,
      headers: { "x-api-key": "copy" },
    });
    expect(putResponse.status).toBe(204);
    expect((await call("/__mock/state", { headers: { "x-api-key": "copy" } })).text).toBe(state.text);
  });
});

it("warns when other machines can reach it, which it answers at each IP address", async () => {
  const notes: string[] = [];
  await start({ host: "0.0.0.0", onNote: (note) => notes.push(note) });
  expect(notes.join()).toContain("The mock listens on 0.0.0.0: whoever reaches this machine can use it");
  expect([mock?.url, mock?.depositUrl].join()).toMatch(/^http:\/\/127\.0\.0\.1:\d+,http:\/\/127\.0\.0\.1:\d+$/);
  const { text } = await call("/v1/crypto-deposit/details", { headers: { host: "mock:4010" } });
  const { port: depositPort } = new URL((mock as RunningMock).depositUrl);
  expect(text).toContain(`on the other address only: http://mock:${depositPort}\n`);
  for (const [host, status] of [
    ["192.0.2.1", 200],
    ["[2001:db8::1]:4010", 200],
    ["evil.example", 403],
    ["192.0.2.1.evil.example", 403],
  ] as const) {
    expect((await call("/__mock/state", { headers: { host } })).status, host).toBe(status);
  }
});
