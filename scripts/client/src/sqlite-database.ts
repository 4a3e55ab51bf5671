/** What this package uses of a database. The declarations of `node:sqlite`, libsql, better-sqlite3 and bun:sqlite differ in the types of values. */
export interface SqliteDatabase {
  prepare(sql: string): { all(...values: never[]): unknown[] };
  exec(sql: string): unknown;
  close(): unknown;
}

export interface SqliteStatement {
  all(...values: unknown[]): unknown[];
}

/** Prepares a statement with the placeholders of Postgres, which it has in their order, each once. */
export const prepareIn = (database: Pick<SqliteDatabase, "prepare">, text: string): SqliteStatement =>
  database.prepare(text.replace(/\$\d+/g, "?")) as SqliteStatement;
