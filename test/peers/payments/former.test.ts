/** The import of the table of version 0.1.0, in PGlite. */
import { PGlite } from "@electric-sql/pglite";
import { createPostgresStore, importPostgresPayments, paymentsSql, type Query } from "partner-wallet-api/payments";
import { expect, it } from "vitest";

const formerTableSql = `create table partner_wallet_payments (
  reference text collate "C" primary key, version integer not null, state text not null, holds boolean not null,
  debit text, credit text, event text, id text unique, leased_by text, leased_until bigint not null, data text not null
)`;
const body = { destinationExternalUserId: "user-1", amount: "10.00", currency: "eur" };
const data = { kind: "fund", operation: "createTransfer", body, step: "done", attempts: 1, createdAt: 1, sentAt: 1 };

it("is refused by the store until it is imported", { timeout: 60_000 }, async () => {
  const database = new PGlite();
  const query: Query = async (text, values) => (await database.query(text, values)).rows;
  await query(formerTableSql, []);
  for (const statement of paymentsSql) await query(statement, []);
  const store = createPostgresStore(query);
  expect(await store.read("invoice-1")).toBeUndefined();
  const add = (reference: string, id: string) =>
    query("insert into partner_wallet_payments values ($1, 3, 'accepted', false, null, 'c', 'e', $2, null, 0, $3)", [
      reference,
      id,
      JSON.stringify(data),
    ]);
  await add("invoice-1", "id-1");
  await add("invoice\n2", "id-2");

  const storeAfterUpgrade = createPostgresStore(query);
  await expect(storeAfterUpgrade.read("invoice-1")).rejects.toThrow("call importPostgresPayments(query) once");
  await expect(importPostgresPayments(query)).rejects.toThrow('"invoice\\n2": ');
  await expect(storeAfterUpgrade.now?.()).rejects.toThrow("call importPostgresPayments(query) once");
  await query("delete from partner_wallet_payments where reference = $1", ["invoice\n2"]);
  await add("invoice-3", "id-3");
  expect(await importPostgresPayments(query)).toBe(1);
  expect(await storeAfterUpgrade.read("invoice-1")).toMatchObject({ state: "accepted", id: "id-1", isOpen: true });
  expect(await storeAfterUpgrade.withId("id-3")).toMatchObject({ reference: "invoice-3" });
  expect(await query("select reference from partner_wallet_payments_1 order by reference", [])).toHaveLength(2);
  await database.close();
});
