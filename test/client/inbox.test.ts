import { EventEmitter } from "node:events";
import Database from "libsql";
import {
  createPostgresInbox,
  createSqliteInbox,
  createWebhookHandler,
  type PostgresPool,
  type WebhookHandlerOptions,
} from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";

const id = "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63";
const event = {
  id,
  sourceExternalUserId: null,
  destinationExternalUserId: "user-1",
  amount: "10.00",
  currency: "eur",
  status: "SUCCESSFUL",
  createdAt: "2026-04-10T07:00:00.000Z",
};
type Options = WebhookHandlerOptions<Record<string, unknown>>;

function handlerWith(otherOptions: object) {
  const errors: string[] = [];
  const options = { authorization: "t", otherwise: "acknowledge", nonconforming: "reject", on: {} };
  const onError = (error: unknown) => errors.push(String(error));
  const handle = createWebhookHandler({ ...options, onError, ...otherOptions } as Options as never);
  const deliver = async () => {
    const init = { method: "POST", headers: { authorization: "t" }, body: JSON.stringify(event) };
    return (await handle(new Request("http://127.0.0.1/transfer-webhook", init))).status;
  };
  return { deliver, errors };
}

describe("an inbox in SQLite", () => {
  function openInbox() {
    const database = new Database(":memory:");
    database.exec("create table effects (name text)");
    const countEffects = () => (database.prepare("select count(*) as n from effects").all()[0] as { n: number }).n;
    return { inbox: createSqliteInbox(database as never), countEffects };
  }

  it("commits the event and its effect together, once for two deliveries", async () => {
    const { inbox, countEffects } = openInbox();
    const p2pTransfer = (_: unknown, { sql }: { sql: (text: string, values: string[]) => unknown }) => {
      sql("insert into effects values ($1)", ["paid"]);
    };
    const { deliver } = handlerWith({ inbox, on: { p2pTransfer } });
    expect([await deliver(), await deliver(), countEffects()]).toEqual([200, 200, 1]);
  });

  it("executes a statement that returns no rows with better-sqlite3, whose `all` throws for it", async () => {
    const database = new Database(":memory:");
    const prepare = (text: string) => {
      const statement = database.prepare(text);
      const reader = /^select|returning/i.test(text);
      const all = (...values: unknown[]) => {
        if (!reader) throw new TypeError("This statement does not return data. Use run() instead");
        return statement.all(...values);
      };
      return { reader, all, run: (...values: unknown[]) => statement.run(...values) };
    };
    const inbox = createSqliteInbox({ prepare, exec: (text: string) => database.exec(text) });
    const rows: unknown[] = [];
    const p2pTransfer = (_: unknown, { sql }: { sql: (text: string, values?: string[]) => unknown[] }) => {
      rows.push(sql("create table effects (name text)"), sql("insert into effects values ($1)", ["paid"]));
      rows.push(sql("select name from effects"));
    };
    const { deliver } = handlerWith({ inbox, on: { p2pTransfer } });
    expect([await deliver(), rows]).toEqual([200, [[], [], [{ name: "paid" }]]]);
  });

  it("undoes the effect of a function that throws, or that returns a promise, and takes the event again", async () => {
    const { inbox, countEffects } = openInbox();
    let callCount = 0;
    const p2pTransfer = (_: unknown, { sql }: { sql: (text: string) => unknown }) => {
      sql("insert into effects values ('paid')");
      callCount += 1;
      if (callCount === 1) throw new Error("full");
      return callCount === 2 ? Promise.resolve() : undefined;
    };
    const { deliver, errors } = handlerWith({ inbox, on: { p2pTransfer } });
    expect([await deliver(), await deliver(), countEffects()]).toEqual([500, 500, 0]);
    expect(errors).toEqual(["Error: full", expect.stringContaining("must not return a promise")]);
    expect([await deliver(), countEffects()]).toEqual([200, 1]);
  });

  it("reports the error of the function even if the transaction has already ended", async () => {
    const { inbox } = openInbox();
    const p2pTransfer = (_: unknown, { sql }: { sql: (text: string) => unknown }) => {
      sql("insert or rollback into partner_wallet_events values ('other', null)");
    };
    const { deliver, errors } = handlerWith({ inbox, on: { p2pTransfer } });
    expect([await deliver(), errors]).toEqual([500, [expect.stringContaining("NOT NULL")]]);
  });

  it("executes no statement after SQLite has undone the transaction, also if the function caught the error", async () => {
    const { inbox, countEffects } = openInbox();
    const p2pTransfer = (_: unknown, { sql }: { sql: (text: string) => unknown }) => {
      try {
        sql("insert or rollback into partner_wallet_events values ('other', null)");
      } catch {
        sql("insert into effects values ('paid')");
      }
    };
    const { deliver, errors } = handlerWith({ inbox, on: { p2pTransfer } });
    expect([await deliver(), await deliver(), countEffects()]).toEqual([500, 500, 0]);
    expect(errors).toEqual(Array(2).fill("TypeError: A statement of context.sql failed: SQLite undid all."));
  });

  it("continues after an error that undid only one statement", async () => {
    const { inbox, countEffects } = openInbox();
    const p2pTransfer = (_: unknown, { sql }: { sql: (text: string) => unknown }) => {
      expect(() => sql("insert into partner_wallet_events values ('other', null)")).toThrow("NOT NULL");
      sql("insert into effects values ('paid')");
    };
    const { deliver } = handlerWith({ inbox, on: { p2pTransfer } });
    expect([await deliver(), await deliver(), countEffects()]).toEqual([200, 200, 1]);
  });

  it.each<[string, string, (string | number)[], unknown]>([
    ["in any order", "select $2 as a, $1 as b", ["x", "y"], { a: "y", b: "x" }],
    ["several times", "select $1 as a, $1 || $2 as b", ["x", "y"], { a: "x", b: "xy" }],
    [
      "not in texts, names and comments",
      "select '$2''$3' as a, $1 as \"$4\" /* $5\n */ -- $6",
      ["x"],
      { a: "$2'$3", $4: "x" },
    ],
    ["not within names", "select a$1 as a, $1 as b from (select 1 as a$1)", ["x"], { a: 1, b: "x" }],
    ["up to the tenth", "select $10 as a, $1 as b", [..."abcdefghij"], { a: "j", b: "a" }],
  ])("binds placeholders %s", async (_name, text, values, row) => {
    const { inbox } = openInbox();
    const rows: unknown[] = [];
    expect(await inbox.take(undefined, (sql) => rows.push(...(sql(text, values) as unknown[])))).toBe(true);
    expect(rows).toEqual([row]);
  });

  it.each([[["x"]], [["x", "y", "z"]]])("refuses the values %j of two placeholders", async (values) => {
    const { inbox } = openInbox();
    const work = inbox.take("k", (sql) => sql("select $1, $2", values));
    await expect(work).rejects.toThrow(`The last placeholder is $2, for ${values.length} values.`);
  });

  it("executes no statement of an asynchronous function after its transaction has ended", async () => {
    const { inbox, countEffects } = openInbox();
    const lateResults: unknown[] = [];
    const p2pTransfer = async (_: unknown, { sql }: { sql: (text: string) => unknown }) => {
      sql("insert into effects values ('at once')");
      await undefined;
      try {
        sql("insert into effects values ('later')");
      } catch (error) {
        lateResults.push(error);
      }
    };
    const { deliver } = handlerWith({ inbox, on: { p2pTransfer } });
    expect([await deliver(), countEffects(), String(lateResults)]).toEqual([
      500,
      0,
      expect.stringContaining("after its event"),
    ]);
  });
});

describe("an inbox in Postgres", () => {
  function makePool(failingStatement?: string, isAborted = false) {
    const log: string[] = [];
    const keys = new Set<unknown>();
    const pool: PostgresPool = {
      connect: async () => ({
        async query(text, values = []) {
          log.push(text.replace(/ .*/s, ""));
          if (text === failingStatement) throw new Error(`${text} failed`);
          const isNew = /partner_wallet_events/.test(text) && !keys.has(values[0]);
          if (isNew) keys.add(values[0]);
          if (text === "commit" && isAborted) return { rows: [], command: "ROLLBACK" };
          return { rows: isNew ? [{}] : [] };
        },
        release: (error) => log.push(error === undefined ? "released" : "dropped"),
      }),
    };
    return { pool, log };
  }

  it("commits an event once, each delivery on a connection of its own", async () => {
    const { pool, log } = makePool();
    let lateSql: unknown;
    const p2pTransfer = async (_: unknown, { sql }: { sql: (text: string) => unknown }) => {
      await sql("update accounts");
      await sql("update accounts");
      lateSql = sql;
    };
    const { deliver } = handlerWith({ inbox: createPostgresInbox(pool), on: { p2pTransfer } });
    expect([await deliver(), await deliver()]).toEqual([200, 200]);
    const firstDelivery = ["begin", "insert", "update", "update", "commit", "released"];
    expect(log).toEqual([...firstDelivery, "begin", "insert", "commit", "released"]);
    await expect((lateSql as (text: string) => Promise<unknown>)("update")).rejects.toThrow("after its event");
  });

  it("survives the error that pg emits when a connection is lost, and leaves no listener", async () => {
    const connection = new EventEmitter();
    const query = async () => ({ rows: [{}] });
    const release = () => {};
    const pool: PostgresPool = { connect: async () => Object.assign(connection, { query, release }) };
    const p2pTransfer = () => void connection.emit("error", new Error("lost"));
    const { deliver, errors } = handlerWith({ inbox: createPostgresInbox(pool), on: { p2pTransfer } });
    expect([await deliver(), errors, connection.listenerCount("error")]).toEqual([200, [], 0]);
  });

  it("returns the rows of a statement, and executes none after the function has failed", async () => {
    const { pool } = makePool();
    const results: unknown[] = [];
    let lateSql: unknown;
    const p2pTransfer = async (_: unknown, { sql }: { sql: (text: string) => unknown }) => {
      lateSql = sql;
      results.push(await sql("update accounts"));
      throw new Error("full");
    };
    const { deliver } = handlerWith({ inbox: createPostgresInbox(pool), on: { p2pTransfer } });
    expect([await deliver(), results]).toEqual([500, [[]]]);
    await expect((lateSql as (text: string) => Promise<unknown>)("update")).rejects.toThrow("after its event");
  });

  it.each([
    ["commit", ["begin", "insert", "commit", "rollback", "released"]],
    ["begin", ["begin", "rollback", "released"]],
  ])("answers 500 when %s fails", async (statement, expected) => {
    const { pool, log } = makePool(statement);
    const { deliver } = handlerWith({ inbox: createPostgresInbox(pool), on: { p2pTransfer: async () => {} } });
    expect([await deliver(), log]).toEqual([500, expected]);
  });

  it("answers 500 when a function has caught the error of a statement, so that Postgres undoes the transaction at its commit", async () => {
    const { pool, log } = makePool(undefined, true);
    const { deliver, errors } = handlerWith({ inbox: createPostgresInbox(pool), on: { p2pTransfer: async () => {} } });
    expect([await deliver(), log.slice(0, 3)]).toEqual([500, ["begin", "insert", "commit"]]);
    expect(errors).toEqual([expect.stringContaining("savepoint")]);
  });
});

it.each<[object, string]>([
  [{ inbox: {} }, "inbox must be createPostgresInbox(pool) or createSqliteInbox(database)"],
  [{ inbox: { take: () => {} }, dedupe: false }, "inbox takes the place of dedupe"],
  [{ inbox: { take: () => {} }, acknowledge: "first" }, "inbox acknowledges after the commit"],
])("refuses the options %j", (options, message) => {
  expect(() => handlerWith(options)).toThrow(message);
});

it("is made from a pool, or from a database", () => {
  expect(() => createPostgresInbox({} as never)).toThrow("takes a pg pool");
  expect(() => createSqliteInbox({} as never)).toThrow("takes a SQLite database");
});
