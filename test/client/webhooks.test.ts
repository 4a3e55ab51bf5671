/** The receiver of webhooks: what it accepts, and that it fails closed. */
import {
  createMemoryStore,
  createWebhookHandler,
  type DedupeStore,
  healthPath,
  parseWebhook,
  testEvent,
  type WebhookHandler,
  type WebhookName,
  webhookPaths,
} from "partner-wallet-api/webhooks";
import { describe, expect, it, vi } from "vitest";
import { contractOf } from "../support/clients.ts";

const token = "canary-token";
const path = webhookPaths.p2pTransfer;

function request(body: unknown, init: { token?: string | null; path?: string; method?: string } = {}): Request {
  const { method = "POST" } = init;
  const authorization = init.token === undefined ? token : init.token;
  return new Request(`https://partner.example${init.path ?? path}`, {
    method,
    headers: authorization === null ? {} : { authorization },
    ...(method === "GET" ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** A receiver that remembers what it was given. */
function receiver(options: Partial<Parameters<typeof createWebhookHandler>[0]> = {}) {
  const received: unknown[] = [];
  const handler = createWebhookHandler({
    authorization: token,
    on: {
      p2pTransfer: async (event) => {
        received.push(event);
      },
    },
    otherwise: "reject",
    nonconforming: "reject",
    ...options,
  });
  return { handler, received };
}

async function statusOf(handler: WebhookHandler, call: Request): Promise<number> {
  return (await handler(call)).status;
}

describe("a valid event", () => {
  const event = testEvent("p2pTransfer");

  it("is handled and acknowledged with a JSON object", async () => {
    const { handler, received } = receiver();
    const response = await handler(request(event));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({});
    expect(received).toEqual([event]);
  });

  it("may have fields and values that the contract does not know", async () => {
    const { handler, received } = receiver();
    const newer = { ...event, status: "SOMETHING_NEW", fee: "0.10" };
    expect(await statusOf(handler, request(newer))).toBe(200);
    expect(received).toEqual([newer]);
  });

  it("is found under a base path", async () => {
    const { handler } = receiver({ basePath: "/hooks" });
    expect(await statusOf(handler, request(event, { path: `/hooks${path}` }))).toBe(200);
    expect(await statusOf(handler, request(event))).toBe(404);
  });
});

describe("an invalid call is refused", () => {
  const event = testEvent("p2pTransfer");
  const cases: [name: string, call: () => Request, status: number][] = [
    ["without a token", () => request(event, { token: null }), 401],
    ["with a wrong token", () => request(event, { token: "canary-tokem" }), 401],
    ["with an empty token", () => request(event, { token: "" }), 401],
    ["with a token that only starts right", () => request(event, { token: "canary" }), 401],
    ["on an unknown path", () => request(event, { path: "/transfer" }), 404],
    ["with another method", () => request(undefined, { method: "GET" }), 405],
    ["with no JSON", () => request("not json"), 400],
    ["with an empty body", () => request(""), 400],
    ["with null", () => request("null"), 400],
    ["with an array", () => request([event]), 400],
    ["without a field", () => request({ ...event, id: undefined }), 400],
    ["with an amount that is a number", () => request({ ...event, amount: 1.5 }), 400],
    ["with too large a body", () => request({ ...event, padding: "x".repeat(1024 * 1024) }), 413],
  ];

  it.each(cases)("%s", async (_name, call, status) => {
    const { handler, received } = receiver();
    expect(await statusOf(handler, call())).toBe(status);
    expect(received).toEqual([]);
  });

  it("with the place and the reason, and never the value", async () => {
    const response = await receiver().handler(request({ ...event, amount: ["canary"] }));
    expect(await response.json()).toEqual({ message: "amount has another JSON type than the contract says." });
    const incomplete = await receiver().handler(request({ ...event, id: undefined }));
    expect(await incomplete.json()).toEqual({ message: "id is missing." });
  });

  it("before its body is read, when the token is wrong", async () => {
    const body = new ReadableStream({
      pull() {
        throw new Error("the body was read");
      },
    });
    const call = new Request(`https://partner.example${path}`, { method: "POST", body, duplex: "half" } as RequestInit);
    expect(await statusOf(receiver().handler, call)).toBe(401);
  });

  it("as soon as its body is too large, whatever its length claims", async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    });
    const call = new Request(`https://partner.example${path}`, {
      method: "POST",
      headers: { authorization: token },
      body,
      duplex: "half",
    } as RequestInit);
    expect(await statusOf(receiver({ maxBytes: 10_000 }).handler, call)).toBe(413);
    expect(pulled).toBeLessThan(20);
  });
});

describe("tokens", () => {
  it("can be several while one replaces another", async () => {
    const { handler } = receiver({ authorization: ["old-token", "new-token"] });
    const statuses = ["old-token", "new-token", "other-token"].map((value) =>
      statusOf(handler, request(testEvent("p2pTransfer"), { token: value })),
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
  });

  it.each([[undefined], [null], [""], ["  "], [[]], [[""]], [["good", undefined]], [{}], [{ unverified: "yes" }]])(
    "%j is refused when the receiver is made",
    (authorization) => {
      expect(() => receiver({ authorization: authorization as string })).toThrow(TypeError);
    },
  );

  it("can be left out on purpose", async () => {
    const { handler } = receiver({ authorization: { unverified: true } });
    expect(await statusOf(handler, request(testEvent("p2pTransfer"), { token: null }))).toBe(200);
  });
});

describe("events without a function", () => {
  it.each([
    ["reject", 503],
    ["acknowledge", 200],
  ] as const)("%s gives %i", async (otherwise, status) => {
    const { handler } = receiver({ on: {}, otherwise });
    expect(await statusOf(handler, request(testEvent("p2pTransfer")))).toBe(status);
  });

  it("go to a function of their own", async () => {
    const names: string[] = [];
    const { handler } = receiver({ on: {}, otherwise: ({ name }) => void names.push(name) });
    expect(await statusOf(handler, request(testEvent("p2pTransfer")))).toBe(200);
    expect(names).toEqual(["p2pTransfer"]);
  });

  it("need a policy", () => {
    expect(() => receiver({ otherwise: undefined as unknown as "reject" })).toThrow(/otherwise/);
  });

  it("must be webhooks of the contract", () => {
    expect(() => receiver({ on: { p2pTransfers: () => undefined } as object })).toThrow(/p2pTransfers/);
  });
});

describe("repeated deliveries", () => {
  const event = testEvent("p2pTransfer");

  it("are acknowledged and not handled again", async () => {
    const { handler, received } = receiver();
    expect(await statusOf(handler, request(event))).toBe(200);
    expect(await statusOf(handler, request(event))).toBe(200);
    expect(received).toHaveLength(1);
  });

  it("are told from another event by the key of the contract", async () => {
    const { handler, received } = receiver();
    await handler(request(event));
    await handler(request({ ...event, status: "ANOTHER" }));
    await handler(request({ ...event, amount: "1.00" }));
    expect(received).toHaveLength(2);
  });

  it("are handled again after a failure, which is answered with 500", async () => {
    const errors: unknown[] = [];
    let calls = 0;
    const { handler } = receiver({
      on: {
        p2pTransfer: () => {
          calls += 1;
          if (calls === 1) throw new Error("database is down");
        },
      },
      onError: (error) => errors.push(error),
    });
    const first = await handler(request(event));
    expect(first.status).toBe(500);
    expect(await first.text()).not.toContain("database");
    expect(await statusOf(handler, request(event))).toBe(200);
    expect(calls).toBe(2);
    expect(errors).toHaveLength(1);
  });

  it("that come while the first one is being handled are sent away", async () => {
    const runs: (() => void)[] = [];
    const { handler } = receiver({
      on: { p2pTransfer: () => new Promise<void>((resolve) => void runs.push(resolve)) },
    });
    const first = handler(request(event));
    // The token is compared in another thread, which a busy machine runs late.
    await vi.waitFor(() => expect(runs).toHaveLength(1), 10_000);
    expect(await statusOf(handler, request(event))).toBe(503);
    runs[0]?.();
    expect((await first).status).toBe(200);
  });

  it("are not recognised when that is switched off", async () => {
    const { handler, received } = receiver({ dedupe: false });
    await handler(request(event));
    await handler(request(event));
    expect(received).toHaveLength(2);
  });

  it("are answered with 503 when the store fails, before anything is handled", async () => {
    const broken: DedupeStore = { ...createMemoryStore(), claim: () => Promise.reject(new Error("no connection")) };
    const { handler, received } = receiver({ dedupe: broken });
    expect(await statusOf(handler, request(event))).toBe(503);
    expect(received).toEqual([]);
  });

  it("are forgotten in order when the memory is full, but never while they are being handled", async () => {
    const store = createMemoryStore({ limit: 2 });
    const stateOf = async (key: string) => (await store.claim(key)).state;
    expect(await stateOf("claimed")).toBe("new");
    for (const key of ["a", "b", "c"]) await store.complete(key, "of nobody");
    expect([await stateOf("c"), await stateOf("b"), await stateOf("a")]).toEqual(["done", "done", "new"]);
    expect(await stateOf("claimed")).toBe("busy");
  });
});

describe("parseWebhook", () => {
  it("gives a typed event", () => {
    const parsed = parseWebhook(path, JSON.stringify(testEvent("p2pTransfer", { destinationExternalUserId: null })));
    expect(parsed).toMatchObject({ ok: true, name: "p2pTransfer", event: { destinationExternalUserId: null } });
  });

  it("tells why not", () => {
    expect(parseWebhook("/nowhere", "{}")).toEqual({ ok: false, status: 404, reason: "No webhook has this path." });
    expect(parseWebhook(path, "{}")).toMatchObject({ ok: false, status: 400, name: "p2pTransfer", body: {} });
    expect(parseWebhook(path, "{")).toMatchObject({ ok: false, status: 400, body: undefined, violations: [] });
  });

  it("names deviations that leave the type intact, and violations that break it", () => {
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

  it("uses the paths of the partner", () => {
    const paths = { p2pTransfer: "/mine" };
    expect(parseWebhook("/mine", JSON.stringify(testEvent("p2pTransfer")), { paths }).ok).toBe(true);
    expect(parseWebhook(path, "{}", { paths })).toMatchObject({ status: 404 });
    expect(() => parseWebhook("/", "{}", { paths: { p2pTransfer: "mine" } })).toThrow(TypeError);
  });
});

describe("testEvent", () => {
  it("refuses overrides that break the type of the event, and no others", () => {
    const number = 1 as unknown as string;
    expect(() => testEvent("p2pTransfer", { id: number })).toThrow(
      "This is not a valid p2pTransfer event: id has another",
    );
    expect(testEvent("p2pTransfer", { id: "1" })).toMatchObject({ id: "1" });
  });
});

describe("every webhook", async () => {
  const { webhooks, delivery } = await contractOf("test");
  const examples = webhooks.flatMap(({ name, requestBody }) =>
    (requestBody?.bodies ?? []).flatMap((body) =>
      body.examples.map((example) => ({ name, example: example.name, value: example.value })),
    ),
  );

  const pathOf = (name: string) => webhookPaths[name as WebhookName];

  it.each(examples)("accepts $name $example, which deviates in nothing", ({ name, value }) => {
    const parsed = parseWebhook(pathOf(name), JSON.stringify(value));
    expect(parsed).toEqual({ ok: true, name, event: value, deviations: [] });
  });

  it("has a test event for every webhook: its first example", () => {
    for (const { name } of webhooks) {
      const example = examples.find((candidate) => candidate.name === name);
      expect(testEvent(name as "p2pTransfer")).toEqual(example?.value);
    }
  });

  it("has the paths that the contract knows, and the health path", () => {
    expect(Object.entries(webhookPaths)).toEqual(webhooks.map(({ name, path }) => [name, path]));
    expect(healthPath).toBe(delivery?.healthPath);
  });

  it("handles events without a key every time, and the others once", async () => {
    for (const { name, dedupeKey } of webhooks) {
      const event = testEvent(name as "p2pTransfer");
      let handled = 0;
      const handler = createWebhookHandler({
        authorization: token,
        on: {},
        otherwise: () => {
          handled += 1;
        },
        nonconforming: "reject",
      });
      const delivery = () => request(event, { path: pathOf(name) });
      for (const _delivery of [1, 2, 3]) expect(await statusOf(handler, delivery())).toBe(200);
      const hasKey = dedupeKey.length > 0 && dedupeKey.every((field) => Object.hasOwn(event, field));
      expect([name, handled]).toEqual([name, hasKey ? 1 : 3]);
    }
  });
});
