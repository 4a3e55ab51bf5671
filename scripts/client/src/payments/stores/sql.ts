/** The statements are shared by the stores in SQLite and Postgres. */
import { keyColumns } from "../payment.ts";
import type { PaymentState, StoredPayment } from "../protocol.ts";
import type { PaymentStore } from "../store.ts";

export type SqlValue = string | number | null;

/**
 * Runs a statement. With pg: `(text, values) => pool.query(text, values).then(({ rows }) => rows)`; with postgres.js: `(text, values) =>
 * sql.unsafe(text, values)`; with PGlite: `(text, values) => db.query(text, values).then(({ rows }) => rows)`. Statements are independent:
 * they need no transaction, and can run on any connection of a pool.
 *
 * Prepared statements take a third less of the database's processor time. There are few texts, and the last 63 characters of each, the
 * longest name that pg takes, differ: `(text, values) => pool.query({ name: text.slice(-63), text, values }).then(({ rows }) => rows)`.
 */
export type Query = (text: string, values: SqlValue[]) => Promise<readonly unknown[]>;

/** The name ends with the version of the table's format. */
const table = "partner_wallet_payments_2";

/** Statements that create the table of a store if it does not exist. Run them one by one, as part of your migrations. */
export const paymentsSql: readonly string[] = [
  `create table if not exists ${table} (
  reference text primary key,
  version integer not null,
  state text not null,
  is_open integer not null,
  holds integer not null,
  is_refuted integer not null,
  is_contradicted integer not null,
  debit text,
  credit text,
  event text,
  id text unique,
  data text not null,
  written_by text not null
)`,
  ...keyColumns.flatMap((column) => [
    `create unique index if not exists ${table}_holds_${column} on ${table} (${column})
where holds = 1${column === "event" ? " and debit is null and credit is null" : ""}`,
    `create index if not exists ${table}_${column} on ${table} (${column}, is_refuted, reference) where ${column} is not null`,
  ]),
  `create index if not exists ${table}_open on ${table} (reference) where is_open = 1`,
  `create index if not exists ${table}_contradicted on ${table} (reference) where is_contradicted = 1`,
];

const sqlColumns = [
  ...["version", "state", "is_open", "holds", "is_refuted", "is_contradicted"],
  ...keyColumns,
  ...["id", "data", "written_by", "reference"],
];
const insertSql = `insert into ${table} (${sqlColumns.join(", ")}) values (${sqlColumns.map((_, index) => `$${index + 1}`).join(", ")})
on conflict (reference) do nothing returning reference`;
const updateSql = `update ${table} set ${sqlColumns
  .slice(0, -1)
  .map((name, index) => `${name} = $${index + 1}`)
  .join(", ")}
where reference = $${sqlColumns.length} and version = $${sqlColumns.length + 1} returning reference`;

const pausesMs = [20, 100, 500, 2000, 5000];

/** Lost connection, too many connections, serialization failure, deadlock, unavailable lock, starting or stopping server. */
const transientErrors =
  /^(08\w{3}|40001|40P01|53300|55P03|57P0[123]|E(CONNRESET|CONNREFUSED|PIPE|TIMEDOUT))$|Connection terminated/;

/** @param pattern matches a code or the message of an error of the database. */
export const isError = (error: unknown, pattern: RegExp): boolean =>
  ["code", "errcode", "message"].some((name) => pattern.test(String((Object(error) as Record<string, unknown>)[name])));

/**
 * @param transientErrors match errors after which the statement is tried again.
 * @param uniqueErrors match the errors of a violated unique index.
 */
export function createSqlStore(runQuery: Query, transientErrors: RegExp, uniqueErrors: RegExp): PaymentStore {
  const runWithRetries = async (text: string, values: SqlValue[]): Promise<readonly unknown[]> => {
    for (let turn = 0; ; turn += 1) {
      try {
        return await runQuery(text, values);
      } catch (error) {
        const pause = pausesMs[turn];
        if (pause === undefined || !isError(error, transientErrors)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  };
  const select = (condition: string, ...values: SqlValue[]) =>
    runWithRetries(`select ${sqlColumns.join(", ")} from ${table} where ${condition}`, values) as Promise<
      Record<string, unknown>[]
    >;
  const list = (name: string) => async (afterReference: string, limit: number) =>
    (await select(`${name} = 1 and reference > $1 order by reference limit $2`, afterReference, limit)).map(fromSqlRow);
  const firstPayment = ([row]: Record<string, unknown>[]) => row && fromSqlRow(row);

  return {
    read: async (reference) => firstPayment(await select("reference = $1", reference)),
    withId: async (id) => firstPayment(await select("id = $1", id)),
    equal: async (column, key, limit) =>
      (await select(`${column} = $1 order by is_refuted, reference limit $2`, key, limit)).map(fromSqlRow),
    open: list("is_open"),
    contradicted: list("is_contradicted"),
    async write(payment) {
      const { reference, version, state, isOpen, holds, isRefuted, isContradicted, id, data } = payment;
      const writerId = crypto.randomUUID();
      const flags = [isOpen, holds, isRefuted, isContradicted].map(Number);
      const keys = keyColumns.map((column) => payment[column]);
      const values = [version, state, ...flags, ...keys, id, data, writerId, reference];
      try {
        const rows =
          version === 1
            ? await runWithRetries(insertSql, values)
            : await runWithRetries(updateSql, [...values, version - 1]);
        if (rows.length > 0) return "written";
        // The connection may have been lost after an earlier try was committed.
        const [storedRow] = await select("reference = $1", reference);
        return storedRow?.written_by === writerId ? "written" : "changed";
      } catch (error) {
        if (isError(error, uniqueErrors)) return "taken";
        throw error;
      }
    },
  };
}

function fromSqlRow(row: Record<string, unknown>): StoredPayment {
  return {
    reference: String(row.reference),
    version: Number(row.version),
    state: row.state as PaymentState,
    isOpen: Number(row.is_open) === 1,
    holds: Number(row.holds) === 1,
    isRefuted: Number(row.is_refuted) === 1,
    isContradicted: Number(row.is_contradicted) === 1,
    debit: row.debit as string | null,
    credit: row.credit as string | null,
    event: row.event as string | null,
    id: row.id as string | null,
    data: String(row.data),
  };
}

/** A store in Postgres that does not look for the table of a former version. */
export const createUncheckedStore = (query: Query): PaymentStore => createSqlStore(query, transientErrors, /^23505$/);

/**
 * Creates a store in Postgres 15 or newer, for any number of processes on any number of machines. First create its table with {@link
 * paymentsSql}. The table holds the requests of payments that may still have to be sent, with their account numbers and addresses. Reads
 * and writes of payments that fail for a transient reason, such as a lost connection, a deadlock or a serialization failure, are tried
 * again for about 8 seconds. Every function of the store rejects while the table of version 0.1.0 has payments: call {@link
 * importPostgresPayments} first.
 *
 * @param query runs one statement.
 * @throws {TypeError} when `query` is not a function.
 */
export function createPostgresStore(query: Query): PaymentStore {
  if (typeof query !== "function") throw new TypeError("createPostgresStore takes a function (text, values) => rows.");
  let formerCheck: Promise<void> | undefined;
  const checkedQuery: Query = async (text, values) => {
    formerCheck ??= refuseFormerRows(query);
    try {
      await formerCheck;
    } catch (error) {
      formerCheck = undefined;
      throw error;
    }
    return query(text, values);
  };
  const clockQuery = "select floor(extract(epoch from clock_timestamp()) * 1000) as now";
  return {
    ...createUncheckedStore(checkedQuery),
    now: async () => Number(((await checkedQuery(clockQuery, [])) as { now: unknown }[])[0]?.now),
  };
}

/** The table of version 0.1.0. */
export const formerTable = "partner_wallet_payments";

/** Payments of the former table would be unknown: a program that runs again over its list would pay them again. */
async function refuseFormerRows(query: Query): Promise<void> {
  const rows = await query(`select count(to_regclass('${formerTable}')) as found`, []);
  if (!(Number((rows as { found?: unknown }[])[0]?.found) > 0)) return;
  if ((await query(`select reference from ${formerTable} limit 1`, [])).length === 0) return;
  throw new Error(
    `The table ${formerTable} has payments of version 0.1.0. Stop every program that uses it, and call importPostgresPayments(query) once.`,
  );
}
