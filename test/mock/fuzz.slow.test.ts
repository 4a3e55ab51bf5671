/**
 * Sends mutated requests and random bytes to the port of a stateful mock. The mock must not fail, hang, exit or leak memory. FUZZ_RUNS and
 * PROPERTY_SEED set the number of connections and the seed.
 */
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningMock, startMock } from "../../scripts/mock/host/mock.ts";
import type { RequestEntry } from "../../scripts/mock/server/server.ts";
import { plan } from "../support/plan.ts";
import { propertySeed } from "../support/property-seed.ts";
import { anyBytes } from "./any-request.ts";
import { sendBytes } from "./raw-http.ts";

const runs = Number(process.env.FUZZ_RUNS ?? 2000);

const connectionsAtOnce = 16;

/** Maximum growth of the heap in the second half of the run, in MiB. Some growth is allowed, because valid requests create data. */
const maxHeapGrowth = 40;

const timeoutMs = 5000;

let mock: RunningMock;
let failures: string[];
const { operations } = plan;
beforeAll(async () => {
  failures = [];
  const onRequest = ({ status, path, notes }: RequestEntry) => {
    const hasFailed = notes.some((note) => note.startsWith("The mock failed"));
    if (hasFailed || Number(status) >= 500) failures.push(`${path} ${status} ${notes.join(" ")}`);
  };
  const limits = { bodyTimeoutMs: 1000, headersTimeoutMs: 1000 };
  mock = await startMock(plan, { edition: "test", onRequest }, limits);
});
afterAll(() => mock.close());

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapSize(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test(
  `${runs} connections with mutated requests and random bytes all end, without failures or growing memory`,
  async () => {
    const bursts = fc.sample(anyBytes(operations), { seed: propertySeed, numRuns: runs });
    const repeatAdvice = `PROPERTY_SEED=${propertySeed} FUZZ_RUNS=${runs} finds it again`;
    const statuses = new Set<number>();
    const warmUpRuns = Math.floor(runs / 2);
    let [nextIndex, heapAfterWarmUp] = [0, 0];
    const work = async (): Promise<void> => {
      for (let burst = bursts[nextIndex]; burst !== undefined; burst = bursts[nextIndex]) {
        const index = nextIndex;
        nextIndex += 1;
        if (index === warmUpRuns) heapAfterWarmUp = heapSize();
        const { bytes, isAborted } = burst;
        const text = await Promise.race([
          sendBytes(mock.url, bytes, { abort: isAborted }),
          wait(timeoutMs, undefined, { ref: false }),
        ]);
        expect(
          text,
          `Connection ${index} hung. ${repeatAdvice}.\n${bytes.toString("latin1").slice(0, 500)}`,
        ).toBeDefined();
        for (const [, status] of text?.matchAll(/HTTP\/1\.1 (\d{3}) /g) ?? []) {
          statuses.add(Number(status));
        }
      }
    };
    await Promise.all(Array.from({ length: connectionsAtOnce }, work));

    expect(failures, `${failures.slice(0, 3).join("; ")}. ${repeatAdvice}.`).toEqual([]);
    expect(Math.max(...statuses), repeatAdvice).toBeLessThan(500);
    expect((await fetch(`${mock.url}/__mock/health`)).status).toBe(200);
    const heapGrowth = heapSize() - heapAfterWarmUp;
    expect(heapGrowth, `The second half took ${heapGrowth.toFixed(1)} MiB. ${repeatAdvice}.`).toBeLessThan(
      maxHeapGrowth,
    );
  },
  60_000 + runs * 30,
);
