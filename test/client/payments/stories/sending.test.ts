/** What is sent to the service over HTTP. */
import type { IncomingMessage } from "node:http";
import { createPartnerClient } from "partner-wallet-api";
import { use } from "partner-wallet-api/helpers";
import { afterEach, expect, it, vi } from "vitest";
import { readBody, serveInTest } from "../../../support/http.ts";
import { invoice, makeScriptedWorld, minute, record, transferId } from "../world.ts";

afterEach(() => vi.restoreAllMocks());

/** @param statuses of the first responses to a payment; the later ones are 201. */
async function makeHttpWorld(statuses: readonly number[] = []) {
  const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const server = await serveInTest(async (request, response) => {
    response.setHeader("content-type", "application/json");
    response.setHeader("connection", "close");
    if (request.method !== "POST") return response.end(JSON.stringify(received.length === 0 ? [] : [record]));
    received.push({ headers: request.headers, body: String(await readBody(request)) });
    response.statusCode = statuses[received.length - 1] ?? 201;
    return response.end(JSON.stringify({ transferId }));
  });
  const client = createPartnerClient({ baseUrl: server.url, apiKey: "k", edition: "test", retries: 0 });
  return { received, client, ...makeScriptedWorld(undefined, { client }) };
}

it("the request of a payment has its length and its JSON", async () => {
  const { payments, received } = await makeHttpWorld();
  expect(await payments.fund({ ...invoice, user: "ü" })).toMatchObject({ state: "accepted", id: transferId });
  const body = JSON.stringify({ destinationExternalUserId: "ü", amount: "10.00", currency: "eur" });
  expect(received).toMatchObject([
    { body, headers: { "content-length": String(Buffer.byteLength(body)), "content-type": "application/json" } },
  ]);
  expect(received[0]?.headers).not.toHaveProperty("transfer-encoding");
});

it("`fetch` does not send a payment again after a response with status 421", async () => {
  const { payments, received } = await makeHttpWorld([421]);
  expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", attempts: 1 });
  expect(received).toHaveLength(1);
});

it("a process that is held up while it connects does not send the payment", async () => {
  const { payments, received, service } = await makeHttpWorld();
  const { fetch } = globalThis;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const response = fetch(url, init);
    // Microtasks run before the connection is ready.
    for (let turn = 0; turn < 200; turn += 1) await undefined;
    if (init?.method === "POST") service.now += 5 * minute;
    return response;
  });
  const payment = await payments.fund(invoice);
  expect([payment.state, received.length]).toEqual(["pending", 0]);
});

it("a middleware that calls the client twice does not send a payment twice", async () => {
  const { payments, received, client } = await makeHttpWorld();
  use(client, async (call, next) => {
    await next();
    return next({ ...call.options, retries: 3, repeatUnknown: true });
  });
  expect(await payments.fund(invoice)).toMatchObject({ state: "accepted", attempts: 1 });
  expect(received).toHaveLength(1);
});

it("a middleware that calls the client after it has given up does not send the payment", async () => {
  const { payments, received, client } = await makeHttpWorld();
  let callLate = async (): Promise<unknown> => undefined;
  use(client, async (call, next) => {
    if (call.operationId !== "createTransfer") return next();
    callLate = () => next();
    throw new Error("The queue is full.");
  });
  expect(await payments.fund(invoice)).toMatchObject({ attempts: 0 });
  await callLate();
  expect(received).toHaveLength(0);
});
