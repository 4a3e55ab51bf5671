import { setImmediate } from "node:timers/promises";
import { createMemoryStore, type DedupeStore, type DeliveryContext } from "partner-wallet-api/webhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { event, makeControlledHandler, makeTransferReceiver, type Options, post } from "./deliveries.ts";
import { makeThrower } from "./support.ts";

/** Waits for all work except timers, also for digests: `crypto.subtle` computes them in other threads. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    await setImmediate();
    await crypto.subtle.digest("SHA-256", new Uint8Array());
  }
}

describe("deduplication with the memory store", () => {
  const claimMs = 3000;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  });

  afterEach(() => {
    const remainingTimers = vi.getTimerCount();
    vi.useRealTimers();
    expect(remainingTimers, "timers that are left").toBe(0);
  });

  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  const advance = async (ms: number) => {
    await settle();
    await vi.advanceTimersByTimeAsync(ms);
    await settle();
  };

  const deliverFirst = (members: (store: DedupeStore) => Partial<DedupeStore>, onError?: () => void) => {
    const { runs, handle } = makeControlledHandler();
    const store = createMemoryStore({ claimMs });
    const handler = makeTransferReceiver(handle, { dedupe: { ...store, ...members(store) }, onError });
    return {
      runs,
      otherReceiver: makeTransferReceiver(handle, { dedupe: store }),
      handler,
      firstStatus: post(handler),
    };
  };

  it("does not run a function twice that takes longer than the claim", async () => {
    const { runs, handler, firstStatus } = deliverFirst(() => ({}));
    await settle();
    for (let redelivery = 0; redelivery < 10; redelivery += 1) {
      await advance(claimMs / 2);
      expect(await post(handler)).toBe(503);
    }
    runs[0]?.succeed();
    expect([await firstStatus, await post(handler), runs.length]).toEqual([200, 200, 1]);
    expect(runs[0]?.context.signal.aborted).toBe(false);
  });

  it("keeps another delivery's mark when a function fails after its claim was lost", async () => {
    const onError = vi.fn();
    const { runs, otherReceiver, firstStatus } = deliverFirst(
      () => ({ extend: () => Promise.reject(new Error("cut off")) }),
      onError,
    );
    await advance(claimMs);
    expect(runs[0]?.context.signal.aborted).toBe(true);
    const lostClaimError = new Error("The claim of this event was lost while it was being handled.");
    expect(onError).toHaveBeenCalledWith(lostClaimError, "p2pTransfer");
    const secondStatus = post(otherReceiver);
    await settle();
    runs[1]?.succeed();
    expect(await secondStatus).toBe(200);
    runs[0]?.fail();
    expect(await firstStatus).toBe(500);
    expect([await post(otherReceiver), runs.length]).toEqual([200, 2]);
  });

  it("keeps another delivery's claim when a function fails after its claim was lost", async () => {
    const { runs, otherReceiver, firstStatus } = deliverFirst(() => ({ extend: () => new Promise(() => {}) }));
    await advance(claimMs);
    const secondStatus = post(otherReceiver);
    await settle();
    runs[0]?.fail();
    expect(await firstStatus).toBe(500);
    expect([await post(otherReceiver), runs.length]).toEqual([503, 2]);
    runs[1]?.succeed();
    expect(await secondStatus).toBe(200);
  });

  it("aborts the function's signal when another store took the claim", async () => {
    const { runs, firstStatus } = deliverFirst(() => ({ extend: async () => false }));
    await settle();
    expect(runs[0]?.context.signal.aborted).toBe(false);
    await advance(claimMs / 3);
    expect(runs[0]?.context.signal.aborted).toBe(true);
    runs[0]?.succeed();
    expect(await firstStatus).toBe(200);
  });

  it("does not extend the claim after the event was handled", async () => {
    let resolveExtension = (_isOurs: boolean) => {};
    const extend = vi.fn(() => new Promise<boolean>((resolve) => (resolveExtension = resolve)));
    const { runs, firstStatus } = deliverFirst(() => ({ extend }));
    await advance(claimMs / 2);
    runs[0]?.succeed();
    expect(await firstStatus).toBe(200);
    resolveExtension(true);
    await advance(10 * claimMs);
    expect(extend).toHaveBeenCalledOnce();
  });

  it("aborts the function's signal when the claim expires, also after an extension", async () => {
    const extend = vi.fn<DedupeStore["extend"]>();
    const { runs, firstStatus } = deliverFirst((store) => ({ extend: extend.mockImplementation(store.extend) }));
    await advance(claimMs);
    extend.mockImplementation(() => new Promise(() => {}));
    await advance(claimMs - 1);
    expect(runs[0]?.context.signal.aborted).toBe(false);
    await advance(1);
    expect(runs[0]?.context.signal.aborted).toBe(true);
    runs[0]?.succeed();
    expect(await firstStatus).toBe(200);
  });

  it("keeps the claim when the store fails to extend it once", async () => {
    const { runs, handler, firstStatus } = deliverFirst((store) => ({
      extend: vi.fn(store.extend).mockRejectedValueOnce(new Error("connection reset")),
    }));
    await advance(claimMs * 3);
    expect([await post(handler), runs[0]?.context.signal.aborted]).toEqual([503, false]);
    runs[0]?.succeed();
    expect(await firstStatus).toBe(200);
  });

  it.each([1, 2, 3])("marks the event in the end when the mark fails %i times after success", async (times) => {
    const store = createMemoryStore({ claimMs });
    const complete = vi.fn(store.complete);
    for (let failure = 0; failure < times; failure += 1) complete.mockRejectedValueOnce(new Error("connection reset"));
    const handle = vi.fn();
    const onError = vi.fn();
    const handler = makeTransferReceiver(handle, { dedupe: { ...store, complete }, onError });
    const firstStatus = post(handler);
    await settle();
    // The event is not yet marked in the store, so only the handler that handled the event responds with 200.
    expect([await post(handler), await post(makeTransferReceiver(handle, { dedupe: store }))]).toEqual([200, 503]);
    await advance(2900);
    expect([await firstStatus, await post(handler)]).toEqual([200, 200]);
    expect(handle).toHaveBeenCalledOnce();
    expect(onError).toHaveBeenCalledTimes(times);
  });

  it("keeps the claim while marking the event is retried", async () => {
    const complete = vi.fn<DedupeStore["complete"]>();
    for (const _attempt of [1, 2, 3]) complete.mockRejectedValueOnce(new Error("connection reset"));
    const { runs, otherReceiver, firstStatus } = deliverFirst((store) => ({
      complete: complete.mockImplementation(store.complete),
    }));
    // The fourth `complete` succeeds 2100 ms after the end of the function. By then, the claim would have expired without extensions.
    await advance(950);
    runs[0]?.succeed();
    await advance(2090);
    expect(await post(otherReceiver)).toBe(503);
    await advance(100);
    expect([await firstStatus, await post(otherReceiver), runs.length]).toEqual([200, 200, 1]);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("connection reset"))],
    ["never answers", () => new Promise<never>(() => {})],
    ["throws", makeThrower("no connection")],
  ])("responds 200 at once when complete() of the store %s, and marks the event later", async (_name, fail) => {
    const store = createMemoryStore({ claimMs: 60_000 });
    const release = vi.fn(store.release);
    const complete = vi.fn(store.complete).mockImplementation(fail);
    const backgroundWork: Promise<unknown>[] = [];
    const handle = vi.fn();
    const onError = vi.fn();
    const options = {
      dedupe: { ...store, complete, release },
      onError,
      waitUntil: (work: Promise<unknown>) => void backgroundWork.push(work),
    };
    const handler = makeTransferReceiver(handle, options);
    const firstStatus = post(handler);
    await advance(500);
    expect([await firstStatus, await post(handler), await post(makeTransferReceiver(handle, options))]).toEqual([
      200, 200, 200,
    ]);
    expect(await post(makeTransferReceiver(handle, { dedupe: store }))).toBe(503);
    complete.mockImplementation(store.complete);
    await advance(20_000);
    await Promise.all(backgroundWork);
    expect([backgroundWork.length, await post(makeTransferReceiver(handle, { dedupe: store }))]).toEqual([1, 200]);
    expect(handle).toHaveBeenCalledOnce();
    expect(release).not.toHaveBeenCalled();
    expect(onError).toHaveBeenCalled();
  });

  it("stops calling a store that stays unavailable, and reports no lost claim", async () => {
    const errors: string[] = [];
    const dedupe = {
      ...createMemoryStore({ claimMs }),
      complete: () => Promise.reject(new Error("gone")),
      extend: () => Promise.reject(new Error("gone")),
    };
    const firstStatus = post(
      makeTransferReceiver(() => undefined, { dedupe, onError: (error) => void errors.push(String(error)) }),
    );
    await advance(15 * 60_000);
    expect([await firstStatus, [...new Set(errors)]]).toEqual([200, ["Error: gone"]]);
  });

  describe("a function that does not settle", () => {
    it("releases its event after handlerTimeoutMs", async () => {
      const { runs, handle } = makeControlledHandler();
      const errors: string[] = [];
      const options = { handlerTimeoutMs: 1000, onError: (error: unknown) => void errors.push(String(error)) };
      const handler = makeTransferReceiver(handle, { ...options, dedupe: createMemoryStore({ claimMs }) });
      const firstStatus = post(handler);
      await advance(999);
      expect([await post(handler), runs[0]?.context.signal.aborted]).toEqual([503, false]);
      await advance(1);
      expect([await firstStatus, runs[0]?.context.signal.aborted]).toEqual([500, true]);
      expect(errors).toEqual(["Error: The function for p2pTransfer took longer than 1000 ms (handlerTimeoutMs)."]);
      const secondStatus = post(handler);
      await settle();
      runs[1]?.succeed();
      expect([await secondStatus, runs.length]).toEqual([200, 2]);
    });

    it.each([
      ["and a later error", false, 2],
      ["but not the abort reason", true, 1],
    ])("reports the timeout %s, and releases its event once", async (_name, isAbortReason, errorCount) => {
      const { runs, handle } = makeControlledHandler();
      const memoryStore = createMemoryStore({ claimMs });
      const release = vi.fn(memoryStore.release);
      const onError = vi.fn();
      const handler = makeTransferReceiver(handle, {
        handlerTimeoutMs: 1000,
        onError,
        dedupe: { ...memoryStore, release },
      });
      const status = post(handler);
      await advance(1000);
      runs[0]?.fail(isAbortReason ? runs[0].context.signal.reason : undefined);
      await settle();
      expect([await status, onError.mock.calls.length, release.mock.calls.length]).toEqual([500, errorCount, 1]);
    });

    it("has handled its event if it returns after the timeout", async () => {
      const { runs, handle } = makeControlledHandler();
      const handler = makeTransferReceiver(handle, { handlerTimeoutMs: 1000 });
      const firstStatus = post(handler);
      await advance(1000);
      expect(await firstStatus).toBe(500);
      runs[0]?.succeed();
      await settle();
      expect([await post(handler), runs.length]).toEqual([200, 1]);
    });

    it("is aborted after five minutes by default, and never with Infinity", async () => {
      const { runs, handle } = makeControlledHandler();
      const responses = [{}, { handlerTimeoutMs: Number.POSITIVE_INFINITY }].map((options) =>
        post(makeTransferReceiver(handle, options)),
      );
      await advance(300_000);
      expect(runs.map(({ context }) => context.signal.aborted)).toEqual([true, false]);
      runs[1]?.succeed();
      expect(await Promise.all(responses)).toEqual([500, 200]);
    });
  });

  it.each([
    ["throws", makeThrower("the error tracker is down")],
    ["rejects", () => Promise.reject(new Error("the error tracker is down"))],
  ])("responds the same when onError %s", async (_name, onError) => {
    const handle = vi.fn().mockImplementationOnce(makeThrower("boom"));
    const handler = makeTransferReceiver(handle, { onError });
    expect([await post(handler), await post(handler), await post(handler)]).toEqual([500, 200, 200]);
    expect(handle).toHaveBeenCalledTimes(2);
  });

  it("responds 500 when release() fails or hangs", async () => {
    const store = createMemoryStore({ claimMs });
    const fail = makeThrower("boom");
    const rejectingStore = { ...store, release: () => Promise.reject(new Error("no connection")) };
    expect(await post(makeTransferReceiver(fail, { dedupe: rejectingStore }))).toBe(500);
    const hangingStore = { ...createMemoryStore({ claimMs }), release: () => new Promise<never>(() => {}) };
    const response = post(makeTransferReceiver(fail, { dedupe: hangingStore }));
    await advance(claimMs);
    expect(await response).toBe(500);
  });

  it("handles one of several simultaneous deliveries", async () => {
    const { runs, handle } = makeControlledHandler();
    const handler = makeTransferReceiver(handle);
    const responses = [post(handler), post(handler), post(handler)];
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]?.succeed();
    expect((await Promise.all(responses)).sort()).toEqual([200, 503, 503]);
  });

  it("handles an event again after the store has forgotten it", async () => {
    const handle = vi.fn();
    const handler = makeTransferReceiver(handle, { dedupe: createMemoryStore({ keepMs: 1000 }) });
    expect(await post(handler)).toBe(200);
    await advance(1000);
    expect([await post(handler), handle.mock.calls.length]).toEqual([200, 2]);
  });

  it("does not handle an event that cannot be claimed in time", async () => {
    const handle = vi.fn();
    const claim = () => new Promise<never>(() => {});
    const response = post(makeTransferReceiver(handle, { dedupe: { ...createMemoryStore({ claimMs }), claim } }));
    await advance(claimMs);
    expect(await response).toBe(503);
    expect(handle).not.toHaveBeenCalled();
  });

  it("releases a claim that is granted after the delivery was refused", async () => {
    const handle = vi.fn();
    const store = createMemoryStore({ claimMs: 60_000 });
    let resolveConnection = () => {};
    const connection = new Promise<void>((resolve) => {
      resolveConnection = resolve;
    });
    // Redis clients queue commands while they are disconnected.
    const queueingStore = { ...store, claim: (key: string) => connection.then(() => store.claim(key)) };
    const response = post(makeTransferReceiver(handle, { dedupe: queueingStore }));
    await advance(5000);
    expect(await response).toBe(503);
    resolveConnection();
    await settle();
    expect(await post(makeTransferReceiver(handle, { dedupe: store }))).toBe(200);
    expect(handle).toHaveBeenCalledOnce();
  });

  it.each<[string, Partial<DedupeStore>]>([
    ["the mark of another delivery", { claim: async () => ({ state: "done" }) }],
    ["nothing", { claim: async () => null as never }],
    ["a claim that cannot be released", { release: () => Promise.reject(new Error("no connection")) }],
  ])("ignores a late response of the store with %s", async (_name, members) => {
    const onError = vi.fn();
    const store = { ...createMemoryStore({ claimMs }), ...members };
    const lateStore = { ...store, claim: (key: string) => wait(claimMs + 1).then(() => store.claim(key)) };
    const response = post(makeTransferReceiver(() => undefined, { dedupe: lateStore, onError }));
    await advance(claimMs);
    expect(await response).toBe(503);
    await advance(1);
    expect(onError).toHaveBeenCalledOnce();
  });

  it("passes webhook, text, key, token and signal to the function", async () => {
    const contexts: DeliveryContext[] = [];
    const handler = makeTransferReceiver((_event, context) => {
      if (contexts.push(context) === 1) throw new Error("boom");
    });
    await post(handler);
    await post(handler);
    await post(handler, { ...event, status: "ANOTHER" });
    const [firstContext, repeatedContext, otherContext] = contexts as [
      DeliveryContext,
      DeliveryContext,
      DeliveryContext,
    ];
    expect(firstContext).toMatchObject({ webhook: "p2pTransfer", key: expect.any(String), token: expect.any(String) });
    expect(firstContext.signal).toBeInstanceOf(AbortSignal);
    expect(repeatedContext.key).toBe(firstContext.key);
    expect(Number(repeatedContext.token)).toBeGreaterThan(Number(firstContext.token));
    expect(otherContext.key).not.toBe(firstContext.key);

    const receiverWithoutDedupe = makeTransferReceiver((_event, context) => void contexts.push(context), {
      dedupe: false,
    });
    expect(await post(receiverWithoutDedupe)).toBe(200);
    expect(contexts.at(-1)).toMatchObject({ webhook: "p2pTransfer", key: firstContext.key, token: undefined });
    expect(JSON.parse(contexts.at(-1)?.raw ?? "")).toEqual(event);
  });

  describe('with acknowledge: "first"', () => {
    it("responds before the function is called", async () => {
      const { runs, handle } = makeControlledHandler();
      const backgroundWork: Promise<unknown>[] = [];
      const dedupe = createMemoryStore();
      const options = {
        dedupe,
        acknowledge: "first",
        waitUntil: (work: Promise<unknown>) => void backgroundWork.push(work),
      };
      const handler = makeTransferReceiver(handle, options as Partial<Options>);
      expect([await post(handler), runs.length, backgroundWork.length]).toEqual([200, 0, 1]);
      await advance(0);
      expect([runs.length, await post(handler)]).toEqual([1, 503]);
      runs[0]?.succeed();
      await Promise.all(backgroundWork);
      expect([await post(handler), runs.length]).toEqual([200, 1]);
    });

    it("reports a failure to onError and releases the event", async () => {
      const { runs, handle } = makeControlledHandler();
      const errors: unknown[] = [];
      const onError = (error: unknown, webhook: string) => void errors.push([String(error), webhook]);
      const handler = makeTransferReceiver(handle, { acknowledge: "first", onError });
      expect(await post(handler)).toBe(200);
      await advance(0);
      runs[0]?.fail();
      await settle();
      expect(errors).toEqual([["Error: late failure", "p2pTransfer"]]);
      expect(await post(handler)).toBe(200);
      await advance(0);
      expect(runs).toHaveLength(2);
      runs[1]?.succeed();
      await settle();
    });

    it("refuses a body that breaks its type", async () => {
      const handle = vi.fn();
      expect(await post(makeTransferReceiver(handle, { acknowledge: "first" }), { ...event, amount: null })).toBe(400);
      expect(handle).not.toHaveBeenCalled();
    });

    it.each<[string, () => unknown]>([
      ["throws", makeThrower("Illegal invocation")],
      ["rejects", () => Promise.reject(new Error("Illegal invocation"))],
    ])("handles the event when waitUntil %s", async (_name, fail) => {
      const handle = vi.fn();
      const onError = vi.fn();
      const waitUntil = fail as () => void;
      expect(await post(makeTransferReceiver(handle, { acknowledge: "first", waitUntil, onError }))).toBe(200);
      await advance(0);
      expect(handle).toHaveBeenCalledOnce();
      expect(onError).toHaveBeenCalledOnce();
    });
  });
});

it("a claim does not keep the process running", async () => {
  const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const { runs, handle } = makeControlledHandler();
  const timersBefore = countTimers();
  const response = post(makeTransferReceiver(handle));
  while (runs.length === 0) await setImmediate();
  expect(countTimers()).toBeLessThanOrEqual(timersBefore);
  runs[0]?.succeed();
  expect(await response).toBe(200);
});
