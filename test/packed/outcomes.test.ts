/** What a failure says about its effect, and what is repeated. */

import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { createPartnerClient, type LogEvent, type Outcome } from "partner-wallet-api";
import { Agent, RetryAgent, setGlobalDispatcher } from "undici";
import { describe, expect, it, vi } from "vitest";
import { clientWith, created, type Fetch, json, refusal, serveOnLoopback, transfer } from "./support.ts";

const page = { "content-type": "text/html" };
/** A proxy that throws whatever is asked of it. */
function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable(new Error("x"), {});
  revoke();
  return proxy;
}

const broken = () => Promise.reject(new TypeError("fetch failed"));

describe("the outcome of a call that moves money", () => {
  const cases: [name: string, outcome: Outcome, fetch: Fetch][] = [
    ["a documented P-code", "refused", async () => refusal("P433")],
    ["a P-code of another operation", "refused", async () => refusal("P459")],
    ["P500, an internal failure that comes with 400", "unknown", async () => refusal("P500")],
    ["P501, which is temporary", "unknown", async () => refusal("P501")],
    ["a P-code that nobody knows", "unknown", async () => refusal("P999")],
    ["401", "refused", async () => json(401, { errorMessage: "Access Denied" })],
    ["401 in plain text", "refused", async () => new Response("Access Denied", { status: 401 })],
    ["404 of something in between", "refused", async () => new Response("<p>", { status: 404, headers: page })],
    ["429", "refused", async () => json(429, {})],
    ["408", "unknown", async () => json(408, {})],
    ["409 without a code", "unknown", async () => json(409, {})],
    ["499 of a proxy", "unknown", async () => json(499, {})],
    ["P213 as a failure, which the catalogue calls none", "unknown", async () => refusal("P213")],
    ["a rejection that cannot be looked at", "unknown", () => Promise.reject(revoked())],
    ["400 without a code", "unknown", async () => json(400, {})],
    ["400 cut short", "unknown", async () => json(400, '{"errorCode":"P4')],
    ["a redirect", "unknown", async () => new Response(null, { status: 302, headers: { location: "/" } })],
    ["502", "unknown", async () => new Response("<p>", { status: 502, headers: page })],
    ["a success cut short", "unknown", async () => json(201, '{"transferId":')],
    ["a success in HTML", "unknown", async () => new Response("<p>", { status: 200, headers: page })],
    ["a broken connection", "unknown", broken],
    ["no answer in time", "unknown", () => new Promise(() => {})],
  ];

  it.each(cases)("%s: %s", async (_name, outcome, fetch) => {
    const { error } = await clientWith(fetch).createTransfer({ body: transfer, timeoutMs: 50 });
    expect(error?.outcome).toBe(outcome);
    expect(JSON.parse(JSON.stringify(error)).outcome).toBe(outcome);
  });

  it("of a connection that was refused: not sent, and the message says ECONNREFUSED", async () => {
    const { url, close } = await serveOnLoopback(() => {});
    await close();
    const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711" });
    const { error } = await wallet.createTransfer({ body: transfer });
    expect(error).toMatchObject({ kind: "network", outcome: "not-sent" });
    expect(error?.message).toContain("ECONNREFUSED");
  });

  it("of a connection that was refused to a fetch of the partner: unknown, it may have sent the call before", async () => {
    const { url, close } = await serveOnLoopback(() => {});
    await close();
    const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711", fetch: (request) => fetch(request) });
    expect((await wallet.createTransfer({ body: transfer })).error?.outcome).toBe("unknown");
  });

  it.each<[name: string, replace: () => () => void]>([
    [
      "a global dispatcher",
      () => {
        // Node 26 has a second one, which undici 7.30 sets as well.
        const keys = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
        const dispatchers = globalThis as { [key: symbol]: unknown };
        const own = Object.fromEntries(keys.map((key) => [key, dispatchers[key]]));
        setGlobalDispatcher(new RetryAgent(new Agent(), { maxRetries: 1, minTimeout: 1, methods: ["POST"] }));
        return () => Object.assign(dispatchers, own);
      },
    ],
    [
      "a fetch in the place of the global one",
      () => {
        const { fetch } = globalThis;
        globalThis.fetch = (...args) => fetch(...args).catch(() => fetch(...args));
        return () => {
          globalThis.fetch = fetch;
        };
      },
    ],
  ])("of a connection that was refused below %s: unknown, it may have sent the call before", async (_name, replace) => {
    const restore = replace();
    try {
      const { url, close } = await serveOnLoopback(() => {});
      await close();
      const wallet = createPartnerClient({ baseUrl: url, apiKey: "key-4711" });
      expect((await wallet.createTransfer({ body: transfer })).error).toMatchObject({
        kind: "network",
        outcome: "unknown",
      });
    } finally {
      restore();
    }
  });

  it("of a connection that was cut after the request: unknown", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { error } = await createPartnerClient({ baseUrl, apiKey: "key-4711" }).createTransfer({ body: transfer });
    await new Promise((resolve) => server.close(resolve));
    expect(error).toMatchObject({ kind: "network", outcome: "unknown" });
  });

  it("of all attempts: a refusal of the second does not tell what the first one did", async () => {
    let attempt = 0;
    const wallet = clientWith(async () => {
      attempt += 1;
      if (attempt === 1) throw new TypeError("fetch failed");
      return refusal("P433");
    });
    const { error } = await wallet.createTransfer({ body: transfer, retries: 1 });
    expect(error).toMatchObject({ errorCode: "P433", outcome: "unknown" });
  });
});

/** Answers one after the other, the last one again and again. */
function inTurn(...answers: (() => Response | Promise<Response>)[]) {
  const log: LogEvent[] = [];
  let calls = 0;
  const wallet = clientWith(
    async () => {
      const answer = answers[Math.min(calls, answers.length - 1)];
      calls += 1;
      return (answer as () => Response)();
    },
    { logger: (event) => log.push(event) },
  );
  return { wallet, log };
}

describe("13: Retry-After", () => {
  it.each(["-1", "2;", "soon", "120s", ""])("of %j is as if there were none", async (value) => {
    const busy = () => json(429, {}, { "retry-after": value });
    const { wallet, log } = inTurn(busy);
    const startedAt = performance.now();
    await wallet.getPartnerBalances({ retries: 1 });
    expect(log).toHaveLength(2);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(124);
  });

  it.each([
    ["1.5", 1490],
    ["1", 990],
  ])("of %s seconds is heeded", async (value, atLeast) => {
    const { wallet, log } = inTurn(
      () => json(429, {}, { "retry-after": value }),
      () => json(200, {}),
    );
    const startedAt = performance.now();
    expect((await wallet.getPartnerBalances()).error).toBeUndefined();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(atLeast);
    expect(log).toHaveLength(2);
  });

  it("of a date is heeded, and one that has passed means no delay", async () => {
    const { wallet, log } = inTurn(
      () => json(429, {}, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }),
      () => json(503, {}, { "retry-after": "Wed, 21 Oct 2099 07:28:00 GMT" }),
    );
    expect((await wallet.getPartnerBalances()).status).toBe(503);
    expect(log).toHaveLength(2);
  });
});

describe("a call that reads", () => {
  it.each([502, 503, 504])("is repeated after %s, with Retry-After", async (status) => {
    const { wallet, log } = inTurn(
      () => new Response("<p>busy</p>", { status, headers: { ...page, "retry-after": "0" } }),
      () => json(200, {}),
    );
    expect((await wallet.getPartnerBalances()).error).toBeUndefined();
    expect(log.map((event) => event.status)).toEqual([status, 200]);
  });

  it.each([500, 501, 505])("is not repeated after %s", async (status) => {
    const { wallet, log } = inTurn(() => json(status, {}));
    expect((await wallet.getPartnerBalances()).error?.status).toBe(status);
    expect(log).toHaveLength(1);
  });

  it("is repeated when one attempt hangs, because each attempt has its own time", async () => {
    const { wallet, log } = inTurn(
      () => new Promise<Response>(() => {}),
      () => json(200, {}),
    );
    expect((await wallet.getPartnerBalances({ attemptTimeoutMs: 30, timeoutMs: 5_000 })).error).toBeUndefined();
    expect(log.map(({ kind }) => kind)).toEqual(["timeout", undefined]);
  });
});

it("a timeout is that of a clock that nobody sets", async () => {
  const realNow = Date.now;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => realNow() - 60_000);
  try {
    const wallet = clientWith(async () => {
      spy.mockImplementation(() => realNow() - 3_600_000);
      return json(429, {}, { "retry-after": "0.05" });
    });
    const startedAt = performance.now();
    await wallet.getPartnerBalances({ timeoutMs: 200, retries: 1_000 });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  } finally {
    spy.mockRestore();
  }
});

describe("a call that moves money", () => {
  it.each<[name: string, fetch: Fetch]>([
    ["502", async () => json(502, {})],
    ["a broken connection", broken],
    ["429", async () => json(429, {}, { "retry-after": "0" })],
    ["P501", async () => refusal("P501")],
  ])("is never repeated by itself after %s", async (_name, fetch) => {
    let sent = 0;
    const wallet = clientWith((request) => {
      sent += 1;
      return fetch(request);
    });
    await wallet.createTransfer({ body: transfer });
    expect(sent).toBe(1);
  });

  it("carries no idempotency key, because the service states none", async () => {
    let names: string[] = [];
    const wallet = clientWith(async (request) => {
      names = [...request.headers.keys()];
      return created();
    });
    await wallet.createTransfer({ body: transfer });
    expect(names.sort()).toEqual(["accept", "content-type", "x-api-key"]);
  });
});
