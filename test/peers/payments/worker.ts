/** Makes payments, and can be killed at any time. Arguments: `MOCK_URL COUNT sqlite PATH` or `MOCK_URL COUNT postgres CONNECTION`. */
import Database from "libsql";
import { createPartnerClient } from "partner-wallet-api";
import {
  createPayments,
  createPostgresStore,
  createSqliteStore,
  type SqliteDatabase,
} from "partner-wallet-api/payments";

const [url = "", count = "0", kind, location = ""] = process.argv.slice(2);
const client = createPartnerClient({ baseUrl: url, apiKey: "mock-key", timeoutMs: 1250 });
// Loaded on demand, because dozens of these processes are started.
const pool =
  kind === "postgres" ? new (await import("pg")).default.Pool({ ...JSON.parse(location), max: 2 }) : undefined;
const store =
  pool === undefined
    ? createSqliteStore(new Database(location) as unknown as SqliteDatabase)
    : createPostgresStore((text, values) => pool.query(text, values).then(({ rows }) => rows));
const payments = createPayments({ client, store, lookForMs: 500, timeoutMs: 1250 });
console.log("begun");
await payments.resume();
let openCount = 0;
for (let number = 1; number <= Number(count); number += 1) {
  const intent = {
    reference: `payout-${number}`,
    user: `user-${number % 10}`,
    amount: `${number}.00`,
    currency: "eur",
  };
  const { state } = await payments.fund(intent);
  if (state === "pending" || state === "unclear") openCount += 1;
}
await store.close?.();
await pool?.end();
console.log("done", openCount);
