import { describe, expect, it } from "vitest";
import { Deliveries, type DeliveriesOptions } from "../../../scripts/mock/webhooks/deliveries.ts";
import { plan } from "../../support/plan.ts";
import { withTakenPort } from "../../support/ports.ts";
import { addEvent, frozenClock, midnight, outboxOf, secondsOf, serveRecorder, token } from "./support.ts";

const make = (options: Partial<DeliveriesOptions> = {}) => new Deliveries({ plan, clock: frozenClock(), ...options });
async function deliverOne(options: Partial<DeliveriesOptions>, webhook = "sepaDeposit"): Promise<Deliveries> {
  const deliveries = make(options);
  deliveries.collect(outboxOf([0, webhook]));
  await deliveries.deliverDue(midnight);
  return deliveries;
}

const timeOf = (seconds: number) => midnight + seconds * 1000;
const statesOf = ({ list }: Deliveries) => list.map(({ state }) => state);

describe("a delivery", () => {
  it("is a POST of the JSON body with the token, below the path of the URL", async () => {
    const { url, receivedCalls } = await serveRecorder();
    await deliverOne({ target: { url: `${url}/hooks/?tenant=1`, token } }, "p2pTransfer");
    expect(receivedCalls).toMatchObject([{ method: "POST", url: "/hooks/transfer-webhook?tenant=1", body: '{"n":0}' }]);
    const { authorization, "content-type": contentType, connection } = receivedCalls[0]?.headers ?? {};
    expect({ authorization, contentType, connection }).toEqual({
      authorization: token,
      contentType: "application/json",
      connection: "close",
    });
  });

  it("has no Authorization header without a token, even if the URL has a user and a password", async () => {
    const { url, receivedCalls } = await serveRecorder();
    await deliverOne({ target: { url: new URL(url.replace("//", "//user:password@")) } }, "exchange");
    expect(receivedCalls.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it("goes to the path that the target has for it at the time of the attempt", async () => {
    const { url, receivedCalls } = await serveRecorder();
    const deliveries = await deliverOne({ target: { url, paths: { exchange: "/my/exchange" } } }, "exchange");
    expect(receivedCalls.map((call) => call.url)).toEqual(["/my/exchange"]);
    expect(deliveries.list[0]?.path).toBe("/my/exchange");
    deliveries.target = { url, paths: { exchange: "/other" } };
    expect(await deliveries.redeliver(0)).toMatchObject({ state: "delivered", path: "/other" });
  });
});

describe("an event that is not acknowledged", () => {
  it("is delivered five times, after 8, 16, 32 and 64 seconds on the mock's clock", async () => {
    const { url, receivedCalls } = await serveRecorder((response) => void response.writeHead(500).end());
    const clock = frozenClock(5);
    const states: string[] = [];
    const deliveries = make({ clock, target: { url }, onDelivery: ({ state }) => void states.push(state) });
    deliveries.collect(outboxOf([5, "sepaDeposit"]));
    const dueTimes: (number | undefined)[] = [];
    while (deliveries.nextDue !== undefined) {
      dueTimes.push(deliveries.nextDue);
      await deliveries.deliverDue(deliveries.nextDue - 1);
      expect(receivedCalls).toHaveLength(dueTimes.length - 1);
      clock.freeze(deliveries.nextDue);
      await deliveries.deliverDue(clock.now);
    }
    expect(dueTimes).toEqual([5, 13, 29, 61, 125].map(timeOf));
    expect(secondsOf(deliveries.list[0]?.attempts ?? [])).toEqual([5, 13, 29, 61, 125]);
    expect(statesOf(deliveries)).toEqual(["failed"]);
    expect(states).toEqual(["pending", "pending", "pending", "pending", "failed"]);
    expect(new Set(receivedCalls.map(({ body }) => body)).size).toBe(1);
  });

  it.each([201, 202, 204, 301, 307, 400, 404, 410, 500])(
    "by %s is pending, and a redirect is not followed",
    async (status) => {
      const { url, receivedCalls } = await serveRecorder(
        (response) => void response.writeHead(status, { location: "/other" }).end(),
      );
      const deliveries = await deliverOne({ target: { url } });
      expect(deliveries.list).toMatchObject([{ state: "pending", attempts: [{ status }] }]);
      expect(receivedCalls.map((call) => call.url)).toEqual(["/sepa-deposit-webhook"]);
      expect(deliveries.nextDue).toBe(timeOf(8));
    },
  );

  it.each<[string, string, Parameters<typeof serveRecorder>[0]]>([
    ["breaks the connection", "the connection broke", (response) => void response.destroy()],
    [
      "breaks off its response",
      "the connection broke",
      (response) => {
        response.writeHead(200, { "content-length": 100 }).write("{");
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ["speaks no HTTP", "the response is no HTTP", (response) => void response.socket?.end("hello\r\n\r\n")],
  ])("because the receiver %s is pending", async (_, problem, response) => {
    const { url } = await serveRecorder(response);
    const deliveries = await deliverOne({ target: { url } });
    expect(deliveries.list).toMatchObject([{ state: "pending", attempts: [{ at: midnight, problem }] }]);
  });

  it.each([
    ["throws", "the receiver threw SyntaxError", () => JSON.parse("secret") as Response],
    ["returns nothing", "the handler returned no Response", () => undefined as unknown as Response],
  ])("because the handler %s is pending, and the handler's message is not stored", async (_, problem, handler) => {
    const deliveries = await deliverOne({ target: { handler } });
    expect(deliveries.list[0]?.attempts).toEqual([{ at: midnight, problem }]);
  });

  it("because the connection is refused is pending", async () => {
    const url = await withTakenPort(async (port) => `http://127.0.0.1:${port}`);
    const deliveries = await deliverOne({ target: { url } });
    expect(deliveries.list).toMatchObject([{ state: "pending", attempts: [{ problem: "connection refused" }] }]);
  });

  it("is retried when the clock runs, counted from the end of the response", async () => {
    const clock = frozenClock();
    const send = async () => {
      clock.freeze(timeOf(2));
      return { status: 500 };
    };
    const deliveries = await deliverOne({ clock, target: { url: "http://127.0.0.1:9" }, send });
    expect(deliveries.nextDue).toBe(timeOf(2 + 8));
  });
});

it.each<[string, string | null, string | undefined]>([
  ["an object", '{"received":true}', undefined],
  ["nothing", null, "the body of the response is not a JSON object, such as {}"],
  ["a text", "OK", "the body of the response is not a JSON object, such as {}"],
  ["a list", "[]", "the body of the response is not a JSON object, such as {}"],
])("a 200 with %s acknowledges an event; a problem of the body is noted in the attempt", async (_, body, problem) => {
  const { url } = await serveRecorder((response) => void response.end(body ?? undefined));
  for (const target of [{ url }, { handler: () => new Response(body) }]) {
    const deliveries = await deliverOne({ target });
    const attempt = { at: midnight, status: 200, ...(problem === undefined ? {} : { problem }) };
    expect(deliveries.list[0]).toEqual(expect.objectContaining({ state: "delivered", attempts: [attempt] }));
  }
});

it.each(["/hooks", "/hooks/", undefined])("a handler gets events below its basePath %s", async (basePath) => {
  const receivedPaths: string[] = [];
  const handler = ({ url }: Request) => {
    receivedPaths.push(new URL(url).pathname);
    return Response.json({});
  };
  await deliverOne({ target: { handler, basePath } });
  expect(receivedPaths).toEqual([`${basePath === undefined ? "" : "/hooks"}/sepa-deposit-webhook`]);
});

describe("without a target", () => {
  it("an event is undelivered, and can be redelivered once there is a target", async () => {
    const { url, receivedCalls } = await serveRecorder();
    const states: string[] = [];
    const deliveries = make({ onDelivery: ({ state }) => void states.push(state) });
    deliveries.collect(outboxOf([0, "sepaDeposit"]));
    expect(statesOf(deliveries)).toEqual(["undelivered"]);
    expect(deliveries.nextDue).toBeUndefined();
    await expect(deliveries.redeliver(0)).rejects.toThrow("set a target first");
    deliveries.target = { url };
    await deliveries.deliverDue(timeOf(3600));
    expect(receivedCalls).toEqual([]);
    expect(await deliveries.redeliver(0)).toMatchObject({ state: "delivered", attempts: [{ status: 200 }] });
    expect(states).toEqual(["delivered"]);
  });

  it("a pending event becomes undelivered when its retry is due", async () => {
    const { url } = await serveRecorder((response) => void response.writeHead(500).end());
    const deliveries = await deliverOne({ target: { url } });
    deliveries.target = undefined;
    await deliveries.deliverDue(timeOf(8));
    expect(deliveries.list).toMatchObject([{ state: "undelivered", attempts: [{ status: 500 }] }]);
    expect(deliveries.nextDue).toBeUndefined();
  });
});

it.each<[unknown, string]>([
  [{}, "give url or handler"],
  [{ url: "ftp://partner.example" }, "must be a URL"],
  [{ url: "partner.example" }, "must be a URL"],
  [{ handler: "https://partner.example" }, "must be a function"],
  [{ handler: () => new Response(), basePath: "hooks" }, "webhooks.basePath must be the path of a URL"],
  [{ url: "https://partner.example", basePath: "/hooks" }, "basePath belongs to a handler"],
  [{ url: "https://partner.example", token: "" }, "printable ASCII"],
  [{ url: "https://partner.example", token: "secret\r\nx: y" }, "printable ASCII"],
  [{ url: "https://partner.example", paths: { sepaDeposits: "/a" } }, "no webhook sepaDeposits"],
  [{ url: "https://partner.example", paths: { sepaDeposit: "a" } }, "path of a URL"],
  [{ url: "https://partner.example", paths: { sepaDeposit: ":a" } }, "path of a URL"],
])("refuses the target %j, and keeps the previous one", (target, message) => {
  const deliveries = make({ target: { url: "https://partner.example" } });
  const setTarget = () => {
    deliveries.target = target as never;
  };
  expect(setTarget).toThrow(message);
  expect(setTarget).not.toThrow(/secret/);
  expect(deliveries.target).toEqual({ url: "https://partner.example" });
});

it("a redelivery of a delivered event is one more attempt, and is not retried", async () => {
  const statuses = [200, 500, 200];
  const { url, receivedCalls } = await serveRecorder(
    (response) => void response.writeHead(statuses.shift() ?? 200).end("{}"),
  );
  const clock = frozenClock(1);
  const deliveries = make({ clock, target: { url } });
  deliveries.collect(outboxOf([0, "sepaDeposit"]));
  await deliveries.deliverDue(timeOf(1));
  expect(await deliveries.redeliver(0)).toMatchObject({
    state: "delivered",
    attempts: [{ status: 200 }, { status: 500 }],
  });
  expect(deliveries.nextDue).toBeUndefined();
  expect((await deliveries.redeliver(0)).attempts.map(({ at: time }) => time)).toEqual([
    timeOf(0),
    timeOf(1),
    timeOf(1),
  ]);
  expect(new Set(receivedCalls.map(({ body }) => body)).size).toBe(1);
  await expect(deliveries.redeliver(1)).rejects.toThrow("There is no delivery 1");
});

it("a redelivery of a pending event leaves its retries scheduled, unless it is acknowledged", async () => {
  const statuses = [500, 500];
  const { url } = await serveRecorder((response) => void response.writeHead(statuses.shift() ?? 200).end("{}"));
  const deliveries = await deliverOne({ target: { url } });
  expect((await deliveries.redeliver(0)).state).toBe("pending");
  expect(deliveries.nextDue).toBe(timeOf(8));
  expect((await deliveries.redeliver(0)).state).toBe("delivered");
  expect(deliveries.nextDue).toBeUndefined();
});

it("keeps copies of the last 1,000 deliveries, and delivers older events too", async () => {
  const { url, receivedCalls } = await serveRecorder();
  const deliveries = make();
  const outbox = outboxOf();
  for (let count = 0; count < 1_003; count += 1) addEvent(outbox, 0, "sepaDeposit");
  deliveries.collect(outbox);
  expect(deliveries.list).toHaveLength(1_000);
  expect(deliveries.list[0]?.number).toBe(3);
  await expect(deliveries.redeliver(2)).rejects.toThrow("There is no delivery 2");
  const [first] = deliveries.list;
  expect(JSON.parse(JSON.stringify(first))).toEqual(first);
  deliveries.target = { url };
  await deliveries.redeliver(3);
  expect(first?.attempts).toEqual([]);
  expect(receivedCalls).toHaveLength(1);
});
