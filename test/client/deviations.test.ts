/** What `onDeviation` of a client is told of, and what it never changes. */
import { type ClientOptions, createPartnerClient, type Deviation } from "partner-wallet-api";
import { describe, expect, it } from "vitest";
import { type AnyCall, contractOf, exampleCalls, makeClient } from "../support/clients.ts";

const json = { "content-type": "application/json" };
const lock = {
  lockId: "a3f7e9d0-4b62-48c1-95ae-1d0c8b6f2e73",
  rate: 1,
  amount: 1,
  expiresAt: "2026-03-09T10:45:30Z",
  cryptocurrency: "btc",
  network: "btc",
};

function optionsFor(respond: () => Response, more: Partial<ClientOptions> = {}): ClientOptions {
  const fetch = async () => respond();
  return { baseUrl: "https://a.example", depositBaseUrl: "https://b.example", apiKey: "canary-key", fetch, ...more };
}

/** Calls an operation that is answered so, and returns what the hook was told without the operation. */
async function deviationsOf(status: number, headers: Record<string, string>, body: unknown) {
  const told: Deviation[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const respond = () => new Response(status === 204 ? null : text, { status, headers });
  const client = createPartnerClient(optionsFor(respond, { onDeviation: (deviation) => void told.push(deviation) }));
  const result = await client.createOrderRateLock({ body: { currency: "btc", amount: "250.00", network: "btc" } });
  expect(told.map(({ operationId, status }) => [operationId, status])).toEqual(
    told.map(() => ["createOrderRateLock", status]),
  );
  return { result, told: told.map(({ operationId: _, status: __, question: ___, ...rest }) => rest), full: told };
}

const failure = { errorCode: "P403", errorMessage: "no", timestamp: "2026-03-14T09:26:53.589Z" };

describe("the hook of a client", () => {
  it.each([
    ["what the contract documents", 201, json, lock, []],
    ["another success status", 200, json, lock, [{ pointer: "", rule: "status" }]],
    ["another media type", 201, { "content-type": "text/plain" }, lock, [{ pointer: "", rule: "media-type" }]],
    ["no body", 201, json, "", [{ pointer: "", rule: "body" }]],
    [
      "a page",
      502,
      { "content-type": "text/html" },
      "<p>",
      [
        { pointer: "", rule: "status" },
        { pointer: "", rule: "media-type" },
      ],
    ],
    ["a redirect", 302, { location: "/" }, "", [{ pointer: "", rule: "status" }]],
    ["a documented code", 400, json, failure, []],
    [
      "a code of another operation",
      400,
      json,
      { ...failure, errorCode: "P412" },
      [{ pointer: "/errorCode", rule: "error-code" }],
    ],
    [
      "a code nobody knows",
      400,
      json,
      { ...failure, errorCode: "P999" },
      [{ pointer: "/errorCode", rule: "error-code" }],
    ],
    ["a failure without a code", 400, json, { errorMessage: "no" }, [{ pointer: "/errorCode", rule: "required" }]],
    ["a failure in another form", 400, json, { ...failure, timestamp: 7 }, [{ pointer: "/timestamp", rule: "type" }]],
    ["a missing field", 201, json, { ...lock, rate: undefined }, [{ pointer: "/rate", rule: "required" }]],
    ["another type", 201, json, { ...lock, rate: "1" }, [{ pointer: "/rate", rule: "type" }]],
    ["null", 201, json, { ...lock, lockId: null }, [{ pointer: "/lockId", rule: "type" }]],
    ["another form", 201, json, { ...lock, lockId: "7" }, [{ pointer: "/lockId", rule: "format" }]],
    ["another field", 201, json, { ...lock, fee: 1 }, [{ pointer: "/fee", rule: "unlisted-field" }]],
    [
      "a list in place of an object",
      200,
      json,
      [lock],
      [
        { pointer: "", rule: "status" },
        { pointer: "", rule: "type" },
      ],
    ],
  ])("is told of %s", async (_name, status, headers, body, expected) => {
    const { told } = await deviationsOf(status, headers as Record<string, string>, body);
    expect(told).toEqual(expected);
  });

  it.each([
    ["one of another operation", { ...failure, errorCode: "P464" }, "code", []],
    ["one that nobody knows", { ...failure, errorCode: "P999" }, "unknown-code", []],
    ["none", { ...failure, errorCode: undefined }, "unexpected-answer", [["/errorCode", "required"]]],
    ["no P-code", { ...failure, errorCode: "E17" }, "unknown-code", [["/errorCode", "pattern"]]],
    ["one in another form", { ...failure, errorCode: "P464", timestamp: 7 }, "code", [["/timestamp", "type"]]],
  ])("takes any P-code where the list is not stated: %s", async (_name, body, kind, expected) => {
    const told: unknown[] = [];
    const onDeviation = ({ pointer, rule }: Deviation) => void told.push([pointer, rule]);
    const respond = () => Response.json(body, { status: 400 });
    const client = createPartnerClient(optionsFor(respond, { onDeviation }));
    const { error } = await client.createTransfer({
      body: { sourceExternalUserId: "user-1042", amount: 10, currency: "eur" },
    });
    expect(error).toMatchObject({ kind, documented: false });
    expect(told).toEqual(expected);
  });

  it("takes a P-code, or none, where neither is stated", async () => {
    const told: Deviation[] = [];
    const calls = [failure, { ...failure, errorCode: undefined }].map(async (body) => {
      const options = optionsFor(() => Response.json(body, { status: 404 }), {
        onDeviation: (deviation) => void told.push(deviation),
      });
      const { error } = await createPartnerClient(options).getTransferDetails({ path: { transferId: lock.lockId } });
      return [error?.kind, error?.documented];
    });
    expect(await Promise.all(calls)).toEqual([
      ["code", false],
      ["no-code", true],
    ]);
    expect(told).toEqual([]);
  });

  it("is told of every attempt", async () => {
    const statuses: unknown[] = [];
    const respond = () => new Response("{}", { status: 429, headers: { ...json, "retry-after": "0" } });
    const onDeviation = ({ status, rule }: Deviation) => void statuses.push([status, rule]);
    await createPartnerClient(optionsFor(respond, { onDeviation, retries: 2 })).getPartnerBalances();
    expect(statuses).toEqual([
      [429, "status"],
      [429, "status"],
      [429, "status"],
    ]);
  });

  it("is never told a value", async () => {
    const { full } = await deviationsOf(201, json, {
      ...lock,
      lockId: "canary-1",
      expiresAt: "canary-2",
      "canary-3": "canary-4",
    });
    expect(full.length).toBeGreaterThan(2);
    expect(JSON.stringify(full)).not.toContain("canary");
  });

  it("is told the open question that covers the deviation", async () => {
    const told: Deviation[] = [];
    const respond = () => new Response('{"orderId":"1"}', { status: 200, headers: json });
    const client = createPartnerClient(optionsFor(respond, { onDeviation: (deviation) => void told.push(deviation) }));
    await client.createOrder({ body: { lockId: lock.lockId } });
    expect(told[0]).toEqual({
      operationId: "createOrder",
      status: 200,
      pointer: "",
      rule: "status",
      question: "Q-creation-status",
    });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("hook");
      },
    ],
    ["rejects", () => Promise.reject(new Error("hook"))],
    ["never settles", () => new Promise<void>(() => undefined)],
  ])("changes nothing when it %s", async (_name, onDeviation) => {
    const respond = () => new Response(JSON.stringify(lock), { status: 299, headers: json });
    const client = createPartnerClient(optionsFor(respond, { onDeviation }));
    const { data, error } = await client.createOrderRateLock({
      body: { currency: "btc", amount: "1", network: "btc" },
    });
    expect([data, error]).toEqual([lock, undefined]);
  });

  it("is told of a success with a P-code, and of a hundred thousand items", async () => {
    const { told } = await deviationsOf(201, json, failure);
    expect(told).toContainEqual({ pointer: "/errorCode", rule: "error-code" });
    expect(told).toContainEqual({ pointer: "/lockId", rule: "required" });
    const items = Array.from({ length: 100_000 }, () => ({}));
    expect((await deviationsOf(201, json, items)).told).not.toEqual([]);
  });

  it.each(["toString", "constructor", "__proto__"])("is told no question of the code %s", async (errorCode) => {
    const { full } = await deviationsOf(400, json, { ...failure, errorCode });
    expect(full.map(({ question }) => question)).toEqual(full.map(() => undefined));
  });
});

describe("the examples of the contract", async () => {
  const { operations } = await contractOf("test");
  const answers = operations.flatMap((operation) =>
    operation.answers.flatMap(({ status, bodies }) =>
      bodies.flatMap(({ mediaType, examples }) =>
        examples.map(({ name, value }) => ({ id: operation.operationId, operation, status, mediaType, name, value })),
      ),
    ),
  );

  it.each(answers)("deviate in nothing: $id $status $name", async ({ operation, status, mediaType, value }) => {
    const told: Deviation[] = [];
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const respond = () => new Response(text, { status, headers: { "content-type": mediaType } });
    const client = makeClient(
      "test",
      optionsFor(respond, { retries: 0, onDeviation: (deviation) => void told.push(deviation) }),
    );
    const [call] = exampleCalls(operation);
    const { error } = await (client[operation.operationId] as AnyCall)(call?.options);
    expect(told).toEqual([]);
    expect(error?.documented ?? true).toBe(true);
  });
});
