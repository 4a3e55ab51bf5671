/**
 * Raw bytes on the port of a mock with state: mutated requests and none at all. No failure of the mock's own, no hang, no death,
 * no growth. FUZZ_RUNS and PROPERTY_SEED choose how many connections and which.
 */
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningMock, startMock } from "../../scripts/mock/mock.ts";
import type { RequestEntry } from "../../scripts/mock/server/server.ts";
import { loadPlan } from "../../scripts/plan/index.ts";
import { propertySeed } from "../support/property-seed.ts";
import { Chance } from "./chance.ts";
import { type Burst, burstOf } from "./fuzz-requests.ts";

const runs = Number(process.env.FUZZ_RUNS ?? 2000);

/** Connections at the same time. */
const width = 16;

/** How much more may be kept after the second half of the connections, in MiB: what valid requests have created, and no more. */
const most = 40;

/** Milliseconds in which everything that was sent has to be answered, or the connection closed. */
const patience = 5000;

let mock: RunningMock;
let failures: string[];
const { operations } = await loadPlan();
beforeAll(async () => {
  failures = [];
  const onRequest = ({ status, path, notes }: RequestEntry) => {
    const hasFailed = notes.some((note) => note.startsWith("The mock failed"));
    if (hasFailed || Number(status) >= 500) failures.push(`${path} ${status} ${notes.join(" ")}`);
  };
  const limits = { bodyTimeout: 1000, headersTimeout: 1000 };
  mock = await startMock(await loadPlan(), { edition: "test", onRequest }, limits);
});
afterAll(() => mock.close());

interface Outcome {
  /** Statuses of the answers. */
  readonly statuses: readonly number[];
  /** Whether nothing came within {@link patience}. */
  readonly hasHung: boolean;
}

/** Sends bytes, and waits until the other side has answered and closed. */
function exchange({ bytes, then }: Burst): Promise<Outcome> {
  return new Promise((resolve) => {
    let text = "";
    let hasHung = false;
    const socket = connect(Number(new URL(mock.url).port), "127.0.0.1", () => {
      socket.write(bytes, () => {
        if (then === "leave") socket.destroy();
        else if (then === "end") socket.end();
      });
    });
    const timer = setTimeout(() => {
      hasHung = true;
      socket.destroy();
    }, patience);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (then === "wait") socket.end();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ statuses, hasHung });
    });
  });
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What is kept, in MiB. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test(
  `${runs} connections with mutated requests and random bytes`,
  async () => {
    const chance = new Chance(propertySeed);
    const again = `PROPERTY_SEED=${propertySeed} FUZZ_RUNS=${runs} finds it again`;
    const counts = new Map<number, number>();
    const warm = Math.floor(runs / 2);
    let [next, half] = [0, 0];
    const work = async (): Promise<void> => {
      while (next < runs) {
        const number = next;
        next += 1;
        if (number === warm) half = heap();
        const burst = burstOf(chance, operations);
        const { statuses, hasHung } = await exchange(burst);
        expect(hasHung, `Connection ${number} hung. ${again}.\n${burst.bytes.toString("latin1").slice(0, 500)}`).toBe(
          false,
        );
        for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: width }, work));

    expect(failures, `${failures.slice(0, 3).join("; ")}. ${again}.`).toEqual([]);
    const ownFailures = [...counts.keys()].filter((status) => status >= 500);
    expect(ownFailures, again).toEqual([]);
    const health = await fetch(`${mock.url}/__mock/health`);
    expect(health.status).toBe(200);
    const { tenants } = (await health.json()) as { tenants: number };
    const grown = heap() - half;
    // What is kept is bounded: at most 1,000 worlds, and 1,000 requests of each.
    expect(grown, `The second half took ${grown.toFixed(1)} MiB. ${again}.`).toBeLessThan(most);
    const answers = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    if (process.env.FUZZ_RUNS !== undefined) {
      const rss = process.memoryUsage().rss / 2 ** 20;
      console.log(
        `${runs} connections, ${answers.join(", ")}; ${tenants} tenants; grown by ${grown.toFixed(1)} MiB; rss ${rss.toFixed(0)}`,
      );
    }
  },
  60_000 + runs * 30,
);
