/** The parameters are `never`, because `node:sqlite`, libsql, better-sqlite3 and `bun:sqlite` declare different types of values. */
export interface SqliteDatabase {
  prepare(sql: string): { all(...values: never[]): unknown[] };
  exec(sql: string): unknown;
  close(): unknown;
}

export interface SqliteStatement {
  /** False for a statement without rows, on which `all` of better-sqlite3 throws. Undefined in `node:sqlite` and `bun:sqlite`. */
  readonly reader?: boolean;
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): unknown;
}
