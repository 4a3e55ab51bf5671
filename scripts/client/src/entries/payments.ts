/** The entry point `partner-wallet-api/payments`: makes payments so that a lost response or a crash does not lead to a second payment. */
import { lookups } from "../../../../generated/client/lookups.ts";
import type { WebhookEvents } from "../../../../generated/client/webhooks.ts";
import { type BasePayments, makePayments, type PaymentsOptions } from "../payments/payments.ts";
import type { PaymentStore } from "../payments/store.ts";
import { importFormer } from "../payments/stores/former.ts";

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
 * Writes the payments from a file of a former version to a store, and closes the store. Payments that the store already has are not
 * changed.
 *
 * @param text the content of the file.
 * @returns the number of payments that were written.
 * @throws {Error} when the text is not the content of such a file, or a line is damaged; nothing is written then. Errors of the store are
 * thrown too. After an error, the store is still open.
 */
export function importPayments(text: string, store: PaymentStore): Promise<number> {
  return importFormer(text, store, lookups);
}
