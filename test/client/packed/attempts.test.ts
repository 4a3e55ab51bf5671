import type { LogEvent } from "partner-wallet-api";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  clientWith,
  clientWithResponses,
  createdResponse,
  type Fetch,
  jsonResponse,
  recordingClient,
  refusalResponse,
  transfer,
} from "./support.ts";

/** `elapsedMs` is measured with the fake timers. */
async function withFakeTimers<Result>(work: () => Promise<Result>): Promise<{ result: Result; elapsedMs: number }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    const startedAt = performance.now();
    let elapsedMs = -1;
    const workPromise = work().finally(() => {
      elapsedMs = performance.now() - startedAt;
    });
    while (elapsedMs < 0) await vi.advanceTimersByTimeAsync(10);
    return { result: await workPromise, elapsedMs };
  } finally {
    vi.useRealTimers();
  }
}

// Loads the texts of errors now, because loading may time out with fake timers.
beforeAll(() => clientWith(async () => jsonResponse(503, {}), { retries: 0 }).getPartnerBalances());

describe("Retry-After", () => {
  it.each(["-1", "2;", "soon", "120s", "", "0", "Wed, 21 Oct 2015 07:28:00 GMT"])(
    "with the value %j is ignored",
    async (value) => {
      const respondBusy = () => jsonResponse(429, {}, { "retry-after": value });
      const { wallet, log } = clientWithResponses(respondBusy);
      const { elapsedMs } = await withFakeTimers(() => wallet.getPartnerBalances({ retries: 1 }));
      expect(log).toHaveLength(2);
      expect(elapsedMs).toBeGreaterThanOrEqual(124);
    },
  );

  it.each([
    ["1.5", 1490],
    ["1", 990],
  ])("of %s seconds is waited for", async (value, minElapsedMs) => {
    const { wallet, log } = clientWithResponses(
      () => jsonResponse(429, {}, { "retry-after": value }),
      () => jsonResponse(200, {}),
    );
    const { result, elapsedMs } = await withFakeTimers(() => wallet.getPartnerBalances());
    expect(result.error).toBeUndefined();
    expect(elapsedMs).toBeGreaterThanOrEqual(minElapsedMs);
    expect(log).toHaveLength(2);
  });

  it("in the past retries at once", async () => {
    const { wallet, log } = clientWithResponses(
      () => jsonResponse(429, {}, { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }),
      () => jsonResponse(200, {}),
    );
    await withFakeTimers(() => wallet.getPartnerBalances({ timeoutMs: Infinity }));
    expect(log).toHaveLength(2);
  });

  it("is in UTC if it is a date that names no zone", async () => {
    vi.stubEnv("TZ", "America/New_York");
    const { wallet, log } = clientWithResponses(
      // In UTC, this time is past. In New York, it is in some hours.
      () => jsonResponse(429, {}, { "retry-after": asctimeOf(new Date()) }),
      () => jsonResponse(200, {}),
    );
    await withFakeTimers(() => wallet.getPartnerBalances({ timeoutMs: Infinity }));
    vi.unstubAllEnvs();
    expect(log).toHaveLength(2);
  });

  it.each(["Wed, 21 Oct 2099 07:28:00 GMT", "61"])(
    "more than a minute ahead ends the call, even without a timeout: %s",
    async (retryAfter) => {
      const { wallet, log } = clientWithResponses(() => jsonResponse(503, {}, { "retry-after": retryAfter }));
      expect((await wallet.getPartnerBalances({ timeoutMs: Infinity })).status).toBe(503);
      expect(log).toHaveLength(1);
    },
  );

  it("is followed by a random delay, so that clients do not retry at the same moment", async () => {
    const { result: delays } = await withFakeTimers(() =>
      Promise.all(
        Array.from({ length: 8 }, async () => {
          const { wallet } = clientWithResponses(
            () => jsonResponse(429, {}, { "retry-after": "0.3" }),
            () => jsonResponse(200, {}),
          );
          const startedAt = performance.now();
          await wallet.getPartnerBalances();
          return performance.now() - startedAt;
        }),
      ),
    );
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(299);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(15);
  });
});

describe("all calls of a client", () => {
  it("share a budget of retries, so that an outage does not multiply requests", async () => {
    let isDown = true;
    const { client, sentRequests } = recordingClient(() => jsonResponse(isDown ? 503 : 200, {}));
    await Promise.all(Array.from({ length: 300 }, () => client.getPartnerBalances()));
    expect(sentRequests.splice(0)).toHaveLength(320);
    isDown = false;
    for (let index = 0; index < 11; index += 1) await client.getPartnerBalances();
    isDown = true;
    sentRequests.splice(0);
    await client.getPartnerBalances();
    expect(sentRequests).toHaveLength(2);
  });

  it.each([
    [0, 10],
    [Infinity, 20],
  ])("with retryBudget %s send %i requests", async (retryBudget, times) => {
    const { client, sentRequests } = recordingClient(() => jsonResponse(503, {}), { retryBudget, retries: 1 });
    await Promise.all(Array.from({ length: 10 }, () => client.getPartnerBalances()));
    expect(sentRequests).toHaveLength(times);
  });

  it("are sent in order, at most maxConcurrent at a time", async () => {
    let openRequests = 0;
    let maxOpenRequests = 0;
    const order: string[] = [];
    const wallet = clientWith(
      async (request) => {
        order.push(new URL(request.url).pathname.slice(-2));
        openRequests += 1;
        maxOpenRequests = Math.max(maxOpenRequests, openRequests);
        await new Promise((resolve) => setTimeout(resolve, 10));
        openRequests -= 1;
        return jsonResponse(200, {});
      },
      { maxConcurrent: 3 },
    );
    const pathOption = (index: number) => ({ path: { externalUserId: String(10 + index) } });
    const soonAbortedSignal = AbortSignal.timeout(5);
    const calls = Array.from({ length: 12 }, (_, index) =>
      wallet.getUserBalances({ ...pathOption(index), ...(index === 5 ? { signal: soonAbortedSignal } : {}) }),
    );
    const errors = (await Promise.all(calls)).map(({ error }) => error && [error.kind, error.outcome]);
    expect(errors.filter(Boolean)).toEqual([["aborted", "not-sent"]]);
    expect([maxOpenRequests, order]).toEqual([3, ["10", "11", "12", "13", "14", "16", "17", "18", "19", "20", "21"]]);
    const lateResults = await Promise.all(
      [undefined, undefined, undefined, 5].map((timeoutMs) => wallet.createTransfer({ body: transfer, timeoutMs })),
    );
    expect(lateResults.map(({ error }) => error?.outcome)).toEqual(["unknown", "unknown", "unknown", "not-sent"]);
    expect((await wallet.getUserBalances(pathOption(0))).error).toBeUndefined();
  });

  it("wait for their turn within their timeout", async () => {
    let requestCount = 0;
    const fetch: Fetch = () => {
      requestCount += 1;
      return new Promise((resolve) => requestCount === 1 && setTimeout(() => resolve(createdResponse()), 700));
    };
    const wallet = clientWith(fetch, { maxConcurrent: 1, timeoutMs: 1000, retries: 0 });
    const { result, elapsedMs } = await withFakeTimers(async () => {
      const calls = [1, 2].map(() => wallet.createTransfer({ body: transfer }));
      return (await Promise.all(calls)).map(({ error }) => error?.kind);
    });
    expect([requestCount, result]).toEqual([2, [undefined, "timeout"]]);
    expect(Math.abs(elapsedMs - 1000)).toBeLessThan(100);
  });
});

async function attemptsOf(response: number | string | undefined, operation: "read" | "pay", options: object = {}) {
  const retryNow = { "retry-after": "0" };
  const { wallet, log } = clientWithResponses(() => {
    if (response === undefined) throw new TypeError("fetch failed");
    return typeof response === "number"
      ? jsonResponse(response, {}, retryNow)
      : jsonResponse(400, { errorCode: response }, retryNow);
  });
  await withFakeTimers<unknown>(() =>
    operation === "read" ? wallet.getPartnerBalances(options) : wallet.createTransfer({ body: transfer, ...options }),
  );
  expect(JSON.stringify(log)).not.toMatch(/4711|user-1042/);
  return log.length;
}

describe("the number of attempts", () => {
  it.each([
    ["a read after P501, which may pass", "P501", "read", {}, 3],
    ["a read after P500, of which nothing is known", "P500", "read", {}, 1],
    ["a read after a refusal", "P403", "read", {}, 1],
    ["a read after a broken connection", undefined, "read", {}, 3],
    ["a read without retries", "P501", "read", { retries: 0 }, 1],
    ...[502, 503, 504].map((status) => [`a read after ${status}`, status, "read", {}, 3] as const),
    ...[500, 501, 505].map((status) => [`a read after ${status}`, status, "read", {}, 1] as const),
    ["a payment after 502", 502, "pay", {}, 1],
    ["a payment after P501", "P501", "pay", {}, 1],
    ["a payment after P501, with retries", "P501", "pay", { retries: 2 }, 1],
    ["a payment after P501, whatever its outcome", "P501", "pay", { repeatUnknown: true }, 3],
    ["a payment after 503, whatever its outcome", 503, "pay", { repeatUnknown: true }, 1],
    ["a payment after a broken connection, with retries", undefined, "pay", { retries: 2 }, 1],
    ["a payment after a broken connection, whatever its outcome", undefined, "pay", { repeatUnknown: true }, 3],
    ["a payment after 429", 429, "pay", {}, 3],
    ["a payment after 429, without retries", 429, "pay", { retries: 0 }, 1],
  ] as const)("is as expected for %s (%s): %s %j, %i times", async (_name, response, operation, options, times) => {
    expect(await attemptsOf(response, operation, options)).toBe(times);
  });

  it("is 1 when Retry-After exceeds the timeout of the call", async () => {
    const { wallet, log } = clientWithResponses(() => jsonResponse(429, {}, { "retry-after": "3600" }));
    expect((await wallet.getPartnerBalances()).error?.status).toBe(429);
    expect(log).toMatchObject([
      { operationId: "getPartnerBalances", method: "GET", path: "/v1/partner/balances", attempt: 1 },
    ]);
  });
});

describe("a read", () => {
  it("is retried when one attempt hangs, since each attempt has its own timeout", async () => {
    const { wallet, log } = clientWithResponses(
      () => new Promise<Response>(() => {}),
      () => jsonResponse(200, {}),
    );
    expect((await wallet.getPartnerBalances({ attemptTimeoutMs: 30, timeoutMs: 5_000 })).error).toBeUndefined();
    expect(log.map(({ kind }) => kind)).toEqual(["timeout", undefined]);
  });

  it("ends when all its attempts together reach its timeout", async () => {
    const { wallet, log } = clientWithResponses(
      () => new Promise<Response>((resolve) => setTimeout(() => resolve(jsonResponse(503, {})), 600)),
      () => new Promise<Response>(() => {}),
    );
    const { elapsedMs } = await withFakeTimers(() => wallet.getPartnerBalances({ timeoutMs: 2_000 }));
    expect(Math.abs(elapsedMs - 2_000)).toBeLessThan(100);
    expect(log.map(({ kind }) => kind)).toEqual(["unexpected-response", "timeout"]);
  });
});

it("a timeout does not depend on the system time", async () => {
  const realNow = Date.now;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => realNow() - 60_000);
  try {
    const wallet = clientWith(async () => {
      spy.mockImplementation(() => realNow() - 3_600_000);
      return jsonResponse(429, {}, { "retry-after": "0.05" });
    });
    const startedAt = performance.now();
    await wallet.getPartnerBalances({ timeoutMs: 200, retries: 10 });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  } finally {
    spy.mockRestore();
  }
});

it("a call that moves money has no headers but the documented ones and the package version", async () => {
  const { client, sentRequests } = recordingClient();
  await client.createTransfer({ body: transfer });
  const { headers } = sentRequests[0] ?? expect.fail();
  expect([...headers.keys()].sort()).toEqual(["accept", "content-type", "user-agent", "x-api-key"]);
  expect(headers.get("user-agent")).toMatch(/^partner-wallet-api\/\d+\.\d+\.\d+$/);
});

describe("the logger", () => {
  const clientWithLog = (
    clientOptions: Partial<Parameters<typeof clientWith>[1]> = {},
    fetch: Fetch = async () => createdResponse(),
  ) => {
    const log: LogEvent[] = [];
    return { log, wallet: clientWith(fetch, { retries: 0, logger: (event) => log.push(event), ...clientOptions }) };
  };

  it("receives calls that end without a sent request: refused, aborted or timed out", async () => {
    const { log, wallet } = clientWithLog({ maxConcurrent: 1 }, () => new Promise(() => {}));
    await wallet.createTransfer({ body: { ...transfer, amount: "1,00" as never } });
    await wallet.createTransfer({ body: transfer, signal: AbortSignal.abort() });
    await withFakeTimers(() =>
      Promise.all([20, 5].map((timeoutMs) => wallet.createTransfer({ body: transfer, timeoutMs }))),
    );
    expect(log.map(({ attempt, kind, outcome }) => [attempt, kind, outcome])).toEqual([
      [0, "invalid-request", "not-sent"],
      [1, "aborted", "not-sent"],
      [0, "timeout", "not-sent"],
      [1, "timeout", "unknown"],
    ]);
    expect(log[0]).toMatchObject({ operationId: "createTransfer", method: "POST", path: "/v1/transfer" });
  });

  it("receives the outcome and the request id, of successes too", async () => {
    const responses = [jsonResponse(201, { transferId: "t" }, { "x-request-id": "req-1" }), refusalResponse("P433")];
    responses[1]?.headers.set("request-id", "req-2");
    const { log, wallet } = clientWithLog({}, async () => responses[log.length] as Response);
    await wallet.createTransfer({ body: transfer });
    await wallet.createTransfer({ body: transfer });
    expect(log).toMatchObject([
      { status: 201, outcome: undefined, requestId: "req-1" },
      { status: 400, errorCode: "P433", outcome: "refused", requestId: "req-2" },
    ]);
  });
});

/** The form of C's function `asctime`, such as `Sun Nov  6 08:49:37 1994` (RFC 9110, section 5.6.7). */
function asctimeOf(date: Date): string {
  const [day, number, month, year, time] = date.toUTCString().replace(",", "").split(" ");
  return `${day} ${month} ${number?.replace(/^0/, " ")} ${time} ${year}`;
}
