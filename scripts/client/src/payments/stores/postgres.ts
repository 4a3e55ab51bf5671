import { keyColumns, type PaymentState, type PaymentStore, type StoredPayment } from "../store.ts";
import { maxUnidentified } from "./payment-index.ts";

/**
 * Runs a statement. With pg: `(text, values) => pool.query(text, values).then(({ rows }) => rows)`; with postgres.js: `(text, values) =>
 * sql.unsafe(text, values)`; with PGlite: `(text, values) => db.query(text, values).then(({ rows }) => rows)`. Statements are independent:
 * they need no transaction, and can run on any connection of a pool.
 */
export type Query = (
  text: string,
  values: (string | number | boolean | null | string[])[],
) => Promise<readonly unknown[]>;

/** Creates the table of {@link createPostgresStore} if it does not exist. Run the statements one by one, as part of your migrations. */
export const paymentsSql: readonly string[] = [
  `create table if not exists partner_wallet_payments (
  reference text collate "C" primary key,
  version integer not null,
  state text not null,
  holds boolean not null,
  debit text,
  credit text,
  event text,
  id text unique,
  leased_by text,
  leased_until bigint not null,
  data text not null
)`,
  ...keyColumns.map(
    (column) =>
      `create unique index if not exists partner_wallet_payments_${column} on partner_wallet_payments (${column}) where holds`,
  ),
  "create index if not exists partner_wallet_payments_without_id on partner_wallet_payments (event) where id is null",
  "create index if not exists partner_wallet_payments_state on partner_wallet_payments (state, reference)",
];

const table = "partner_wallet_payments";
const columns = "reference, version, state, holds, debit, credit, event, id, leased_by, leased_until, data";

/**
 * Creates a store in Postgres, for any number of processes. Create its table first, with {@link paymentsSql}. The table holds the requests
 * of payments that may still have to be sent, with their account numbers and addresses.
 *
 * @param query runs one statement.
 */
export function createPostgresStore(query: Query): PaymentStore {
  if (typeof query !== "function") throw new TypeError("createPostgresStore takes a function (text, values) => rows.");
  const select = async (rest: string, values: Parameters<Query>[1]): Promise<StoredPayment[]> =>
    (await query(`select ${columns} from ${table} ${rest}`, values)).map((row) =>
      toPayment(row as Record<string, unknown>),
    );
  return {
    read: async (reference) => (await select("where reference = $1", [reference]))[0],
    withId: async (id) => (await select("where id = $1", [id]))[0],
    async holders(keys) {
      const sides = keyColumns.map((column, index) => `${column} = $${index + 1}`).join(" or ");
      return select(
        `where holds and (${sides})`,
        keyColumns.map((column) => keys[column]),
      );
    },
    withEvent: (event) => select(`where event = $1 and id is null limit ${maxUnidentified}`, [event]),
    list: (states, after, limit) =>
      select("where state = any($1::text[]) and reference > $2 order by reference limit $3", [
        [...states],
        after,
        limit,
      ]),
    async write(payment) {
      const { reference, version, state, holds, debit, credit, event, id, leasedBy, leasedUntil, data } = payment;
      const values = [reference, version, state, holds, debit, credit, event, id, leasedBy, leasedUntil, data];
      const text =
        version === 1
          ? `insert into ${table} (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (reference) do nothing returning reference`
          : `update ${table} set version = $2, state = $3, holds = $4, debit = $5, credit = $6, event = $7, id = $8,
leased_by = $9, leased_until = $10, data = $11 where reference = $1 and version = $2 - 1 returning reference`;
      try {
        return (await query(text, values)).length > 0 ? "written" : "changed";
      } catch (error) {
        // unique_violation: another payment has the identifier, or reserves a key.
        if ((error as { code?: unknown } | undefined)?.code === "23505") return "taken";
        throw error;
      }
    },
  };
}

function toPayment(row: Readonly<Record<string, unknown>>): StoredPayment {
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    ...{ reference: String(row.reference), version: Number(row.version), data: String(row.data) },
    ...{ state: row.state as PaymentState, holds: row.holds === true, id: text("id") },
    ...{ debit: text("debit"), credit: text("credit"), event: text("event") },
    ...{ leasedBy: text("leased_by"), leasedUntil: Number(row.leased_until) },
  };
}
