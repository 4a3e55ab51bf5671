/** Measures the mock's state: start from a journal, memory after many reads, and many open locks. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, UsageError } from "../../contract/model/index.ts";
import { table } from "./figures.ts";
import { cpuOf, type Server, startServer } from "./mock.ts";

/**
 * Measures the built mock.
 *
 * @param folder absolute path of an empty folder.
 * @param effort fraction of the usual number of requests.
 * @throws {UsageError} when a response is wrong.
 */
export async function measureState(folder: string, effort: number): Promise<string> {
  const file = join(folder, "state");
  const args = [
    join(projectRoot, "dist/mock/partner-wallet-mock.cjs"),
    "mock",
    "--port",
    "0",
    "--deposit-port",
    "0",
    "--quiet",
  ];
  const entries = Math.round(100_000 * effort);
  const keeping = await startServer([...args, "--state", file]);
  const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);
  for (const user of users)
    await post(keeping, `/__mock/users/${user}`, { extended: true, funds: { eur: "100000.00" } });
  await inParallel(entries, async (number) => {
    const [sourceExternalUserId, destinationExternalUserId] = [users[number % 20], users[(number + 1) % 20]];
    await post(keeping, "/v1/transfer", {
      sourceExternalUserId,
      destinationExternalUserId,
      amount: "0.01",
      currency: "eur",
    });
  });
  await post(keeping, "/__mock/settle");
  await keeping.program.kill();
  const startedAt = performance.now();
  const again = await startServer([...args, "--state", file]);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (await cpuOf(again)) / 1e6;
  await again.program.kill();

  const fresh = await startServer([...args, "--edition", "test", "--clock", "2026-03-10T09:00:00Z"]);
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
  const rows = [
    [
      "start after so many calls that change something",
      String(entries),
      `${seconds.toFixed(2)} s, CPU ${cpu.toFixed(2)} s`,
    ],
    ["size of the journal", "", `${(statSync(file).size / 1e6).toFixed(0)} MB`],
    ["memory before and after so many reads", String(reads), memory.map((bytes) => `${bytes} MB`).join(", ")],
    [
      "CPU for a lock before and after so many open ones",
      String(open),
      `${before.toFixed(0)} µs, ${after.toFixed(0)} µs`,
    ],
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

const headers = { "x-api-key": "bench-key", "content-type": "application/json" };

async function get({ origin }: Server, path: string): Promise<void> {
  await check(path, await fetch(`${origin}${path}`, { headers }));
}

async function post({ origin }: Server, path: string, body?: object): Promise<void> {
  const text = body === undefined ? null : JSON.stringify(body);
  await check(path, await fetch(`${origin}${path}`, { method: "POST", headers, body: text }));
}

async function check(path: string, response: Response): Promise<void> {
  const text = await response.text();
  if (!response.ok) throw new UsageError(`${path} was answered with ${response.status} ${text}`);
}
