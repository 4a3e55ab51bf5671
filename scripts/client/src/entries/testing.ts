/**
 * The entry point `partner-wallet-api/testing`: results made from the examples of the contract, a fake client, and deliveries of webhooks.
 */
export type { FailureCode } from "../../../../generated/client/codes.ts";
export type { SuccessExamples } from "../../../../generated/client/response-examples.ts";
export type {
  DeliveryOptions,
  FailureDetails,
  FailureKind,
  FakeCall,
  FakeClientOptions,
  FakeResponse,
  TestFakeClientOptions,
} from "../testing/types.ts";
export { testEvent } from "./events.ts";
export {
  createFakeClient,
  deliver,
  type FakeClient,
  type FakeResponses,
  type Receiver,
  type TestFakeClient,
} from "./fake-client.ts";
export {
  type DocumentedCodes,
  type FailureOf,
  failure,
  type OperationName,
  type SuccessOf,
  type SuccessOverrides,
  success,
} from "./results.ts";
