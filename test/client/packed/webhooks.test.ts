import {
  createMemoryStore,
  parseWebhook,
  testEvent,
  type WebhookEvents,
  type WebhookPaths,
  webhookPaths,
} from "partner-wallet-api/webhooks";
import { describe, expect, it, vi } from "vitest";
import { makeReceiver, webhookCall, webhookToken } from "./deliveries.ts";
import { makeThrower } from "./support.ts";

const event = testEvent("p2pTransfer");
const { id: _, ...incompleteEvent } = event;
const idViolation = { pointer: "/id", rule: "required", question: expect.any(String) };
const path = webhookPaths.p2pTransfer;

const failingHooks = [makeThrower("hook"), () => Promise.reject(new Error("hook"))];

it("a valid event is handled and acknowledged with a JSON object", async () => {
  const { handler, received } = makeReceiver();
  const response = await handler(webhookCall(event));
  expect([response.status, await response.json(), received]).toEqual([200, {}, [event]]);
});

describe("an invalid call is refused and reported", () => {
  const cases: [name: string, call: () => Request, status: number, raw?: string][] = [
    ["without a token", () => webhookCall(event, { token: null }), 401],
    ["with a wrong token", () => webhookCall(event, { token: "canary-tokem" }), 401],
    ["with an empty token", () => webhookCall(event, { token: "" }), 401],
    ["with a token that only starts right", () => webhookCall(event, { token: "canary" }), 401],
    ["on an unknown path", () => webhookCall(event, { path: "/transfer" }), 404],
    ["with another method", () => webhookCall("", { method: "GET" }), 405],
    ["with no JSON", () => webhookCall("not json"), 400, "not json"],
    ["with an empty body", () => webhookCall(""), 400, ""],
    ["with null", () => webhookCall("null"), 400, "null"],
    ["with an array", () => webhookCall([event]), 400, JSON.stringify([event])],
    ["without a field", () => webhookCall(incompleteEvent), 400, JSON.stringify(incompleteEvent)],
    ["with too large a body", () => webhookCall({ ...event, padding: "x".repeat(1024 * 1024) }), 413],
    [
      "with a compressed body",
      () => {
        const call = webhookCall("compressed");
        call.headers.set("content-encoding", "gzip");
        return call;
      },
      415,
      "compressed",
    ],
    [
      "with a body that cannot be read to its end",
      () =>
        new Request(webhookCall(event), {
          body: new ReadableStream({ start: (controller) => controller.error(new Error("cut")) }),
          duplex: "half",
        } as RequestInit),
      400,
    ],
  ];

  it.each(cases)("%s", async (_name, call, status, raw) => {
    const { handler, received, refusals } = makeReceiver({ nonconforming: "reject" });
    const { pathname } = new URL(call().url);
    expect((await handler(call())).status).toBe(status);
    expect([received, refusals]).toEqual([[], [[expect.objectContaining({ status, path: pathname }), raw]]]);
  });

  it("with the same response when the hook throws or rejects", async () => {
    for (const onRefused of failingHooks)
      expect((await makeReceiver({ onRefused }).handler(webhookCall("{"))).status).toBe(400);
  });

  it("with the place and the reason, and never the value", async () => {
    const { handler } = makeReceiver({ nonconforming: "reject" });
    const response = await handler(webhookCall({ ...event, amount: ["canary"] }));
    expect(await response.json()).toEqual({ message: "/amount has another JSON type than the contract says." });
  });

  it("before its body is read when the token is wrong, and as soon as it exceeds the limit, whatever its length header", async () => {
    let pullCount = 0;
    const call = (authorization: string) => {
      const pull = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new Uint8Array(1024 + 0 * pullCount++));
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });
      const init = { method: "POST", headers: { authorization }, body, duplex: "half" } as RequestInit;
      return new Request(`https://partner.example${path}`, init);
    };
    const { handler } = makeReceiver({ maxBytes: 10_000 });
    expect([(await handler(call("wrong"))).status, pullCount]).toEqual([401, 0]);
    expect([(await handler(call(webhookToken))).status, pullCount]).toEqual([413, 10]);
    const body = JSON.stringify(testEvent("p2pTransfer"));
    for (const [maxBytes, status] of [
      [body.length, 200],
      [body.length - 1, 413],
    ]) {
      // biome-ignore format: pairs
      const init = { method: "POST", headers: { authorization: webhookToken }, body };
      const response = await makeReceiver({ maxBytes }).handler(new Request(`https://partner.example${path}`, init));
      expect(response.status).toBe(status);
    }
  });

  it.each([
    ["0", null],
    [`${1024 * 1024}`, null],
    [`${1024 * 1024 + 1}`, "close"],
  ])("and closes the connection only when a long body remains unread: %s bytes", async (length, connection) => {
    const headers = { authorization: "wrong", "content-length": length };
    const { handler } = makeReceiver();
    const response = await handler(new Request(`https://partner.example${path}`, { method: "POST", headers }));
    expect([response.status, response.headers.get("connection")]).toEqual([401, connection]);
  });
});

it("tokens can be several, while one replaces another", async () => {
  const { handler } = makeReceiver({ authorization: ["old-token", "new-token"] });
  const calls = ["old-token", "new-token", "other-token"].map((token) => handler(webhookCall(event, { token })));
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 401]);
});

describe("a webhook without a function", () => {
  it("is acknowledged, passed to the function otherwise with its name, or refused and reported", async () => {
    expect((await makeReceiver({ otherwise: "acknowledge" }).handler(webhookCall(event))).status).toBe(200);
    const names: string[] = [];
    const { handler } = makeReceiver({ otherwise: ({ name }) => void names.push(name) });
    expect([(await handler(webhookCall(event))).status, names]).toEqual([200, ["p2pTransfer"]]);
    const { handler: rejectingHandler, refusals } = makeReceiver({ otherwise: "reject" });
    expect((await rejectingHandler(webhookCall(event))).status).toBe(503);
    expect(refusals).toEqual([
      [expect.objectContaining({ status: 503, webhook: "p2pTransfer" }), JSON.stringify(event)],
    ]);
  });
});

describe("an event that deviates without breaking its type", () => {
  const oddEvent = {
    ...event,
    id: "7",
    currency: "EUR",
    createdAt: "2026-03-14T09:26:53+01:00",
    status: "Successful",
    more: 1,
  };

  it("is handled, and each deviation is reported", async () => {
    const { handler, received, deviations } = makeReceiver();
    expect((await handler(webhookCall(oddEvent))).status).toBe(200);
    expect(received).toEqual([oddEvent]);
    expect(deviations.map(({ webhook, pointer, rule }) => [webhook, pointer, rule])).toEqual([
      ["p2pTransfer", "/id", "format"],
      ["p2pTransfer", "/currency", "pattern"],
      ["p2pTransfer", "/status", "unlisted-value"],
      ["p2pTransfer", "/createdAt", "pattern"],
      ["p2pTransfer", "/more", "unlisted-field"],
    ]);
    expect(deviations.find(({ pointer }) => pointer === "/status")?.question).toBe("Q-transfer-event-status");
  });

  it("is handled when onDeviation throws or rejects", async () => {
    for (const onDeviation of failingHooks) {
      const { handler, received } = makeReceiver({ onDeviation });
      expect([(await handler(webhookCall(oddEvent))).status, received]).toEqual([200, [oddEvent]]);
    }
  });

  it("is reported before its function is called", async () => {
    const order: string[] = [];
    const { handler } = makeReceiver({
      on: { p2pTransfer: () => void order.push("handled") },
      onDeviation: () => void order.push("reported"),
    });
    await handler(webhookCall({ ...event, id: "7" }));
    expect(order).toEqual(["reported", "handled"]);
  });
});

describe("a body that breaks its type", () => {
  it("goes to the function nonconforming, and is acknowledged", async () => {
    const { handler, received, nonconformingBodies, deviations } = makeReceiver();
    expect((await handler(webhookCall(incompleteEvent))).status).toBe(200);
    expect(nonconformingBodies).toEqual([{ name: "p2pTransfer", body: incompleteEvent, violations: [idViolation] }]);
    expect([received, deviations]).toEqual([[], [{ webhook: "p2pTransfer", ...idViolation }]]);
  });

  it.each([null, [], "text", 7, { ...event, amount: null }])("can be %j", async (body) => {
    const { handler, nonconformingBodies } = makeReceiver();
    expect((await handler(webhookCall(JSON.stringify(body)))).status).toBe(200);
    expect(nonconformingBodies).toMatchObject([{ name: "p2pTransfer", body, violations: [{ rule: "type" }] }]);
  });

  it("gets 500 when the function nonconforming throws, so that it is delivered again", async () => {
    const errors: unknown[] = [];
    const { handler } = makeReceiver({
      nonconforming: () => Promise.reject(new Error("database is down")),
      onError: (_error, webhook) => errors.push(webhook),
    });
    expect([(await handler(webhookCall(incompleteEvent))).status, errors]).toEqual([500, ["p2pTransfer"]]);
  });

  it("is handled once when the fields of its key are present", async () => {
    const { handler, nonconformingBodies } = makeReceiver();
    const { amount: _, ...eventWithoutAmount } = event;
    for (const _delivery of [1, 2]) expect((await handler(webhookCall(eventWithoutAmount))).status).toBe(200);
    for (const _delivery of [1, 2]) expect((await handler(webhookCall(incompleteEvent))).status).toBe(200);
    expect(nonconformingBodies).toHaveLength(3);
  });

  it("is refused and reported with the policy reject", async () => {
    const { handler, received, refusals } = makeReceiver({ nonconforming: "reject" });
    const response = await handler(webhookCall(incompleteEvent));
    expect([response.status, await response.json()]).toEqual([400, { message: "/id is missing." }]);
    const refusal = { status: 400, reason: "/id is missing.", path: webhookPaths.p2pTransfer, webhook: "p2pTransfer" };
    expect(refusals).toEqual([[{ ...refusal, violations: [idViolation] }, JSON.stringify(incompleteEvent)]]);
    expect(received).toEqual([]);
  });

  it("follows the policy otherwise for a webhook that the partner does not handle", async () => {
    const acknowledgingReceiver = makeReceiver({ otherwise: "acknowledge", nonconforming: "reject" });
    expect((await acknowledgingReceiver.handler(webhookCall(incompleteEvent))).status).toBe(200);
    const rejectingReceiver = makeReceiver({ otherwise: "reject", nonconforming: "reject" });
    expect((await rejectingReceiver.handler(webhookCall(incompleteEvent))).status).toBe(503);
  });

  it.each([
    ["an event that breaks its type", { ...event, amount: 1 }, event],
    ["a blank identifier", { ...event, id: " " }, { ...event, id: " ", amount: "2" }],
    ["an identifier that is not exact", { ...event, id: 2 ** 60 }, { ...event, id: 2 ** 60, amount: "2" }],
  ])("is not taken for the event that follows it: %s", async (_name, firstBody, secondBody) => {
    const { handler, received, nonconformingBodies } = makeReceiver();
    for (const body of [firstBody, secondBody]) expect((await handler(webhookCall(body))).status).toBe(200);
    expect(received.length + nonconformingBodies.length).toBe(2);
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
    ["of no webhook", { sepaDeposits: "/a" }, /^There is no webhook "sepaDeposits"\. There are userBalanceGeneration,/],
  ])("are refused when the receiver is made: a path %s", (_name, paths, message) => {
    expect(() => makeReceiver({ paths: paths as WebhookPaths<WebhookEvents> })).toThrow(message);
  });

  it("can be swapped between two webhooks", () => {
    const paths = { p2pTransfer: webhookPaths.kycFileAdded, kycFileAdded: webhookPaths.p2pTransfer };
    expect(() => makeReceiver({ paths })).not.toThrow();
  });
});

describe("a call on an unknown path", () => {
  const calls: unknown[] = [];
  const keepUnknown = (call: unknown) => void calls.push(call);

  it("reaches the function unknown with path and body, and is reported as a deviation", async () => {
    const { handler, deviations } = makeReceiver({ unknown: keepUnknown, basePath: "/hooks" });
    expect((await handler(webhookCall({ a: 1 }, { path: "/hooks/new-webhook" }))).status).toBe(200);
    expect(calls).toEqual([{ path: "/new-webhook", body: { a: 1 } }]);
    expect(deviations).toEqual([{ pointer: "", rule: "path" }]);
  });

  it.each(["/hooks//transfer-webhook", "//hooks/transfer-webhook", "/hooks/transfer-webhook//"])(
    "does not include a known path with doubled slashes: %s",
    async (doubledPath) => {
      const { handler, deviations } = makeReceiver({ unknown: makeThrower("no"), basePath: "/hooks" });
      expect((await handler(webhookCall(event, { path: doubledPath }))).status).toBe(200);
      expect(deviations).toEqual([]);
    },
  );

  it("below another prefix of a known webhook is refused, not acknowledged", async () => {
    const { handler, refusals } = makeReceiver({ unknown: makeThrower("no"), basePath: "/hooks" });
    expect((await handler(webhookCall(event, { path: "/hooks/v2/transfer-webhook" }))).status).toBe(404);
    expect(refusals[0]?.[0].reason).toContain('Is the handler mounted under "/hooks/v2"?');
  });

  it("requires the token, JSON, and a body within the limit", async () => {
    const { handler, refusals } = makeReceiver({ unknown: keepUnknown, maxBytes: 10 });
    const statusOf = async (call: Request) => (await handler(call)).status;
    expect(await statusOf(webhookCall({}, { path: "/new", token: "wrong" }))).toBe(401);
    expect(await statusOf(webhookCall("{", { path: "/new" }))).toBe(400);
    expect(await statusOf(webhookCall("x".repeat(11), { path: "/new" }))).toBe(413);
    expect(refusals.map(([{ status, path }]) => [status, path])).toEqual([
      [401, "/new"],
      [400, "/new"],
      [413, "/new"],
    ]);
    expect(calls).toHaveLength(1);
  });

  it("gets 500 when the function unknown throws, so that it is delivered again", async () => {
    const errors: unknown[] = [];
    const { handler } = makeReceiver({ unknown: makeThrower("no"), onError: (_error, path) => errors.push(path) });
    expect([(await handler(webhookCall({}, { path: "/new" }))).status, errors]).toEqual([500, ["/new"]]);
  });
});

describe("the health path", () => {
  const path = "/webhook/health";

  it.each(["GET", "HEAD", "POST"])("responds to %s without a token", async (method) => {
    const { handler, refusals } = makeReceiver();
    const response = await handler(webhookCall("", { path, method, token: null }));
    expect([response.status, refusals]).toEqual([200, []]);
    if (method !== "HEAD") expect(await response.json()).toEqual({});
  });

  it("refuses other methods with 405 and an Allow header", async () => {
    const { handler } = makeReceiver({ unknown: () => undefined });
    const response = await handler(webhookCall("", { path, method: "DELETE" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  it.each<[string | false | undefined, string, number]>([
    ["/up", "/hooks/up", 200],
    ["/up", `/hooks${path}`, 405],
    ["/up", "/up", 405],
    [undefined, `/hooks${path}`, 200],
    [false, `/hooks${path}`, 405],
  ])("with the option %s and the base path /hooks, GET %s gets %i", async (health, requestPath, status) => {
    const { handler } = makeReceiver({ ...(health !== undefined && { health }), basePath: "/hooks" });
    expect((await handler(webhookCall("", { path: requestPath, method: "GET", token: null }))).status).toBe(status);
  });
});

describe("repeated deliveries", () => {
  it("are handled again with dedupe: false", async () => {
    const { handler, received } = makeReceiver({ dedupe: false });
    for (const _delivery of [1, 2]) await handler(webhookCall(event));
    expect(received).toHaveLength(2);
  });

  it("are handled again after a failure, whose reason goes to onError and not into the response", async () => {
    const errors: unknown[] = [];
    const p2pTransfer = vi.fn().mockImplementationOnce(makeThrower("database is down"));
    const { handler } = makeReceiver({ on: { p2pTransfer }, onError: (error) => errors.push(error) });
    const firstResponse = await handler(webhookCall(event));
    expect([firstResponse.status, (await firstResponse.text()).includes("database")]).toEqual([500, false]);
    expect([(await handler(webhookCall(event))).status, errors.length]).toEqual([200, 1]);
    expect(p2pTransfer).toHaveBeenCalledTimes(2);
  });

  it("are forgotten oldest first when the memory is full, but never while being handled", async () => {
    const store = createMemoryStore({ limit: 2 });
    const stateOf = async (key: string) => (await store.claim(key)).state;
    expect(await stateOf("claimed")).toBe("new");
    for (const key of ["a", "b", "c"]) await store.complete(key, "unknown-token");
    expect([await stateOf("c"), await stateOf("b"), await stateOf("a")]).toEqual(["done", "done", "new"]);
    expect(await stateOf("claimed")).toBe("busy");
  });
});

describe("parseWebhook", () => {
  it("returns status and reason of an invalid event", () => {
    expect(parseWebhook("/nowhere", "{}")).toEqual({ ok: false, status: 404, reason: "No webhook has this path." });
    expect(parseWebhook(path, "{}")).toMatchObject({ ok: false, status: 400, name: "p2pTransfer", body: {} });
    expect(parseWebhook(path, "{")).toMatchObject({ ok: false, status: 400, body: undefined, violations: [] });
  });

  it("separates deviations that keep the type from violations that break it", () => {
    const event = testEvent("p2pTransfer", { id: "1" });
    expect(parseWebhook(path, JSON.stringify(event))).toMatchObject({
      ok: true,
      deviations: [{ pointer: "/id", rule: "format" }],
    });
    expect(parseWebhook(path, JSON.stringify({ ...event, currency: undefined }))).toMatchObject({
      ok: false,
      violations: [{ pointer: "/currency", rule: "required" }],
    });
  });

  it("uses the partner's paths", () => {
    const paths = { p2pTransfer: "/mine" };
    expect(parseWebhook("/mine", JSON.stringify(testEvent("p2pTransfer")), { paths }).ok).toBe(true);
    expect(parseWebhook(path, "{}", { paths })).toMatchObject({ status: 404 });
    expect(() => parseWebhook("/", "{}", { paths: { p2pTransfer: "mine" } })).toThrow(TypeError);
  });
});

it("testEvent refuses overrides that break the type of the event, and no others", () => {
  const number = 1 as unknown as string;
  expect(() => testEvent("p2pTransfer", { id: number })).toThrow(
    "This is not a valid p2pTransfer event: /id has another",
  );
  expect(testEvent("p2pTransfer", { id: "1" })).toMatchObject({ id: "1" });
});
