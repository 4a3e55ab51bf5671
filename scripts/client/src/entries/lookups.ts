/** The lookups of the contract, for `payments/` until it takes them as a value. */
export { lookups, type PaymentOperation, recordEnds } from "../../../../generated/client/lookups.ts";
export type { WebhookEvents, WebhookName } from "../../../../generated/client/webhooks.ts";
