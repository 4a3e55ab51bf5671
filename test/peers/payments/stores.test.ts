import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import Database from "libsql";
import { createPartnerClient, unwrap } from "partner-wallet-api";
import {
  checkPaymentStore,
  createPostgresStore,
  createSqliteStore,
  type PaymentStore,
  paymentsSql,
  type Query,
  type SqliteDatabase,
} from "partner-wallet-api/payments";
import { createPostgresInbox, inboxSql } from "partner-wallet-api/webhooks";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { bundleProgram } from "../bundle-program.ts";
import { Worker } from "./killed.ts";
import { type PostgresServer, skipsPostgres, startPostgres } from "./postgres-server.ts";

const payoutCount = 60;
const folder = temporaryFolder();
let workerFile: string;

async function migrate(query: Query): Promise<void> {
  for (const statement of paymentsSql) await query(statement, []);
}

it("passes the conformance check with PGlite", { timeout: 60_000 }, async () => {
  const database = new PGlite();
  const query: Query = async (text, values) => (await database.query(text, values)).rows;
  await migrate(query);
  await migrate(query);
  await checkPaymentStore(() => createPostgresStore(query));
  await database.close();
});

async function runKilled(mock: RunningMock, store: readonly string[], open: () => PaymentStore): Promise<object> {
  const program = new Worker(workerFile, mock.url, String(payoutCount), ...store);
  const killedCount = await program.killRepeatedly({ processCount: 8, withinMs: 250 });
  // The first pause is longer than a call, and longer than a killed process can delay other processes.
  for (const pause of [11_500, 0]) {
    await wait(pause);
    await program.finish();
  }
  const reopenedPayments = open();
  const wrongPayments: object[] = [];
  const states: Record<string, number> = {};
  const recordCounts = await countRecordsByAmount(mock);
  for (let number = 1; number <= payoutCount; number += 1) {
    const state = (await reopenedPayments.read(`payout-${number}`))?.state ?? "none";
    states[state] = (states[state] ?? 0) + 1;
    const recordCount = recordCounts.get(number) ?? 0;
    const isRight =
      recordCount === 1 ? ["accepted", "succeeded"].includes(state) : recordCount === 0 && state === "unclear";
    if (!isRight) wrongPayments.push({ number, state, recordCount });
  }
  await reopenedPayments.close?.();
  console.log(store[0], { killedCount, ...states });
  return { wrong: wrongPayments };
}

/** Kills receivers of events, lets one finish, and expects exactly one effect of each event, also of those acknowledged before a kill. */
async function expectOneEffect(store: readonly string[], query: (text: string) => unknown): Promise<void> {
  const program = new Worker(await bundleProgram(join(import.meta.dirname, "inbox-worker.ts")), "300", ...store);
  const killedCount = await program.killRepeatedly({ processCount: 4, withinMs: 150 });
  await program.finish();
  const rows = (await query("select name, count(*) as n from effects group by name")) as { name: string; n: unknown }[];
  const effects = new Map(rows.map(({ name, n }) => [name, Number(n)]));
  const acknowledgedIds = new Set(program.printedText.match(/(?<=acknowledged )\S{36}/g));
  console.log("inbox", store[0], { killedCount, effects: effects.size });
  expect([...acknowledgedIds].filter((name) => !effects.has(name))).toEqual([]);
  expect([...effects].filter(([, n]) => n !== 1)).toEqual([]);
  expect(effects.size).toBe(300);
}

async function countRecordsByAmount(mock: RunningMock): Promise<Map<number, number>> {
  const client = createPartnerClient({ baseUrl: mock.url, apiKey: mock.apiKey });
  const counts = new Map<number, number>();
  const [year = "", month = ""] = new Date().toISOString().split("-");
  for (const { externalUserId } of mock.users.list) {
    const records = unwrap(await client.getUserTransactionHistory({ path: { externalUserId, year, month } }));
    for (const { amount = 0 } of records) counts.set(amount, (counts.get(amount) ?? 0) + 1);
  }
  return counts;
}

describe("eight processes at once, killed again and again", () => {
  let mock: RunningMock;
  beforeAll(async () => {
    workerFile = await bundleProgram(join(import.meta.dirname, "worker.ts"));
  });
  beforeEach(async () => {
    mock = await startMock(plan);
    for (let user = 0; user < 10; user += 1) mock.users.create(`user-${user}`, { verified: true });
    mock.partner.fund({ eur: "100000.00" });
    mock.faults.add({ operation: "createTransfer", lose: "response", rate: 0.3 });
  });
  afterEach(() => mock.close());

  it("pay nothing twice and lose nothing with one SQLite file", { timeout: 900_000 }, async () => {
    const path = join(folder, "payments.db");
    const open = () => createSqliteStore(new Database(path) as unknown as SqliteDatabase);
    expect(await runKilled(mock, ["sqlite", path], open)).toEqual({ wrong: [] });
  });

  it("have each effect of an event once, with an inbox in SQLite", { timeout: 900_000 }, async () => {
    const path = join(folder, "inbox.db");
    const database = new Database(path);
    for (const sql of ["pragma journal_mode = wal", "create table effects (name text)"]) database.exec(sql);
    await expectOneEffect(["sqlite", path], (text) => database.prepare(text).all());
  });

  describe.skipIf(skipsPostgres)("with one Postgres", () => {
    let server: PostgresServer;
    let pool: pg.Pool;
    beforeAll(async () => {
      server = await startPostgres();
      pool = new pg.Pool({ ...server.connection, max: 10 });
    }, 60_000);
    afterAll(async () => {
      await pool.end();
      await server.stop();
    });
    const query: Query = async (text, values) => (await pool.query(text, values)).rows;

    const runPrepared: Query = async (text, values) => (await pool.query({ name: text.slice(-63), text, values })).rows;

    it.each(["plain", "prepared"])("passes the conformance check with %s statements", async (kind) => {
      await migrate(query);
      await checkPaymentStore(() => createPostgresStore(kind === "plain" ? query : runPrepared));
      await query("drop table partner_wallet_payments_2", []);
    });

    it("pay nothing twice and lose nothing", { timeout: 900_000 }, async () => {
      await migrate(query);
      const store = ["postgres", JSON.stringify(server.connection)];
      expect(await runKilled(mock, store, () => createPostgresStore(query))).toEqual({ wrong: [] });
    });

    it("does not acknowledge an event whose function caught the error of a statement", async () => {
      for (const text of [inboxSql, "create table ledger (name text primary key)"]) await query(text, []);
      const inbox = createPostgresInbox(pool);
      const insert = "insert into ledger values ('transfer')";
      const takeResult = inbox.take("swallowed", async (sql) => {
        await sql(insert);
        await Promise.resolve(sql(insert)).catch(() => {});
      });
      await expect(takeResult).rejects.toThrow("savepoint");
      expect([await query("select * from ledger", []), await query("select * from partner_wallet_events", [])]).toEqual(
        [[], []],
      );
      await query("drop table partner_wallet_events", []);
    });

    it("have each effect of an event once, with an inbox", { timeout: 900_000 }, async () => {
      for (const text of [inboxSql, "create table effects (name text)"]) await query(text, []);
      await expectOneEffect(["postgres", JSON.stringify(server.connection)], (text) => query(text, []));
    });
  });
});
