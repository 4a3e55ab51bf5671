/** The generated files import only this file of the runtime. The files in `entries/` pass the generated tables to the runtime. */

export type { ResponseSchemas } from "./check-response.ts";
export type { RequestSchemas } from "./check-values.ts";
export type { Client } from "./client.ts";
export type { ClientContract, ErrorTables } from "./client-contract.ts";
export type { Schema } from "./conformance.ts";
export type { DecimalInput } from "./decimal.ts";
export type { PartnerApiError } from "./errors.ts";
export type { Explanation } from "./explain.ts";
export type { Absent, Operation } from "./operation.ts";
export type { Lookup } from "./payments/matching.ts";
export type { Results } from "./statuses.ts";
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
export type { Lifecycle } from "./waiting.ts";
export type { WebhookTable } from "./webhooks/table.ts";
