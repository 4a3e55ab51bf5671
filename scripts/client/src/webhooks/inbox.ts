/** An inbox commits the key of an event and the statements of the partner's function in one transaction. */
import type { SqliteDatabase, SqliteStatement } from "../base/sqlite-database.ts";

type Rows = readonly Record<string, unknown>[];

/** Runs a statement in the transaction of the event. With SQLite, it returns the rows instead of a promise. */
export type EventSql = (text: string, values?: readonly (string | number | null)[]) => Rows | Promise<Rows>;

/** The inbox of a webhook handler: {@link createPostgresInbox} or {@link createSqliteInbox}. */
export interface EventInbox {
  /**
   * Runs `work` in a transaction that also stores `key`. Both are committed, or neither is. An event without a key is handled on every
   * delivery.
   *
   * @returns false when the key was stored before: `work` was not run.
   * @throws the error of `work` or of the database, after the transaction was rolled back.
   */
  take(key: string | undefined, work: (sql: EventSql) => unknown): Promise<boolean>;
}

/**
 * Statement that creates the table of an inbox if it does not exist. Old rows can be deleted when the service no longer repeats the
 * deliveries of their events.
 */
export const inboxSql: string =
  "create table if not exists partner_wallet_events (key text primary key, handled_at timestamp not null default current_timestamp)";

const insertSql = "insert into partner_wallet_events (key) values ($1) on conflict (key) do nothing returning key";

/** The methods of a `pg` pool that an inbox uses. */
export interface PostgresPool {
  connect(): Promise<{
    query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; command?: string }>;
    release(error?: Error | boolean): void;
    on?(event: "error", listener: (error: Error) => void): unknown;
    off?(event: "error", listener: (error: Error) => void): unknown;
  }>;
}

/**
 * Creates an inbox in PostgreSQL: the statements that a function runs with `context.sql` are committed together with the key of the event.
 * The response is 200 after the commit; otherwise it is 500, so that the service delivers the event again. When a function takes longer
 * than `handlerTimeoutMs`, the response is 500 too, but the transaction goes on; if it commits, the next delivery is acknowledged. If an
 * event with a key is delivered twice at the same time, the second delivery waits for the first. Create the table with {@link inboxSql}
 * first.
 *
 * @param pool a pool of `pg`. Each event uses one connection while it is being handled. If the function uses the pool too, for example by a
 * payment store, set `connectionTimeoutMillis`: otherwise as many events as the pool has connections wait for each other for ever.
 * @throws {TypeError} when `pool` is not a pool.
 */
export function createPostgresInbox(pool: PostgresPool): EventInbox {
  if (typeof pool?.connect !== "function") throw new TypeError("createPostgresInbox takes a pg pool.");
  return {
    async take(key, work) {
      const connection = await pool.connect();
      let isOpen = true;
      let connectionError: Error | undefined;
      // Without a listener, a lost connection would end the process. The next statement fails and reports the loss.
      const ignore = () => {};
      connection.on?.("error", ignore);
      const sql: EventSql = async (text, values = []) => {
        if (!isOpen) throw new TypeError(lateStatementText);
        return (await connection.query(text, [...values])).rows;
      };
      try {
        await connection.query("begin");
        // Waits if the transaction of another delivery of the event is still open.
        const isNew = key === undefined || (await connection.query(insertSql, [key])).rows.length > 0;
        if (isNew) await work(sql);
        isOpen = false;
        const { command } = await connection.query("commit");
        // If a statement failed, even if the function caught its error, Postgres rolls the transaction back and reports no error.
        if (command === "ROLLBACK") throw new TypeError(caughtErrorText);
        return isNew;
      } catch (error) {
        isOpen = false;
        await connection.query("rollback").catch((cause) => {
          connectionError = cause;
        });
        throw error;
      } finally {
        connection.off?.("error", ignore);
        connection.release(connectionError);
      }
    },
  };
}

/**
 * Creates an inbox and its table in SQLite, for synchronous functions. If a function returns a promise, the response is 500 and the
 * transaction is rolled back: if the transaction stayed open, a payment that is written meanwhile would block the process, or be rolled
 * back too. While another process holds the write lock, each delivery blocks this process for the busy timeout of the database, and then
 * gets the response 500: `pragma busy_timeout` sets it.
 *
 * @param database a database of `node:sqlite`, libsql, better-sqlite3 or `bun:sqlite`. A payment store may use the same database.
 * @throws {TypeError} when `database` is not a database. Errors of creating the table are thrown too.
 */
export function createSqliteInbox(database: Pick<SqliteDatabase, "prepare" | "exec">): EventInbox {
  if (typeof database?.prepare !== "function") throw new TypeError("createSqliteInbox takes a SQLite database.");
  database.exec(inboxSql);
  return {
    async take(key, work) {
      let problem: string | undefined;
      const sql: EventSql = (text, values = []) => {
        if (problem !== undefined) throw new TypeError(problem);
        try {
          return runStatement(database, text, values);
        } catch (error) {
          // After `raise(rollback)` or a full disk, SQLite has no transaction, and each later statement would be committed by itself.
          if (!isInTransaction(database)) problem = "A statement of context.sql failed: SQLite undid all.";
          throw error;
        }
      };
      database.exec("begin immediate");
      try {
        const isNew = key === undefined || (sql(insertSql, [key]) as Rows).length > 0;
        const result: unknown = isNew ? work(sql) : undefined;
        if (typeof (result as PromiseLike<unknown> | undefined)?.then === "function") {
          (result as Promise<unknown>).then(undefined, () => {});
          throw new TypeError("With createSqliteInbox, functions must not return a promise.");
        }
        database.exec("commit");
        return isNew;
      } catch (error) {
        try {
          database.exec("rollback");
        } catch {
          // SQLite has already undone the transaction.
        }
        throw error;
      } finally {
        problem = lateStatementText;
      }
    },
  };
}

/** A placeholder, or a part of a statement in which no placeholder can stand: a literal, a quoted name or a comment. */
const placeholderPattern = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--.*|\/\*[\s\S]*?\*\/|(?<![\w$])\$(\d+)/g;

/**
 * The placeholders of PostgreSQL (`$1`, `$2` …) become `?`, because better-sqlite3 takes `$1` and `?1` for names.
 *
 * @throws {TypeError} when the highest number of a placeholder is not the number of values.
 */
function runStatement(database: Pick<SqliteDatabase, "prepare">, text: string, values: readonly unknown[]): Rows {
  const orderedValues: unknown[] = [];
  let max = 0;
  const sql = text.replace(placeholderPattern, (part, number) => {
    if (number === undefined) return part;
    max = Math.max(max, number);
    orderedValues.push(values[number - 1]);
    return "?";
  });
  if (max !== values.length) throw new TypeError(`The last placeholder is $${max}, for ${values.length} values.`);
  const statement = database.prepare(sql) as SqliteStatement;
  if (statement.reader !== false) return statement.all(...orderedValues) as Rows;
  statement.run(...orderedValues);
  return [];
}

function isInTransaction(database: Pick<SqliteDatabase, "exec">): boolean {
  try {
    database.exec("begin");
  } catch {
    return true;
  }
  database.exec("rollback");
  return false;
}

const lateStatementText = "context.sql was used after its event.";

const caughtErrorText = "A statement of context.sql failed: Postgres undid all. Use savepoints.";
