/**
 * `npm run bench:payments` measures payments per second, 16 at a time, with SQLite and with Postgres in three processes, and plain calls per
 * second for comparison; and the time in which SQLite finds 100 open payments among 1,000,000.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Database from "libsql";
import { createPartnerClient, toDecimal } from "partner-wallet-api";
import {
  createPayments,
  createPostgresStore,
  createSqliteStore,
  type PaymentStore,
  paymentsSql,
  type SqliteDatabase,
} from "partner-wallet-api/payments";
import pg from "pg";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { withTemporaryFolder } from "../../../scripts/tools/verify/processes.ts";
import { startPostgres } from "../payments/postgres-server.ts";

const paymentsAtOnce = 16;
const total = 1200;
const users = 400;

const [url = "", first = "0", count = "0", kind = "", where = ""] = process.argv.slice(2);
await (url === "" ? measure() : runPart());

/** Makes calls or payments in a separate process, after the message "start". */
async function runPart(): Promise<void> {
  const client = createPartnerClient({ baseUrl: url, apiKey: "mock-key" });
  const pool = kind === "postgres" ? new pg.Pool({ ...JSON.parse(where), max: paymentsAtOnce }) : undefined;
  const store: PaymentStore | undefined = pool
    ? createPostgresStore((text, values) => pool.query(text, values).then(({ rows }) => rows))
    : kind === "sqlite"
      ? createSqliteStore(new Database(where) as unknown as SqliteDatabase)
      : undefined;
  const payments = store && createPayments({ client, store });
  const make = async (number: number): Promise<void> => {
    // Few payments are equal, because a payment must wait while an equal payment has an unclear outcome.
    const amount = toDecimal(`${1 + Math.floor(number / users)}.${10 + (number % 7)}`);
    const money = { amount, currency: "eur" };
    const user = `user-${number % users}`;
    const paymentPromise = payments
      ? (await payments.fund({ ...money, user, reference: `r-${number}` })).state === "accepted"
      : (await client.createTransfer({ body: { ...money, destinationExternalUserId: user } })).error === undefined;
    if (!paymentPromise) throw new Error(`Payment ${number} was not made.`);
  };
  await make(Number(first));
  process.send?.("ready");
  await once(process, "message");
  let next = Number(first) + 1;
  const worker = async () => {
    while (next < Number(first) + Number(count)) {
      next += 1;
      await make(next - 1);
    }
  };
  await Promise.all(Array.from({ length: paymentsAtOnce }, worker));
  await pool?.end();
  process.send?.("done");
  process.disconnect?.();
}

/** @returns the payments per second of all processes together. */
async function measurePerSecond(mockUrl: string, from: number, processes: number, ...store: string[]): Promise<number> {
  const part = total / processes;
  const children = Array.from({ length: processes }, (_, index) =>
    fork(import.meta.filename, [mockUrl, String(from + index * part), String(part), ...store]),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  const startedAt = performance.now();
  for (const child of children) child.send("start");
  await Promise.all(children.map((child) => once(child, "message")));
  return (1000 * total) / (performance.now() - startedAt);
}

async function measure(): Promise<void> {
  const mock = await startMock(await loadPlan());
  for (let user = 0; user < users; user += 1) mock.users.create(`user-${user}`, { verified: true });
  mock.partner.fund({ eur: "10000000.00" });
  const postgres = await startPostgres();
  const pool = new pg.Pool({ ...postgres.connection, max: 1 });
  for (const statement of paymentsSql) await pool.query(statement);
  await withTemporaryFolder("payments-", async (folder) => {
    const stores: [name: string, processes: number, ...store: string[]][] = [
      ["SQLite, one process", 1, "sqlite", join(folder, "payments.db")],
      ["Postgres, three processes", 3, "postgres", JSON.stringify(postgres.connection)],
    ];
    let from = 0;
    for (const [name, processes, ...store] of stores) {
      const plainCalls = await measurePerSecond(mock.url, from, processes);
      const paidPerSecond = await measurePerSecond(mock.url, from + total, processes, ...store);
      from += 2 * total;
      console.log(
        `${name}: ${Math.round(paidPerSecond)} payments a second, ${(paidPerSecond / plainCalls).toFixed(2)} of the plain calls`,
      );
    }
    await measureOpen(join(folder, "million.db"));
  });
  await pool.end();
  await postgres.stop();
  await mock.close();
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
