/**
 * The entry point `partner-wallet-api/testing`: results made from the examples of the contract (for stubs, and for `respond` of a mock);
 * and events and deliveries of webhooks.
 */
export type { FailureCode } from "../../../../generated/client/codes.ts";
export type { SuccessExamples } from "../../../../generated/client/response-examples.ts";
export type {
  DeliveryOptions,
  FailureDetails,
  FailureKind,
} from "../testing/types.ts";
export { deliver, type Receiver } from "./deliver.ts";
export { testEvent } from "./events.ts";
export {
  type DocumentedCodes,
  type FailureOf,
  failure,
  type OperationName,
  type SuccessOf,
  type SuccessOverrides,
  success,
} from "./results.ts";
