/** The parts of the client and the generated tables that other folders of this repository use. Not published. */
export { contract } from "../../../../../generated/client/contract.ts";
export { catalogue, sensitiveNames } from "../../../../../generated/client/error-texts.ts";
export * as operationTable from "../../../../../generated/client/operation-table.ts";
export type { OperationOptions, OperationResults } from "../../../../../generated/client/operations.ts";
export { responseSchemas } from "../../../../../generated/client/response-schemas.ts";
export type { operations } from "../../../../../generated/client/types.ts";
export type { WebhookName } from "../../../../../generated/client/webhooks.ts";
export { isObject } from "../../base/is-object.ts";
export type { Operation } from "../../base/operation.ts";
export { readResponse } from "../../call/response.ts";
export { checkResponse } from "../../checks/check-response.ts";
export { inspect, type Schema } from "../../checks/conformance.ts";
export type { Deviation, Violation } from "../../checks/deviations.ts";
export { makeErrorTexts } from "../../errors/error-texts.ts";
export { type RawResponse, toRawResponse } from "../../reading/raw-response.ts";
export type { CommonOptions } from "../../state/call-types.ts";
export {
  createMemoryStore,
  createSqliteStore,
  importPayments,
  type PaymentStore,
  type SqliteDatabase,
} from "../payments.ts";
