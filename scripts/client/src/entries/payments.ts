/** The entry point `partner-wallet-api/payments`: payments that a lost response or a crash does not repeat. */
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
export type { Decision, Payment, PaymentProblem } from "../payments/payment.ts";
export { createPayments, type Payments, type PaymentsOptions, type Resumed } from "../payments/payments.ts";
export type { PaymentState, PaymentStore, StoredPayment } from "../payments/store.ts";
export { checkPaymentStore } from "../payments/stores/check.ts";
export { createFileStore } from "../payments/stores/file.ts";
export { createMemoryStore } from "../payments/stores/memory.ts";
export { createPostgresStore, paymentsSql, type Query } from "../payments/stores/postgres.ts";
