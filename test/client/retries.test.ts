/** When a call is repeated, and when never. */
import { createPartnerClient, type LogEvent } from "partner-wallet-api";
import { describe, expect, it } from "vitest";

const busy = () => Response.json({ errorCode: "P501", errorMessage: "busy", timestamp: "2026" }, { status: 400 });
const failed = () => Response.json({ errorCode: "P500", errorMessage: "?", timestamp: "2026" }, { status: 400 });
const cards = () => Response.json([]);

function scripted(answers: (() => Response)[], options: { retries?: number; timeoutMs?: number } = {}) {
  const log: LogEvent[] = [];
  let calls = 0;
  const client = createPartnerClient({
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey: "canary-key",
    logger: (event) => log.push(event),
    fetch: async () => {
      const answer = answers[Math.min(calls, answers.length - 1)];
      calls += 1;
      if (answer === undefined) throw new TypeError("fetch failed");
      return answer();
    },
    ...options,
  });
  return { client, log, calls: () => calls };
}

const path = { externalUserId: "user-1042" };
const body = { currency: "btc", amount: "1", network: "btc" } as const;

describe("a call that reads", () => {
  it("is repeated after P501", async () => {
    const { client, calls } = scripted([busy, cards]);
    expect((await client.listUserCards({ path })).data).toEqual([]);
    expect(calls()).toBe(2);
  });

  it("is repeated after a broken connection, but not for ever", async () => {
    const { client, calls } = scripted([]);
    expect((await client.listUserCards({ path })).error?.kind).toBe("network");
    expect(calls()).toBe(3);
  });

  it("waits as long as Retry-After says", async () => {
    const slow = () => new Response("", { status: 429, headers: { "retry-after": "1" } });
    const { client } = scripted([slow, cards]);
    const startedAt = Date.now();
    expect((await client.listUserCards({ path })).error).toBeUndefined();
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it("does not wait beyond its time", async () => {
    const slow = () => new Response("", { status: 429, headers: { "retry-after": "3600" } });
    const { client, calls } = scripted([slow, cards]);
    expect((await client.listUserCards({ path })).error?.status).toBe(429);
    expect(calls()).toBe(1);
  });

  it("is not repeated when the code says that nothing is known", async () => {
    const { client, calls } = scripted([failed, cards]);
    expect((await client.listUserCards({ path })).error?.errorCode).toBe("P500");
    expect(calls()).toBe(1);
  });

  it("is not repeated when retries are off", async () => {
    const { client, calls } = scripted([busy, cards], { retries: 0 });
    expect((await client.listUserCards({ path })).error?.errorCode).toBe("P501");
    expect(calls()).toBe(1);
  });
});

describe("a call that changes something", () => {
  it("is never repeated by itself", async () => {
    const { client, calls } = scripted([busy, cards]);
    expect((await client.createOrderRateLock({ body })).error?.errorCode).toBe("P501");
    expect(calls()).toBe(1);
  });

  it("is repeated when the caller says so for this call", async () => {
    const lock = () => Response.json({ lockId: "x" }, { status: 201 });
    const { client, calls } = scripted([busy, lock]);
    expect((await client.createOrderRateLock({ body, retries: 1 })).error).toBeUndefined();
    expect(calls()).toBe(2);
  });
});

it("tells the logger of every attempt, and nothing that identifies anybody", async () => {
  const { client, log } = scripted([busy, cards]);
  await client.listUserCards({ path });
  expect(log).toMatchObject([
    {
      operationId: "listUserCards",
      method: "GET",
      path: "/v1/card/all/{externalUserId}",
      attempt: 1,
      errorCode: "P501",
    },
    { attempt: 2, status: 200, errorCode: undefined, kind: undefined },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/canary|user-1042/);
});
