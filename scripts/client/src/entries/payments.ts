/** The entry point `partner-wallet-api/payments`: makes payments so that a lost response or a crash does not lead to a second payment. */
import { lookups } from "../../../../generated/client/lookups.ts";
import type { WebhookEvents } from "../../../../generated/client/webhooks.ts";
import { type BasePayments, makePayments, type PaymentsOptions } from "../payments/payments.ts";
import type { PaymentStore } from "../payments/store.ts";
import { importFormer, importFormerTable } from "../payments/stores/former.ts";
import type { Query } from "../payments/stores/sql.ts";

export type { SqliteDatabase } from "../base/sqlite-database.ts";
export type { Duration, PaymentClock } from "../payments/clock.ts";
export type {
  Between,
  Collect,
  Exchange,
  Fund,
  Intent,
  Intents,
  Order,
  Party,
  PaymentKind,
  Sepa,
  Withdraw,
} from "../payments/intents.ts";
export type { Contradiction, Payment } from "../payments/payment.ts";
export type { PaymentsOptions, Resumed } from "../payments/payments.ts";
export type { Decision, PaymentProblem, PaymentState, StoredPayment } from "../payments/protocol.ts";
export type { PaymentStore } from "../payments/store.ts";
export { checkPaymentStore } from "../payments/stores/check.ts";
export { createMemoryStore } from "../payments/stores/memory.ts";
export { createPostgresStore, paymentsSql, type Query } from "../payments/stores/sql.ts";
export { createSqliteStore } from "../payments/stores/sqlite.ts";

/** Makes, stores and continues payments: the result of {@link createPayments}. */
export type Payments = BasePayments<WebhookEvents>;

/**
 * Creates the functions that make payments.
 *
 * @throws {TypeError} when an option is missing or malformed.
 */
export function createPayments(options: PaymentsOptions): Payments {
  return makePayments<WebhookEvents>(lookups, options);
}

/**
 * Writes the payments from a file of version 0.1.0 to a store, and closes the store. Payments that the store already has are not changed.
 * A reference that is not in Unicode Normalization Form C is composed. When two payments of former files have the same identifier or
 * record, the second is accepted without it, and both are contradicted.
 *
 * @param text the content of the file.
 * @returns the number of payments that were written.
 * @throws {AggregateError} when payments could not be imported; all others were. It has an error for each, which names its reference.
 * @throws {Error} when the text is not the content of such a file, or a line is damaged; nothing is written then. Errors of the store are
 * thrown too. After an error, the store is still open, and the import can be repeated.
 */
export function importPayments(text: string, store: PaymentStore): Promise<number> {
  return importFormer(text, store, lookups);
}

/**
 * Copies the payments of the table `partner_wallet_payments` of version 0.1.0 to the table of {@link paymentsSql}, as {@link
 * importPayments} does, and renames the former table to `partner_wallet_payments_1`. Stop every program that uses it first. After an error,
 * the former table has its name, and the import can be repeated.
 *
 * @returns the number of payments that were written.
 */
export function importPostgresPayments(query: Query): Promise<number> {
  return importFormerTable(query, lookups);
}
