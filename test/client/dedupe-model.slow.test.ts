/** Random interleavings of deliveries, slow and failing functions, failing connections to the store and killed processes. */
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { createMemoryStore, createWebhookHandler, type DedupeStore, testEvent } from "partner-wallet-api/webhooks";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { compareWithReference, storeOperations } from "./packed/dedupe-reference.ts";
import { webhookCall } from "./packed/deliveries.ts";

const claimMs = 3000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => {
  vi.restoreAllMocks();
});

describe("the store in memory", () => {
  it("behaves like the reference model, however much time passes", async () => {
    await fc.assert(
      fc.asyncProperty(storeOperations(2000), async (operations) => {
        const keepMs = 5000;
        await compareWithReference(createMemoryStore({ claimMs, keepMs }), keepMs, operations, (ms) =>
          vi.advanceTimersByTime(ms),
        );
      }),
      { numRuns: 500 },
    );
  });
});

const faults = ["none", "refused", "response lost", "silent"] as const;
type Fault = (typeof faults)[number];

interface Run {
  readonly process: Process;
  readonly event: number;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly end: (isSuccess: boolean) => void;
  state: "running" | "succeeded" | "failed";
}

/** All processes share the store, and each can lose its own connection to it. */
class Process {
  fault: Fault = "none";
  hasEnded = false;
  readonly #handler: (request: Request) => Promise<Response>;

  constructor(world: World, acknowledge: "after" | "first") {
    const { store } = world;
    const throughConnection =
      <Args extends unknown[], Result>(callStore: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (this.hasEnded || this.fault === "silent") return new Promise<never>(() => {});
        if (this.fault === "refused") throw new Error("no connection");
        const result = await callStore(...args);
        if (this.fault === "response lost") throw new Error("connection reset");
        return result;
      };
    const connection: DedupeStore = {
      claimMs,
      claim: throughConnection(async (key) => {
        const isDone = world.handledEvents.has(key);
        const claim = await store.claim(key);
        if (claim.state !== "new") return claim;
        if (isDone) world.mistakes.push("an event that was handled was claimed again");
        world.unusedTokens.add(claim.token);
        return claim;
      }),
      extend: throughConnection(store.extend),
      complete: throughConnection(async (key, token) => {
        await store.complete(key, token);
        world.handledEvents.add(key);
      }),
      release: throughConnection((key, token) => {
        const run = world.runs.find((candidate) => candidate.token === token);
        if (run?.state !== "failed") world.mistakes.push("a claim was released without a failure");
        return store.release(key, token);
      }),
    };
    this.#handler = createWebhookHandler({
      authorization: { unverified: true },
      on: {
        p2pTransfer: (event, { token, signal }) => {
          if (this.hasEnded) return new Promise<never>(() => {});
          if (!world.unusedTokens.delete(token)) world.mistakes.push("an event was handled without a claim of its own");
          return new Promise<void>((resolve, reject) => {
            const run: Run = {
              process: this,
              event: Number(event.id),
              token: token as string,
              signal,
              state: "running",
              end: (isSuccess) => {
                run.state = isSuccess ? "succeeded" : "failed";
                if (isSuccess) resolve();
                else reject(new Error("failed"));
              },
            };
            world.runs.push(run);
          });
        },
      },
      otherwise: "reject",
      nonconforming: "reject",
      dedupe: connection,
      acknowledge,
      onError: () => {
        throw new Error("the error tracker is down");
      },
    });
  }

  async deliver(event: number): Promise<number> {
    const { status } = await this.#handler(webhookCall(testEvent("p2pTransfer", { id: `${event}` })));
    expect([200, 500, 503]).toContain(status);
    return status;
  }
}

let pendingDigests = 0;
const digest = crypto.subtle.digest.bind(crypto.subtle);
vi.spyOn(crypto.subtle, "digest").mockImplementation((...digestArguments) => {
  pendingDigests += 1;
  return digest(...digestArguments).finally(() => {
    pendingDigests -= 1;
  });
});

class World {
  readonly store = createMemoryStore({ claimMs });
  readonly handledEvents = new Set<string>();
  /** Tokens of claims for which no function has been called yet. */
  readonly unusedTokens = new Set<string | undefined>();
  readonly runs: Run[] = [];
  /** Mistakes found in code that the handler calls. They are collected, because the handler would catch a thrown error. */
  readonly mistakes: string[] = [];
  readonly processes: Process[];
  readonly deliveries: { process: Process; status: Promise<number> }[] = [];

  constructor(acknowledge: "after" | "first") {
    this.processes = [1, 2, 3].map(() => new Process(this, acknowledge));
  }

  get activeRuns(): Run[] {
    return this.runs.filter(({ state, process }) => state === "running" && !process.hasEnded);
  }

  deliver(process: Process, event: number): void {
    if (!process.hasEnded) this.deliveries.push({ process, status: process.deliver(event) });
  }

  /** Waits until all work that is left depends on a timer, the end of a run or a silent connection, and checks the invariants. */
  async settle(): Promise<void> {
    // Waits for the digests of keys, which are computed in another thread.
    for (let idleTurns = 0; idleTurns < 10; idleTurns = pendingDigests === 0 ? idleTurns + 1 : 0) await setImmediate();
    expect(this.mistakes).toEqual([]);
    const holders = this.activeRuns.filter(({ signal }) => !signal.aborted).map(({ event }) => event);
    expect(new Set(holders).size, "no event has two runs that hold its claim").toBe(holders.length);
  }

  async advance(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await this.settle();
  }
}

const processIndex = fc.nat(2);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant("deliver"), processIndex, fc.nat(1)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("end run"), fc.nat(2), fc.boolean()) },
    { weight: 5, arbitrary: fc.tuple(fc.constant("wait"), fc.nat(4000)) },
    { weight: 3, arbitrary: fc.tuple(fc.constant("set connection"), processIndex, fc.constantFrom(...faults)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("end process"), processIndex) },
  ),
  { minLength: 1, maxLength: 40 },
);
type Step = (typeof steps extends fc.Arbitrary<infer Steps extends unknown[]> ? Steps : never)[number];

async function perform(world: World, step: Step): Promise<void> {
  if (step[0] === "wait") return world.advance(step[1]);
  if (step[0] === "end run") return world.activeRuns[step[1]]?.end(step[2]);
  const process = world.processes[step[1]] as Process;
  if (step[0] === "deliver") world.deliver(process, step[2]);
  else if (step[0] === "set connection") process.fault = step[2];
  else process.hasEnded = true;
}

describe.each(["after", "first"] as const)("deliveries with acknowledge: %s", (acknowledge) => {
  it("are handled by one holder at a time, not again once handled, and never lost", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (stepList) => {
        const world = new World(acknowledge);
        for (const step of stepList) {
          await perform(world, step);
          await world.settle();
        }

        for (const process of world.processes) process.fault = "none";
        await world.advance(0);
        for (const run of world.activeRuns) run.end(false);
        await world.advance(20_000);
        const survivor = new Process(world, acknowledge);
        for (const event of [0, 1]) {
          const status = survivor.deliver(event);
          await world.settle();
          await world.advance(0);
          for (const run of world.activeRuns) run.end(true);
          await world.advance(20_000);
          expect(await status).toBe(200);
          expect(await survivor.deliver(event)).toBe(200);
        }
        expect(world.handledEvents.size, "both events were handled").toBe(2);

        const deliveriesOfSurvivors = world.deliveries.filter(({ process }) => !process.hasEnded);
        await Promise.all(deliveriesOfSurvivors.map(({ status }) => status));
        await world.settle();
        if (world.processes.every(({ hasEnded }) => !hasEnded)) expect(vi.getTimerCount()).toBe(0);
        vi.clearAllTimers();
      }),
      { numRuns: 200 },
    );
  });
});
