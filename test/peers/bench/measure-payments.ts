import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Database from "libsql";
import { createSqliteStore, paymentsSql, type SqliteDatabase } from "partner-wallet-api/payments";
import pg from "pg";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { withTemporaryFolder } from "../../../scripts/tools/processes/index.ts";
import { startPostgres } from "../payments/postgres-server.ts";
import { paymentCount, userCount } from "./payment-load.ts";

/** @returns the payments per second of all processes together; without `store`, the plain calls per second. */
async function measurePerSecond(
  mockUrl: string,
  firstNumber: number,
  processCount: number,
  ...store: string[]
): Promise<number> {
  const countPerProcess = paymentCount / processCount;
  const children = Array.from({ length: processCount }, (_, index) =>
    fork(join(import.meta.dirname, "make-payments.ts"), [
      mockUrl,
      String(firstNumber + index * countPerProcess),
      String(countPerProcess),
      ...store,
    ]),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  const startedAt = performance.now();
  for (const child of children) child.send("start");
  await Promise.all(children.map((child) => once(child, "message")));
  return (1000 * paymentCount) / (performance.now() - startedAt);
}

export async function measurePayments(): Promise<void> {
  const mock = await startMock(await loadPlan());
  for (let user = 0; user < userCount; user += 1) mock.users.create(`user-${user}`, { verified: true });
  mock.partner.fund({ eur: "10000000.00" });
  const postgres = await startPostgres();
  const pool = new pg.Pool({ ...postgres.connection, max: 1 });
  for (const statement of paymentsSql) await pool.query(statement);
  await withTemporaryFolder("payments-", async (folder) => {
    const stores: [name: string, processCount: number, ...store: string[]][] = [
      ["SQLite, one process", 1, "sqlite", join(folder, "payments.db")],
      ["Postgres, three processes", 3, "postgres", JSON.stringify(postgres.connection)],
    ];
    let firstNumber = 0;
    for (const [name, processCount, ...store] of stores) {
      const callsPerSecond = await measurePerSecond(mock.url, firstNumber, processCount);
      const paidPerSecond = await measurePerSecond(mock.url, firstNumber + paymentCount, processCount, ...store);
      firstNumber += 2 * paymentCount;
      console.log(
        `${name}: ${Math.round(paidPerSecond)} payments a second, ${(paidPerSecond / callsPerSecond).toFixed(2)} of the plain calls`,
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
