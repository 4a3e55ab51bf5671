import { exactNumbers, type TestPartnerClient, toDecimal } from "partner-wallet-api";
import { historyMonths, parseEvent, statusResult, sumDecimals, use, waitUntilFinal } from "partner-wallet-api/helpers";
import { createTransfer, getTransferDetails } from "partner-wallet-api/operations";
import { testEvent, type WebhookName, webhookPaths } from "partner-wallet-api/webhooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  clientWith,
  createdResponse,
  type Fetch,
  jsonResponse,
  makeThrower,
  recordingClient,
  refusalResponse,
  transfer,
  transferId,
} from "./support.ts";

function clientOf(responses: (() => Response)[]) {
  const urls: string[] = [];
  const fetch: Fetch = async ({ url }) => {
    urls.push(new URL(url).pathname);
    return (responses[urls.length - 1] ?? responses.at(-1) ?? createdResponse)();
  };
  return { urls, client: clientWith(fetch, { edition: "test", retries: 0 }) as TestPartnerClient };
}

it.each([
  ["SUCCESSFUL", "succeeded"],
  ["UNSUCCESSFUL", "failed"],
  ["IN_PROGRESS", "open"],
  ["DECLINED_BY_NIGHT", "open"],
  ["toString", "open"],
  [null, "open"],
  [undefined, "open"],
])("statusResult of a transfer with the status %j is %s", (status, result) => {
  expect(statusResult("transfer", status)).toBe(result);
});

const respondWithStatus = (value: string) => () => jsonResponse(200, { ...testEvent("p2pTransfer"), status: value });
const path = { transferId };
const shortWaits = { intervalMs: 1, timeoutMs: 2000 };

describe("waitUntilFinal", () => {
  it.each(["SUCCESSFUL", "UNSUCCESSFUL"])("returns the first result with the final state %s", async (finalStatus) => {
    const { client, urls } = clientOf([
      respondWithStatus("IN_PROGRESS"),
      respondWithStatus("NOBODY_KNOWS"),
      () => refusalResponse("P501", 500),
      respondWithStatus(finalStatus),
    ]);
    const { state, result } = await waitUntilFinal(client, "getTransferDetails", { path }, shortWaits);
    expect([state, result.data?.status, urls]).toEqual([
      "final",
      finalStatus,
      Array(4).fill(`/v1/transfer/details/${transferId}`),
    ]);
  });

  it.each([
    ["getOrderDetails", { orderId: transferId }, "status", { status: "COMPLETED" }],
    ["getSepaTransferDetails", { transferId }, "status", { status: "FAILED" }],
    ["getCryptoWithdrawalDetails", { withdrawalId: transferId }, "status", { status: "UNSUCCESSFUL" }],
    [
      "getKycStatus",
      { externalUserId: "user-1042" },
      "attemptStatus",
      { verificationStatus: "NOT_VERIFIED", attemptStatus: "REJECTED_BY_PROVIDER" },
    ],
  ] as const)("recognises the status field and the final states of %s", async (operation, path, field, finalData) => {
    const { client, urls } = clientOf([
      () => jsonResponse(200, { ...finalData, [field]: "ON_ITS_WAY" }),
      () => jsonResponse(200, finalData),
    ]);
    const { state, result } = await waitUntilFinal(client, operation, { path } as never, shortWaits);
    expect([state, result.data, urls.length]).toEqual(["final", finalData, 2]);
  });

  const respondNotFound = () =>
    jsonResponse(404, { errorCode: "P428", errorMessage: "no", timestamp: "2026-03-14T09:26:53.589Z" });

  it("returns lookup-refused, never a failed resource, when the lookup is refused or cannot be sent", async () => {
    const { client, urls } = clientOf([() => jsonResponse(401, { message: "Access Denied" })]);
    const refusedCall = await waitUntilFinal(client, "getTransferDetails", { path }, shortWaits);
    expect([refusedCall.state, refusedCall.result.status, urls.length]).toEqual(["lookup-refused", 401, 1]);
    const invalidCall = await waitUntilFinal(client, "getTransferDetails", { path: { transferId: "" } }, shortWaits);
    expect([invalidCall.state, invalidCall.result.error?.kind, urls.length]).toEqual([
      "lookup-refused",
      "invalid-request",
      1,
    ]);
  });

  it("pauses after a 429 as long as Retry-After demands, and continues", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const respondTooMany = () => jsonResponse(429, { message: "slow down" }, { "retry-after": "20" });
    const { client, urls } = clientOf([respondTooMany, respondWithStatus("SUCCESSFUL")]);
    const wait = waitUntilFinal(client, "getTransferDetails", { path });
    await vi.advanceTimersByTimeAsync(19_900);
    expect(urls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect([(await wait).state, urls.length]).toEqual(["final", 2]);
  });

  it("refuses an operation without final states, an unknown option, and null in place of options or limits, in its own words", async () => {
    const { client } = clientOf([respondWithStatus("IN_PROGRESS")]);
    const wait = waitUntilFinal as (...values: unknown[]) => ReturnType<typeof waitUntilFinal>;
    await expect(wait(client, "nope", { path })).rejects.toThrow(
      /^There is no operation with final states "nope"\. There/,
    );
    await expect(wait(client, "getTransferDetails", { path }, { timeout: 1 })).rejects.toThrow(
      /^There is no option of waitUntilFinal "timeout"/,
    );
    const { state, result } = await wait(client, "getTransferDetails", null, null);
    expect([state, result.error?.message]).toEqual([
      "lookup-refused",
      'getTransferDetails: The path parameter "transferId" is missing.',
    ]);
    expect(() => statusResult("nope" as never, "SUCCESSFUL")).toThrow(/^There is no resource "nope"\. There are /);
  });

  it("tolerates a 404 for a while, because a record may be readable late", async () => {
    const lateClient = clientOf([respondNotFound, respondNotFound, respondWithStatus("SUCCESSFUL")]);
    expect((await waitUntilFinal(lateClient.client, "getTransferDetails", { path }, shortWaits)).state).toBe("final");
    const notFoundClient = clientOf([respondNotFound]);
    const limits = { ...shortWaits, notFoundMs: 150 };
    const { state, result } = await waitUntilFinal(notFoundClient.client, "getTransferDetails", { path }, limits);
    expect([state, result.status, notFoundClient.urls.length > 1]).toEqual(["lookup-refused", 404, true]);
  });

  it("ends each lookup at the timeout of the client, or that of the call", async () => {
    for (const [clientTimeoutMs, callTimeoutMs] of [[30], [10_000, 30]] as const) {
      let callCount = 0;
      const fetch: Fetch = async () => {
        callCount += 1;
        return callCount === 1 ? new Promise<Response>(() => undefined) : respondWithStatus("SUCCESSFUL")();
      };
      const client = clientWith(fetch, { timeoutMs: clientTimeoutMs, retries: 0 });
      const options = { path, timeoutMs: callTimeoutMs };
      const { state } = await waitUntilFinal(client, "getTransferDetails", options, { intervalMs: 1 });
      expect([state, callCount]).toEqual(["final", 2]);
    }
  });

  it.each([
    ["timeoutMs", Number.NaN, 0],
    ["timeoutMs", "300", 0],
    ["intervalMs", -5, 1],
    ["intervalMs", 0, 1],
    ["notFoundMs", -1, 0],
  ])("refuses the limit %s of %s", async (name, limit, min) => {
    const { client, urls } = clientOf([respondWithStatus("IN_PROGRESS")]);
    const wait = waitUntilFinal(client, "getTransferDetails", { path }, { ...shortWaits, [name]: limit });
    await expect(wait).rejects.toThrow(`${name} must be a number of milliseconds from ${min} to Infinity.`);
    expect(urls).toEqual([]);
  });

  it("returns pending at its timeout", async () => {
    const { client, urls } = clientOf([respondWithStatus("IN_PROGRESS")]);
    const timedOutWait = await waitUntilFinal(client, "getTransferDetails", { path }, { intervalMs: 5, timeoutMs: 60 });
    expect([timedOutWait.state, timedOutWait.result.data?.status, urls.length > 1]).toEqual([
      "pending",
      "IN_PROGRESS",
      true,
    ]);
  });

  it("looks up once more shortly before its timeout, in place of a pause that would end after it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const lookupTimes: number[] = [];
    const fetch: Fetch = async () => {
      lookupTimes.push(performance.now());
      return respondWithStatus(lookupTimes.length < 4 ? "IN_PROGRESS" : "SUCCESSFUL")();
    };
    const startedAt = performance.now();
    const wait = waitUntilFinal(clientWith(fetch), "getTransferDetails", { path }, { timeoutMs: 4000 });
    await vi.advanceTimersByTimeAsync(4000);
    expect([(await wait).state, lookupTimes.map((time) => time - startedAt)]).toEqual(["final", [0, 1000, 2500, 3600]]);
  });

  it.each(["the wait", "the call"])(
    "returns pending between two lookups when the signal of %s aborts",
    async (owner) => {
      const { client, urls } = clientOf([respondWithStatus("IN_PROGRESS")]);
      const signal = AbortSignal.timeout(20);
      const [callOptions, limits] = owner === "the call" ? [{ signal }, {}] : [{}, { signal }];
      const startedAt = performance.now();
      const { state, result } = await waitUntilFinal(
        client,
        "getTransferDetails",
        { path, ...callOptions },
        { timeoutMs: 3000, ...limits },
      );
      expect([state, result.data?.status, urls.length]).toEqual(["pending", "IN_PROGRESS", 1]);
      expect(performance.now() - startedAt).toBeLessThan(900);
    },
  );
});

it.each(["the wait", "the call"])("waitUntilFinal aborts a lookup when the signal of %s aborts", async (owner) => {
  const signal = AbortSignal.timeout(20);
  const fetch: Fetch = (request) =>
    new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
  const startedAt = performance.now();
  const [callOptions, limits] = owner === "the call" ? [{ signal }, {}] : [{}, { signal }];
  const lookup = await waitUntilFinal(
    clientWith(fetch),
    "getTransferDetails",
    { path: { transferId }, ...callOptions },
    { timeoutMs: 3000, ...limits },
  );
  expect([lookup.state, lookup.result.error?.kind]).toEqual(["pending", "aborted"]);
  expect(performance.now() - startedAt).toBeLessThan(2500);
});

describe("historyMonths", () => {
  const record = (id: string | null) => ({ id, type: "transfer" });

  it("returns months in ascending order, and the later copy of a record that two months contain", async () => {
    const pages = [[record("a"), record("b"), record("a")], [record("b"), record(null), record(null)], []];
    const { client, urls } = clientOf(pages.map((page) => () => jsonResponse(200, page)));
    const months = [];
    const range = { from: "2025-11", to: new Date("2026-01-31T23:59:59Z") } as const;
    for await (const { month, records } of historyMonths(client, { externalUserId: "user-1042", ...range })) {
      months.push([month, records.map(({ id }) => id)]);
    }
    expect(months).toEqual([
      ["2025-11", ["a"]],
      ["2025-12", ["b", null, null]],
      ["2026-01", []],
    ]);
    expect(urls).toEqual(
      ["11/2025", "12/2025", "01/2026"].map((monthPath) => `/v1/user/transaction-history/user-1042/${monthPath}`),
    );
  });

  it("keeps exact digits for exactNumbers in its records, also when duplicates were removed", async () => {
    const pages = ['[{"id":"a","amount":1.10},{"id":"b","amount":2.50}]', '[{"id":"a","amount":1.20}]'];
    const { client } = clientOf(
      pages.map((page) => () => new Response(page, { headers: { "content-type": "application/json" } })),
    );
    const amounts = [];
    for await (const { records } of historyMonths(client, { externalUserId: "u", from: "2026-01", to: "2026-02" })) {
      amounts.push(exactNumbers(records).map(({ amount }) => amount));
    }
    expect(amounts).toEqual([["2.50"], ["1.20"]]);
  });

  it("reads the partner's history when asked, but never instead of that of a user who is undefined", async () => {
    const { client, urls } = clientOf([() => jsonResponse(200, [record("a")])]);
    const months = [];
    for await (const { month } of historyMonths(client, { from: "2026-01", to: "2026-01" })) months.push(month);
    expect(months).toEqual(["2026-01"]);
    expect(urls).toEqual(["/v1/partner/transaction-history/01/2026"]);
    const withoutUser = { externalUserId: undefined as unknown as string, from: "2026-01", to: "2026-01" } as const;
    await expect(historyMonths(client, withoutUser).next()).rejects.toMatchObject({ kind: "invalid-request" });
    expect(urls).toHaveLength(1);
  });

  it("throws the error of a month that cannot be read", async () => {
    const { client } = clientOf([() => refusalResponse("P403")]);
    const months = historyMonths(client, { externalUserId: "user-1042", from: "2026-01", to: "2026-03" });
    await expect(months.next()).rejects.toMatchObject({ name: "PartnerApiError", errorCode: "P403" });
  });

  it.each([
    ["2026-13", "2026-12"],
    ["2026-3", "2026-12"],
    ["2026-01", new Date(Number.NaN)],
    ["2026-02", "2026-01"],
  ] as const)("refuses the months from %s to %s", async (from, to) => {
    const months = historyMonths(clientOf([]).client, { externalUserId: "user-1042", from, to });
    await expect(months.next()).rejects.toThrow(/^historyMonths: /);
  });
});

it("sumDecimals adds exactly", () => {
  expect(sumDecimals([toDecimal("0.1"), "0.2", "-0.30", "1"])).toBe("1.00");
  expect(sumDecimals([])).toBe("0");
  expect(() => sumDecimals(["1e5"])).toThrow(TypeError);
});

describe("parseEvent", () => {
  it.each(Object.keys(webhookPaths) as WebhookName[])("recognises %s by its name", (name) => {
    const event = testEvent(name);
    expect(parseEvent(JSON.stringify({ name, event }))).toMatchObject({ ok: true, name, event });
  });

  it("reports violations of the type", () => {
    const text = JSON.stringify({ name: "p2pTransfer", event: { ...testEvent("p2pTransfer"), amount: null } });
    expect(parseEvent(text)).toMatchObject({
      ok: false,
      status: 400,
      name: "p2pTransfer",
      violations: [{ pointer: "/amount" }],
    });
  });

  it("returns an event whose type follows from the name", () => {
    const parseResult = parseEvent(JSON.stringify({ name: "p2pTransfer", event: testEvent("p2pTransfer") }));
    const id: string | undefined =
      parseResult.ok && parseResult.name === "p2pTransfer" ? parseResult.event.id : undefined;
    expect(id).toBe(testEvent("p2pTransfer").id);
  });

  it("keeps no original texts of the numbers", () => {
    const deposit = parseEvent('{"name":"sepaDeposit","event":{"id":"1","payer":{"limit":5.50}}}');
    expect(() => exactNumbers((deposit as unknown as { event: object }).event)).toThrow(TypeError);
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    '{"name":"p2pTransfer"}',
    '{"name":"no","event":{}}',
    { name: "p2pTransfer", event: {} },
  ])("refuses %j", (text) => expect(() => parseEvent(text as string)).toThrow(TypeError));
});

describe("use", () => {
  it("wraps a call with all its attempts, the first middleware outermost, for functions and methods", async () => {
    const order: string[] = [];
    let attempts = 0;
    const client = clientWith(
      async () => {
        attempts += 1;
        order.push("fetch");
        return attempts === 1 ? new Response("", { status: 429, headers: { "retry-after": "0" } }) : createdResponse();
      },
      { onRequest: () => void order.push("onRequest") },
    );
    for (const name of ["outer", "inner"]) {
      use(client, async ({ operationId, method, path }, next) => {
        order.push(`${name} ${operationId} ${method} ${path}`);
        const result = await next();
        order.push(`${name} ${result.status}`);
        return result;
      });
    }
    const call = "createTransfer POST /v1/transfer";
    const expectedOrder = [
      `outer ${call}`,
      `inner ${call}`,
      "onRequest",
      "fetch",
      "onRequest",
      "fetch",
      "inner 201",
      "outer 201",
    ];
    expect((await client.createTransfer({ body: transfer })).data).toEqual({ transferId });
    expect(order.splice(0)).toEqual(expectedOrder);
    expect((await createTransfer(client, { body: transfer })).status).toBe(201);
    expect(order).toHaveLength(6);
  });

  it("can change the options of a call, or return a result without sending it", async () => {
    const { client, sentRequests } = recordingClient();
    use(client, async ({ operationId, options }, next) => {
      if (operationId === "createTransfer") return next({ ...options, headers: { "x-tenant": "a" } });
      return { data: { status: "FROM_THE_CACHE" }, error: undefined, response: undefined, status: 200 };
    });
    await client.createTransfer({ body: transfer });
    expect([sentRequests[0]?.headers.get("x-tenant"), await sentRequests[0]?.json()]).toEqual(["a", transfer]);
    expect((await getTransferDetails(client, { path })).data).toEqual({ status: "FROM_THE_CACHE" });
    expect(sentRequests).toHaveLength(1);
  });

  it.each<[string, () => never]>([
    ["threw", makeThrower("secrets: key-of-the-test-4711 and tenant-of-the-test")],
    ["returned no result", () => undefined as never],
  ])(
    "never makes a call reject: a middleware that %s prevents sending before next, and changes no result after it",
    async (failureText, fail) => {
      const log = vi.spyOn(console, "error").mockReturnValue();
      onTestFinished(() => log.mockRestore());
      const { client: failingClient, sentRequests } = recordingClient();
      use(failingClient, async () => fail());
      const headers = { "x-tenant": "tenant-of-the-test" };
      const { error } = await failingClient.createTransfer({ body: transfer, headers });
      expect([sentRequests.length, error?.kind, error?.outcome]).toEqual([0, "invalid-request", "not-sent"]);
      expect(error?.message).toBe(`createTransfer: A middleware ${failureText} before it called next.`);
      expect(String(error?.cause)).toBe(
        failureText === "threw" ? "Error: secrets: [redacted] and [redacted]" : "undefined",
      );
      const otherClient = clientWith(async () => createdResponse());
      use(otherClient, async (_call, next) => {
        await next();
        return fail();
      });
      expect((await otherClient.createTransfer({ body: transfer, headers })).data).toEqual({ transferId });
      const expectedLogs =
        failureText === "threw"
          ? ["createTransfer: A middleware threw after it called next.", "Error: secrets: [redacted] and [redacted]"]
          : [];
      await expect.poll(() => log.mock.calls.flat().map(String)).toEqual(expectedLogs);
    },
  );

  it("does not expose the API key to the middleware", async () => {
    const results: unknown[] = [];
    const client = clientWith(async () => refusalResponse("P403"));
    use(client, async (call, next) => {
      const result = await next();
      results.push(call, result);
      return result;
    });
    await client.createTransfer({ body: transfer });
    expect(JSON.stringify(results)).not.toContain("key-of-the-test-4711");
    expect(() => use(client, "no" as never)).toThrow(TypeError);
  });
});
