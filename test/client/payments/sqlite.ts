import Database from "libsql";
import { createSqliteStore, type PaymentStore, type SqliteDatabase } from "partner-wallet-api/payments";

/** A store in libsql, which has the same version of SQLite with every version of Node. */
export function createLibsqlStore(path = ":memory:"): { store: PaymentStore; database: SqliteDatabase } {
  const database = new Database(path) as unknown as SqliteDatabase;
  return { database, store: createSqliteStore(database) };
}
