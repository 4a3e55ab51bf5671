/**
 * The methods of a SQLite database that this package uses. The parameters are `never`, because `node:sqlite`, libsql, better-sqlite3 and
 * `bun:sqlite` declare different types of values.
 */
export interface SqliteDatabase {
  prepare(sql: string): { all(...values: never[]): unknown[] };
  exec(sql: string): unknown;
  close(): unknown;
}

export interface SqliteStatement {
  all(...values: unknown[]): unknown[];
}

/** Prepares a statement that has the placeholders of PostgreSQL (`$1`, `$2` …), each once and in order. */
export const prepareStatement = (database: Pick<SqliteDatabase, "prepare">, text: string): SqliteStatement =>
  database.prepare(text.replace(/\$\d+/g, "?")) as SqliteStatement;
