import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { build } from "esbuild";
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
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import { type RunningMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type PostgresServer, skipsPostgres, startPostgres } from "./postgres-server.ts";

const payouts = 60;
const folder = temporaryFolder();
/** Bundled to start fast, because the worker is started and killed many times. */
const worker = join(folder, "worker.mjs");
const kills = Number(process.env.PAYMENTS_KILLS ?? 40);
const processes = 8;

async function migrate(query: Query): Promise<void> {
  for (const statement of paymentsSql) await query(statement, []);
}

it("passes the conformance check with PGlite", { timeout: 60_000 }, async () => {
  const db = new PGlite();
  const query: Query = async (text, values) => (await db.query(text, values)).rows;
  await migrate(query);
  await migrate(query);
  await checkPaymentStore(() => createPostgresStore(query));
  await db.close();
});

async function runKilled(mock: RunningMock, store: readonly string[], open: () => PaymentStore): Promise<object> {
  const start = () =>
    spawn(process.execPath, [worker, mock.url, String(payouts), ...store], { stdio: ["ignore", "pipe", "ignore"] });
  let killed = 0;
  const hasPrinted = (child: ChildProcess, word: string) =>
    new Promise<boolean>((resolve) => {
      child.stdout?.on("data", (text: Buffer) => text.includes(word) && resolve(true));
      child.once("exit", () => resolve(false));
    });
  const ended = async (child: ChildProcess) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  const killer = async () => {
    while (killed < kills) {
      const child = start();
      if (await hasPrinted(child, "begun")) {
        await wait(Math.random() * 250);
        if (child.kill("SIGKILL")) killed += 1;
      }
      await ended(child);
    }
  };
  await Promise.all(Array.from({ length: processes }, killer));
  // Longer than a call and a hold-up of a killed process.
  for (const pause of [11_500, 0]) {
    await wait(pause);
    const child = start();
    expect(await hasPrinted(child, "done")).toBe(true);
    await ended(child);
  }
  const kept = open();
  const wrong: object[] = [];
  const states: Record<string, number> = {};
  const made = await madeIn(mock);
  for (let number = 1; number <= payouts; number += 1) {
    const state = (await kept.read(`payout-${number}`))?.state ?? "none";
    states[state] = (states[state] ?? 0) + 1;
    const times = made.get(number) ?? 0;
    const isRight = times === 1 ? ["accepted", "succeeded"].includes(state) : times === 0 && state === "unclear";
    if (!isRight) wrong.push({ number, state, times });
  }
  await kept.close?.();
  console.log(store[0], { killed, ...states });
  return { wrong };
}

async function madeIn(mock: RunningMock): Promise<Map<number, number>> {
  const client = createPartnerClient({ baseUrl: mock.url, apiKey: mock.apiKey });
  const found = new Map<number, number>();
  const [year = "", month = ""] = new Date().toISOString().split("-");
  for (const { externalUserId } of mock.users.list) {
    const records = unwrap(await client.getUserTransactionHistory({ path: { externalUserId, year, month } }));
    for (const { amount = 0 } of records) found.set(amount, (found.get(amount) ?? 0) + 1);
  }
  return found;
}

describe("eight processes at once, killed again and again", () => {
  let mock: RunningMock;
  beforeAll(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, "worker.ts")],
      outfile: worker,
      tsconfig: `${projectRoot}/tsconfig.json`,
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["pg-native", "libsql"],
      // pg is a CommonJS package, so the bundle needs `require`.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
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

    it("passes the conformance check", async () => {
      await migrate(query);
      await checkPaymentStore(() => createPostgresStore(query));
      await query("drop table partner_wallet_payments_2", []);
    });

    it("pay nothing twice and lose nothing", { timeout: 900_000 }, async () => {
      await migrate(query);
      const store = ["postgres", JSON.stringify(server.connection)];
      expect(await runKilled(mock, store, () => createPostgresStore(query))).toEqual({ wrong: [] });
    });
  });
});
