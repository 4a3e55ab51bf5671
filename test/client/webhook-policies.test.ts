/** What becomes of calls that the contract does not foresee: the partner's policies, paths and hooks. */
import { testEvent, type WebhookEvents, type WebhookPaths, webhookPaths } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";
import { makeReceiver, webhookCall } from "./receiver.ts";

const event = testEvent("p2pTransfer");
const { id: _, ...incomplete } = event;
const missingId = { pointer: "/id", rule: "required", question: expect.any(String) };

describe("an event that deviates and keeps its type", () => {
  const odd = {
    ...event,
    id: "7",
    currency: "EUR",
    createdAt: "2026-03-14T09:26:53+01:00",
    status: "Successful",
    more: 1,
  };

  it("is delivered, and each deviation is told", async () => {
    const { handler, received, deviations } = makeReceiver();
    expect((await handler(webhookCall(odd))).status).toBe(200);
    expect(received).toEqual([odd]);
    expect(deviations.map(({ webhook, pointer, rule }) => [webhook, pointer, rule])).toEqual([
      ["p2pTransfer", "/id", "format"],
      ["p2pTransfer", "/currency", "pattern"],
      ["p2pTransfer", "/status", "unlisted-value"],
      ["p2pTransfer", "/createdAt", "pattern"],
      ["p2pTransfer", "/more", "unlisted-field"],
    ]);
    expect(deviations.find(({ pointer }) => pointer === "/status")?.question).toBe("Q-transfer-event-status");
  });

  it("is delivered whatever the hook does", async () => {
    for (const onDeviation of [
      () => {
        throw new Error("hook");
      },
      () => Promise.reject(new Error("hook")),
    ]) {
      const { handler, received } = makeReceiver({ onDeviation });
      expect([(await handler(webhookCall(odd))).status, received]).toEqual([200, [odd]]);
    }
  });

  it("is told before its function is called", async () => {
    const order: string[] = [];
    const { handler } = makeReceiver({
      on: { p2pTransfer: () => void order.push("handled") },
      onDeviation: () => void order.push("told"),
    });
    await handler(webhookCall({ ...event, id: "7" }));
    expect(order).toEqual(["told", "handled"]);
  });
});

describe("a body that breaks its type", () => {
  it("goes to the partner's function, which acknowledges it", async () => {
    const { handler, received, nonconforming, deviations } = makeReceiver();
    expect((await handler(webhookCall(incomplete))).status).toBe(200);
    expect(nonconforming).toEqual([{ name: "p2pTransfer", body: incomplete, violations: [missingId] }]);
    expect([received, deviations]).toEqual([[], [{ webhook: "p2pTransfer", ...missingId }]]);
  });

  it.each([null, [], "text", 7, { ...event, amount: null }])("may be %j", async (body) => {
    const { handler, nonconforming } = makeReceiver();
    expect((await handler(webhookCall(JSON.stringify(body)))).status).toBe(200);
    expect(nonconforming).toMatchObject([{ name: "p2pTransfer", body, violations: [{ rule: "type" }] }]);
  });

  it("is delivered again when the partner's function throws", async () => {
    const errors: unknown[] = [];
    const { handler } = makeReceiver({
      nonconforming: () => Promise.reject(new Error("database is down")),
      onError: (_error, webhook) => errors.push(webhook),
    });
    expect([(await handler(webhookCall(incomplete))).status, errors]).toEqual([500, ["p2pTransfer"]]);
  });

  it("is handled once when the fields of its key are there", async () => {
    const { handler, nonconforming } = makeReceiver();
    const { amount: _, ...keyed } = event;
    for (const _delivery of [1, 2]) expect((await handler(webhookCall(keyed))).status).toBe(200);
    for (const _delivery of [1, 2]) expect((await handler(webhookCall(incomplete))).status).toBe(200);
    expect(nonconforming).toHaveLength(3);
  });

  it("is refused by the policy reject, and told", async () => {
    const { handler, received, refused } = makeReceiver({ nonconforming: "reject" });
    const response = await handler(webhookCall(incomplete));
    expect([response.status, await response.json()]).toEqual([400, { message: "id is missing." }]);
    const refusal = { status: 400, reason: "id is missing.", path: webhookPaths.p2pTransfer, webhook: "p2pTransfer" };
    expect(refused).toEqual([[{ ...refusal, violations: [missingId] }, JSON.stringify(incomplete)]]);
    expect(received).toEqual([]);
  });

  it("is treated like any other of a webhook that the partner does not handle", async () => {
    const acknowledging = makeReceiver({ otherwise: "acknowledge", nonconforming: "reject" });
    expect((await acknowledging.handler(webhookCall(incomplete))).status).toBe(200);
    const rejecting = makeReceiver({ otherwise: "reject", nonconforming: "reject" });
    expect((await rejecting.handler(webhookCall(incomplete))).status).toBe(503);
  });

  it.each([[undefined], ["acknowledge"], [{}]])("needs a policy: %j is none", (nonconforming) => {
    expect(() => makeReceiver({ nonconforming: nonconforming as "reject" })).toThrow(/^nonconforming must be/);
  });
});

describe("paths of the partner", () => {
  it("override those of the contract, below the base path", async () => {
    const { handler, received } = makeReceiver({ paths: { p2pTransfer: "/my/transfers" }, basePath: "/hooks" });
    expect((await handler(webhookCall(event, { path: "/hooks/my/transfers" }))).status).toBe(200);
    expect(received).toEqual([event]);
    expect((await handler(webhookCall(event, { path: `/hooks${webhookPaths.p2pTransfer}` }))).status).toBe(404);
  });

  it.each([
    ["without a slash", { p2pTransfer: "mine" }, /^paths\.p2pTransfer must be the path of a URL/],
    ["that is empty", { p2pTransfer: "" }, /^paths\.p2pTransfer must be/],
    ["with a query", { p2pTransfer: "/mine?a" }, /^paths\.p2pTransfer must be/],
    ["with a space", { p2pTransfer: "/my path" }, /^paths\.p2pTransfer must be/],
    [
      "of another webhook",
      { sepaDeposit: webhookPaths.p2pTransfer },
      /p2pTransfer and sepaDeposit have the same path|sepaDeposit and p2pTransfer/,
    ],
    ["of two webhooks", { sepaDeposit: "/a", exchange: "/a" }, /have the same path, \/a/],
    ["of the health check", { sepaDeposit: "/webhook/health" }, /^health and sepaDeposit have the same path/],
    ["of no webhook", { sepaDeposits: "/a" }, /^There is no webhook sepaDeposits\. Webhooks: userBalanceGeneration,/],
  ])("are refused when the receiver is made: a path %s", (_name, paths, message) => {
    expect(() => makeReceiver({ paths: paths as WebhookPaths<WebhookEvents> })).toThrow(message);
  });

  it("may exchange those of two webhooks", () => {
    const paths = { p2pTransfer: webhookPaths.kycFileAdded, kycFileAdded: webhookPaths.p2pTransfer };
    expect(() => makeReceiver({ paths })).not.toThrow();
  });
});

describe("a call on an unknown path", () => {
  const calls: unknown[] = [];
  const unknown = (call: unknown) => void calls.push(call);

  it("reaches the fallback with its path and body, and is told as a deviation", async () => {
    const { handler, deviations } = makeReceiver({ unknown, basePath: "/hooks" });
    expect((await handler(webhookCall({ a: 1 }, { path: "/hooks/new-webhook" }))).status).toBe(200);
    expect(calls).toEqual([{ path: "/new-webhook", body: { a: 1 } }]);
    expect(deviations).toEqual([{ pointer: "", rule: "path" }]);
  });

  it("needs the token, JSON, and a body that is not too large", async () => {
    const { handler, refused } = makeReceiver({ unknown, maxBytes: 10 });
    const statusOf = async (call: Request) => (await handler(call)).status;
    expect(await statusOf(webhookCall({}, { path: "/new", token: "wrong" }))).toBe(401);
    expect(await statusOf(webhookCall("{", { path: "/new" }))).toBe(400);
    expect(await statusOf(webhookCall("x".repeat(11), { path: "/new" }))).toBe(413);
    expect(refused.map(([{ status, path }]) => [status, path])).toEqual([
      [401, "/new"],
      [400, "/new"],
      [413, "/new"],
    ]);
    expect(calls).toHaveLength(1);
  });

  it("is delivered again when the fallback throws", async () => {
    const errors: unknown[] = [];
    const throwing = () => {
      throw new Error("no");
    };
    const { handler } = makeReceiver({ unknown: throwing, onError: (_error, path) => errors.push(path) });
    expect([(await handler(webhookCall({}, { path: "/new" }))).status, errors]).toEqual([500, ["/new"]]);
  });

  it("is refused without a fallback, and told", async () => {
    const { handler, refused } = makeReceiver();
    expect((await handler(webhookCall({}, { path: "/new" }))).status).toBe(404);
    expect(refused).toEqual([[{ status: 404, reason: "No webhook has this path.", path: "/new" }, undefined]]);
  });
});

describe("the health path", () => {
  const path = "/webhook/health";

  it.each(["GET", "HEAD", "POST"])("answers %s without a token", async (method) => {
    const { handler, refused } = makeReceiver();
    const response = await handler(webhookCall("", { path, method, token: null }));
    expect([response.status, refused]).toEqual([200, []]);
    if (method !== "HEAD") expect(await response.json()).toEqual({});
  });

  it("refuses other methods, and says which it takes", async () => {
    const { handler } = makeReceiver({ unknown: () => undefined });
    const response = await handler(webhookCall("", { path, method: "DELETE" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  it("can be another, and none, below the base path", async () => {
    const get = async (receiver: ReturnType<typeof makeReceiver>, at: string) =>
      (await receiver.handler(webhookCall("", { path: at, method: "GET", token: null }))).status;
    const moved = makeReceiver({ health: "/up", basePath: "/hooks" });
    expect([await get(moved, "/hooks/up"), await get(moved, `/hooks${path}`), await get(moved, "/up")]).toEqual([
      200, 405, 405,
    ]);
    expect(await get(makeReceiver({ health: false }), path)).toBe(405);
    expect(() => makeReceiver({ health: "up" })).toThrow(/^health must be the path of a URL/);
  });
});

describe("onRefused", () => {
  it.each([
    ["no JSON", webhookCall("{"), 400, "{"],
    ["a wrong token", webhookCall(event, { token: "wrong" }), 401, undefined],
    ["another method", webhookCall(event, { method: "PUT" }), 405, undefined],
    ["too large a body", webhookCall("x".repeat(2_000_000)), 413, undefined],
  ])("is told of %s", async (_name, call, status, raw) => {
    const { handler, refused } = makeReceiver();
    expect((await handler(call)).status).toBe(status);
    expect(refused).toEqual([
      [expect.objectContaining({ status, path: webhookPaths.p2pTransfer, webhook: "p2pTransfer" }), raw],
    ]);
  });

  it("is told of an event that the policy rejects", async () => {
    const { handler, refused } = makeReceiver({ otherwise: "reject" });
    expect((await handler(webhookCall(event))).status).toBe(503);
    expect(refused).toEqual([[expect.objectContaining({ status: 503 }), JSON.stringify(event)]]);
  });

  it("changes nothing when it throws or rejects", async () => {
    for (const onRefused of [
      () => {
        throw new Error("hook");
      },
      () => Promise.reject(new Error("hook")),
    ]) {
      expect((await makeReceiver({ onRefused }).handler(webhookCall("{"))).status).toBe(400);
    }
  });
});
