import type { SqliteDatabase, SqliteStatement } from "../../base/sqlite-database.ts";
import { builtinModule } from "../builtins.ts";
import type { PaymentStore } from "../store.ts";
import { createSqlStore, isError, paymentsSql, type SqlValue } from "./sql.ts";

interface WaitingStatement {
  readonly text: string;
  readonly values: SqlValue[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Opens a file with `node:sqlite`. A missing file is created so that only its owner can read it.
 *
 * @throws {TypeError} when the runtime has no `node:sqlite`.
 * @throws {Error} when the file is not a database, such as a file of version 0.1.0, or cannot be opened.
 */
function openSqlite(path: string): SqliteDatabase {
  const [sqlite, fs] = [builtinModule("node:sqlite"), builtinModule("node:fs")];
  if (sqlite === undefined || fs === undefined) {
    throw new TypeError(
      `A path needs Node 22.13 or newer. On Node 20, npm install libsql and give new Database(path).`,
    );
  }
  fs.closeSync(fs.openSync(path, "a+", 0o600));
  const database = new sqlite.DatabaseSync(path);
  try {
    database.exec("pragma user_version");
  } catch (cause) {
    // Other errors, such as a lock of another process, appear at the first statement if they last.
    if (isError(cause, /not a database/))
      throw new Error(
        `${path} is not a database. If it is of version 0.1.0, run: npx partner-wallet-api payments import ${path} --into payments.db`,
      );
  }
  return database;
}

/** The codes of libsql, better-sqlite3 and bun:sqlite, and the numbers of node:sqlite. */
const uniqueErrors = /^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY).*|2067|1555)$/;
const maxStatementsInTransaction = 32;
const settings = ["pragma busy_timeout = 1000", "pragma journal_mode = wal", "pragma synchronous = full"];

/**
 * Creates a store in SQLite, for any number of processes of one machine. A write resolves after it is flushed to the disk; concurrent
 * writes share a transaction. While another process holds the write lock, a write blocks this process for up to a second (the busy
 * timeout), is tried again after growing pauses, and fails after some 14 seconds. The database contains the requests of payments that may
 * still have to be sent, with account numbers and addresses.
 *
 * @param source the path of a file, which `node:sqlite` opens (Node 22.13 or newer, where 22 and 24 print an experimental warning), or a
 * database of libsql, better-sqlite3 or bun:sqlite that no other code uses, except an inbox of `createSqliteInbox`.
 * @throws {TypeError} when `source` is neither a path nor a database, or this version of Node cannot open a path.
 * @throws {Error} when the file is not a database, such as a file of version 0.1.0, or cannot be opened.
 */
export function createSqliteStore(source: string | SqliteDatabase): PaymentStore {
  const isPath = typeof source === "string" && source !== "";
  if (!isPath && typeof (source as SqliteDatabase | undefined)?.prepare !== "function")
    throw new TypeError("createSqliteStore takes a path, or a database of libsql, better-sqlite3 or bun:sqlite.");
  const database = typeof source === "string" ? openSqlite(source) : source;
  const preparedStatements = new Map<string, SqliteStatement>();
  let queue: WaitingStatement[] = [];

  /** Does nothing after its first success; after a failure, the next call tries again. */
  let initialize = (): void => {
    for (const sql of [...settings, ...paymentsSql]) database.exec(sql);
    initialize = () => {};
  };

  const runStatement = (text: string, values: readonly SqlValue[]): unknown[] => {
    initialize();
    let statement = preparedStatements.get(text);
    if (statement === undefined) {
      // Each statement of the store has the placeholders `$1`, `$2` … once and in order.
      statement = database.prepare(text.replace(/\$\d+/g, "?")) as SqliteStatement;
      preparedStatements.set(text, statement);
    }
    return statement.all(...values);
  };

  /** Runs waiting statements in one transaction. After a violated unique index, the transaction continues; other errors roll it back. */
  const runQueue = (): void => {
    if (queue.length === 0) return;
    const batch = queue.slice(0, maxStatementsInTransaction);
    queue = queue.slice(maxStatementsInTransaction);
    setImmediate(runQueue);
    const settlements: (() => void)[] = [];
    let isTransactionOpen = false;
    try {
      initialize();
      database.exec("begin immediate");
      isTransactionOpen = true;
      for (const { text, values, resolve, reject } of batch) {
        try {
          const rows = runStatement(text, values);
          settlements.push(() => resolve(rows));
        } catch (error) {
          if (!isError(error, uniqueErrors)) throw error;
          settlements.push(() => reject(error));
        }
      }
      database.exec("commit");
    } catch (error) {
      try {
        if (isTransactionOpen) database.exec("rollback");
      } catch {
        // SQLite has already undone the transaction.
      }
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const settle of settlements) settle();
  };

  const store = createSqlStore(
    async (text, values) => {
      if (text.startsWith("select")) return runStatement(text, values);
      return new Promise((resolve, reject) => {
        if (queue.length === 0) setImmediate(runQueue);
        queue.push({ text, values, resolve, reject });
      });
    },
    /^SQLITE_(BUSY|LOCKED)|database is locked/,
    uniqueErrors,
  );
  return {
    ...store,
    async close() {
      while (queue.length > 0) runQueue();
      database.close();
    },
  };
}

declare const setImmediate: (callback: () => void) => unknown;
