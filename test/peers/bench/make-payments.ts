/** The program of a separate process: makes one payment or plain call, waits for a message, and makes the others. */
import { once } from "node:events";
import Database from "libsql";
import { createPartnerClient, toDecimal } from "partner-wallet-api";
import {
  createPayments,
  createPostgresStore,
  createSqliteStore,
  type PaymentStore,
  type SqliteDatabase,
} from "partner-wallet-api/payments";
import pg from "pg";
import { paymentsAtOnce, userCount } from "./payment-load.ts";

const [url = "", firstArgument = "0", count = "0", kind = "", location = ""] = process.argv.slice(2);
const client = createPartnerClient({ baseUrl: url, apiKey: "mock-key" });
const pool = kind === "postgres" ? new pg.Pool({ ...JSON.parse(location), max: paymentsAtOnce }) : undefined;
const store: PaymentStore | undefined = pool
  ? createPostgresStore((text, values) => pool.query(text, values).then(({ rows }) => rows))
  : kind === "sqlite"
    ? createSqliteStore(new Database(location) as unknown as SqliteDatabase)
    : undefined;
const payments = store && createPayments({ client, store });
const makePayment = async (number: number): Promise<void> => {
  // No two payments are equal, because a payment must wait while an equal payment has an unclear outcome.
  const amount = toDecimal(`${1 + Math.floor(number / userCount)}.${10 + (number % 7)}`);
  const money = { amount, currency: "eur" };
  const user = `user-${number % userCount}`;
  const isMade = payments
    ? (await payments.fund({ ...money, user, reference: `r-${number}` })).state === "accepted"
    : (await client.createTransfer({ body: { ...money, destinationExternalUserId: user } })).error === undefined;
  if (!isMade) throw new Error(`Payment ${number} was not made.`);
};
await makePayment(Number(firstArgument));
process.send?.("ready");
await once(process, "message");
let nextNumber = Number(firstArgument) + 1;
const makePayments = async () => {
  while (nextNumber < Number(firstArgument) + Number(count)) {
    nextNumber += 1;
    await makePayment(nextNumber - 1);
  }
};
await Promise.all(Array.from({ length: paymentsAtOnce }, makePayments));
await pool?.end();
process.send?.("done");
process.disconnect?.();
