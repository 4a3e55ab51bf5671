import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Database from "libsql";
import { createSqliteStore, paymentsSql, type SqliteDatabase } from "partner-wallet-api/payments";
import pg from "pg";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { withTemporaryFolder } from "../../../scripts/tools/processes/index.ts";
import { startPostgres } from "../payments/postgres-server.ts";
import { type Load, type Round, type RoundResult, userCount } from "./payment-load.ts";

const rounds = 6;
const paymentsInRound = 600;

interface Figures {
  readonly perSecond: number;
  readonly cpuMsPerPayment: number;
}

type Kind = "plain calls" | "calls of a payment" | "payments";

/** No two payments of a run have the same number, in any process. */
let nextNumber = 0;

/**
 * Measures plain calls, the calls of payments, and payments, in turns, so that a slow machine affects all of them. The first round is a
 * warm-up.
 */
async function measureInTurns(
  mockUrl: string,
  processCount: number,
  paymentLoad: Load,
): Promise<Readonly<Record<Kind, Figures>>> {
  const loads: readonly [Kind, Load][] = [
    ["plain calls", { kind: "plain calls" }],
    ["calls of a payment", { kind: "calls of a payment" }],
    ["payments", paymentLoad],
  ];
  const groups: { kind: Kind; children: ChildProcess[]; elapsedMs: number; cpuMs: number }[] = [];
  try {
    for (const [kind, load] of loads) {
      const children = await startChildren(mockUrl, processCount, load);
      groups.push({ kind, children, elapsedMs: 0, cpuMs: 0 });
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const group of groups) {
        const startedAt = performance.now();
        const results = await runRound(group.children);
        if (round === 0) continue;
        group.elapsedMs += performance.now() - startedAt;
        for (const { cpuMs } of results) group.cpuMs += cpuMs;
      }
    }
  } finally {
    for (const { children } of groups) for (const child of children) child.kill();
  }
  const figures = groups.map(({ kind, elapsedMs, cpuMs }) => {
    const count = rounds * paymentsInRound;
    return [kind, { perSecond: (1000 * count) / elapsedMs, cpuMsPerPayment: cpuMs / count }] as const;
  });
  return Object.fromEntries(figures) as Record<Kind, Figures>;
}

async function startChildren(mockUrl: string, count: number, load: Load): Promise<ChildProcess[]> {
  const program = join(import.meta.dirname, "make-payments.ts");
  const children = Array.from({ length: count }, () => fork(program, [mockUrl, JSON.stringify(load)]));
  await Promise.all(children.map(nextMessage));
  return children;
}

function runRound(children: readonly ChildProcess[]): Promise<RoundResult[]> {
  const count = paymentsInRound / children.length;
  return Promise.all(
    children.map(async (child) => {
      const round: Round = { firstNumber: nextNumber, count };
      nextNumber += count;
      child.send(round);
      return (await nextMessage(child)) as RoundResult;
    }),
  );
}

/** @throws {Error} if the process ends before it sends a message, for example because a payment failed. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const failWhenEnded = () => ended.abort(new Error("A process ended before its payments were made."));
  child.once("exit", failWhenEnded);
  try {
    const [message] = await once(child, "message", { signal: ended.signal });
    return message;
  } finally {
    child.off("exit", failWhenEnded);
  }
}

export async function measurePayments(): Promise<void> {
  const mock = await startMock(await loadPlan());
  for (let user = 0; user < userCount; user += 1) mock.users.create(`user-${user}`, { verified: true });
  mock.partner.fund({ eur: "10000000.00" });
  const postgres = await startPostgres();
  const pool = new pg.Pool({ ...postgres.connection, max: 1 });
  for (const statement of paymentsSql) await pool.query(statement);
  await withTemporaryFolder("payments-", async (folder) => {
    const stores: [name: string, processCount: number, Load][] = [
      ["SQLite, one process", 1, { kind: "sqlite", location: join(folder, "payments.db") }],
      ["Postgres, three processes", 3, { kind: "postgres", location: JSON.stringify(postgres.connection) }],
    ];
    for (const [name, processCount, load] of stores) {
      console.log(`${name}: ${describe(await measureInTurns(mock.url, processCount, load))}`);
    }
    await measureOpen(join(folder, "million.db"));
  });
  await pool.end();
  await postgres.stop();
  await mock.close();
}

function describe({ payments, ...otherFigures }: Readonly<Record<Kind, Figures>>): string {
  const comparisons = Object.entries(otherFigures).map(([kind, { perSecond, cpuMsPerPayment }]) => {
    const ratio = (payments.perSecond / perSecond).toFixed(2);
    return `${ratio} of the ${kind} (${Math.round(perSecond)} a second, ${cpuMsPerPayment.toFixed(2)} ms)`;
  });
  const cpu = `${payments.cpuMsPerPayment.toFixed(2)} ms of processor time each`;
  return `${Math.round(payments.perSecond)} payments a second, ${cpu}; ${comparisons.join(", ")}`;
}

async function measureOpen(path: string): Promise<void> {
  const database = new Database(path);
  const store = createSqliteStore(database as unknown as SqliteDatabase);
  await store.open("", 1);
  database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000)
insert into partner_wallet_payments_2
select 'r-' || i, 3, iif(i % 10000 = 0, 'unclear', 'succeeded'), i % 10000 = 0, 0, 0, 0, null, null, null, 'id-' || i, '{}', 'w' from n`);
  const times: number[] = [];
  for (let run = 0; run < 21; run += 1) {
    const startedAt = performance.now();
    if ((await store.open("", 1000)).length !== 100) throw new Error("100 payments are open.");
    times.push(performance.now() - startedAt);
  }
  const median = times.sort((a, b) => a - b)[10] ?? 0;
  console.log(`SQLite: 100 open payments of 1,000,000 are found in ${median.toFixed(1)} ms`);
}
