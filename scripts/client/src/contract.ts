/** The generated files import only this file of the runtime. The files in `entries/` pass the generated tables to the runtime. */

export type { ResponseSchemas } from "./checks/check-response.ts";
export type { RequestSchemas } from "./checks/check-values.ts";
export type { Schema } from "./checks/conformance.ts";
export type { PartnerApiError } from "./errors/errors.ts";
export type { DecimalInput } from "./exact/decimal.ts";
export type { Results } from "./helpers/statuses.ts";
export type { Lifecycle } from "./helpers/waiting.ts";
export type { Absent, Operation } from "./operation.ts";
export type { Lookup } from "./payments/matching.ts";
export type { Client } from "./setup/client.ts";
export type { ClientContract, ErrorTables } from "./setup/client-contract.ts";
export type { Explanation } from "./setup/explain.ts";
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
