/** The program of a separate process: makes the payments or calls of each round that it receives as a message. */
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
import { type Load, paymentsAtOnce, type Round, type RoundResult, userCount } from "./payment-load.ts";

const [url = "", loadText = ""] = process.argv.slice(2);
const { kind, location = "" } = JSON.parse(loadText) as Load;
const client = createPartnerClient({ baseUrl: url, apiKey: "mock-key" });
const pool =
  kind === "postgres"
    ? new pg.Pool({ ...JSON.parse(location), max: paymentsAtOnce, allowExitOnIdle: true })
    : undefined;
const store: PaymentStore | undefined = pool
  ? createPostgresStore((text, values) => pool.query({ name: text.slice(-63), text, values }).then(({ rows }) => rows))
  : kind === "sqlite"
    ? createSqliteStore(new Database(location) as unknown as SqliteDatabase)
    : undefined;
const payments = store && createPayments({ client, store });

/** The allowance for clocks and time zones within which payments read the neighbouring month, in milliseconds. */
const monthMarginMs = (14 * 60 + 15) * 60_000;

/** Reads the months of a history that a payment reads before it is sent. */
async function readHistory(externalUserId: string): Promise<void> {
  const times = [Date.now() - monthMarginMs, Date.now() + monthMarginMs];
  for (const text of new Set(times.map((time) => new Date(time).toISOString().slice(0, 7)))) {
    const [year = "", month = ""] = text.split("-");
    const { error } = await client.getUserTransactionHistory({ path: { externalUserId, month, year } });
    if (error !== undefined) throw error;
  }
}

async function makePayment(number: number): Promise<void> {
  // No two payments are equal, because a payment must wait while an equal payment has an unclear outcome.
  const amount = toDecimal(`${1 + Math.floor(number / userCount)}.${10 + (number % 7)}`);
  const money = { amount, currency: "eur" };
  const user = `user-${number % userCount}`;
  if (payments !== undefined) {
    const { state } = await payments.fund({ ...money, user, reference: `r-${number}` });
    if (state !== "accepted") throw new Error(`Payment ${number} was not accepted, but is ${state}.`);
    return;
  }
  if (kind === "calls of a payment") await readHistory(user);
  const { error } = await client.createTransfer({ body: { ...money, destinationExternalUserId: user } });
  if (error !== undefined) throw error;
}

async function makeRound({ firstNumber, count }: Round): Promise<RoundResult> {
  let nextNumber = firstNumber;
  const cpuBefore = process.cpuUsage();
  const makeInTurn = async () => {
    while (nextNumber < firstNumber + count) {
      nextNumber += 1;
      await makePayment(nextNumber - 1);
    }
  };
  await Promise.all(Array.from({ length: paymentsAtOnce }, makeInTurn));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuMs: (user + system) / 1000 };
}

process.on("message", async (round: Round) => process.send?.(await makeRound(round)));
process.send?.("ready");
