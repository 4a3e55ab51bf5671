/** Measures the stateful mock: start from a journal, memory after many reads, and processor time with many open locks. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { table } from "./figures.ts";
import { cpuOf, mockCommand, type Server, send, startServer } from "./mock.ts";

/** @param effort fraction of the full number of requests. */
export async function measureState(folder: string, effort: number): Promise<string> {
  const file = join(folder, "state");
  const entries = Math.round(100_000 * effort);
  const keeping = await startServer([...mockCommand, "--state", file]);
  const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);
  for (const user of users)
    await post(keeping, `/__mock/users/${user}`, { extended: true, funds: { eur: "100000.00" } });
  await inParallel(entries, async (number) => {
    const [sourceExternalUserId, destinationExternalUserId] = [users[number % 20], users[(number + 1) % 20]];
    const body = { sourceExternalUserId, destinationExternalUserId, amount: "0.01", currency: "eur" };
    await post(keeping, "/v1/transfer", body);
  });
  await post(keeping, "/__mock/settle");
  await keeping.program.kill();
  const startedAt = performance.now();
  const again = await startServer([...mockCommand, "--state", file]);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (await cpuOf(again)) / 1e6;
  await again.program.kill();

  const fresh = await startServer([...mockCommand, "--edition", "test", "--clock", "2026-03-10T09:00:00Z"]);
  await post(fresh, "/__mock/users/user-1", { extended: true, funds: { eur: "1000.00" } });
  const reads = Math.round(1_000_000 * effort);
  const read = () => get(fresh, "/v1/user/balances/user-1");
  await inParallel(reads / 10, read);
  const memory = [memoryOf(fresh)];
  await inParallel(reads, read);
  memory.push(memoryOf(fresh));

  const lock = () =>
    get(fresh, "/v1/exchange/get-lock?externalUserId=user-1&currencyFrom=eur&currencyTo=usdc&amount=1");
  const open = Math.round(60_000 * effort);
  await inParallel(2000, lock);
  const before = await spentOn(fresh, 2000, lock);
  await inParallel(open, lock);
  const after = await spentOn(fresh, 2000, lock);
  await fresh.program.kill();
  const [start, locks] = [
    `${seconds.toFixed(2)} s, CPU ${cpu.toFixed(2)} s`,
    [before, after].map((us) => us.toFixed(0)),
  ];
  const rows = [
    ["start after so many calls that change something", String(entries), start],
    ["size of the journal", "", `${(statSync(file).size / 1e6).toFixed(0)} MB`],
    ["memory before and after so many reads, MB", String(reads), memory.join(", ")],
    ["CPU for a lock before and after so many open ones, µs", String(open), locks.join(", ")],
  ];
  return table([["State of the mock", "times", "measured"], ...rows]);
}

async function spentOn(server: Server, times: number, work: () => Promise<void>): Promise<number> {
  const before = await cpuOf(server);
  await inParallel(times, work);
  return ((await cpuOf(server)) - before) / times;
}

/** Resident memory in megabytes; Linux only. */
function memoryOf({ program }: Server): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1000);
}

async function inParallel(times: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const loop = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, loop));
}

const get = (server: Server, path: string) => send(server, { method: "GET", path });
const post = (server: Server, path: string, body?: object) =>
  send(server, { method: "POST", path, ...(body && { body }) });
