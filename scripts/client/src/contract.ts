/**
 * The types of the contract, which the runtime takes as a value: `generated/` has the values and imports this file only. The files of
 * `entries/` join the two.
 */
export type { RequestSchemas } from "./check-values.ts";
export type { Client } from "./client.ts";
export type { ClientContract, ErrorTables } from "./client-contract.ts";
export type { Schema } from "./conformance.ts";
export type { DecimalInput } from "./decimal.ts";
export type { PartnerApiError } from "./errors.ts";
export type { Explanation } from "./explain.ts";
export type { Absent, Lifecycle, Operation } from "./operation.ts";
export type { Lookup } from "./payments/matching.ts";
export type { ResponseSchemas } from "./responses.ts";
export type { ResponseExamples } from "./testing/types.ts";
export type {
  CommonOptions,
  Failure,
  FileUpload,
  NoCodeError,
  NoResponseError,
  Success,
  UnexpectedResponseError,
} from "./types.ts";
export type { WebhookTable } from "./webhooks/table.ts";
