/** The generated files import only this file of the runtime. The files in `entries/` pass the generated tables to the runtime. */

export type { Absent, Operation } from "./base/operation.ts";
export type { ResponseSchemas } from "./checks/check-response.ts";
export type { RequestSchemas } from "./checks/check-values.ts";
export type { Schema } from "./checks/conformance.ts";
export type { ErrorTables } from "./errors/error-texts.ts";
export type { PartnerApiError } from "./errors/errors.ts";
export type { DecimalInput } from "./exact/decimal.ts";
export type { Results } from "./helpers/statuses.ts";
export type { Lifecycle } from "./helpers/waiting.ts";
export type { Lookup } from "./payments/matching.ts";
export type { Explanation } from "./setup/explain.ts";
export type {
  CommonOptions,
  Failure,
  FileUpload,
  NoCodeError,
  NoResponseError,
  Success,
  UnexpectedResponseError,
} from "./state/call-types.ts";
export type { Client } from "./state/client.ts";
export type { ClientContract } from "./state/client-contract.ts";
export type { ResponseExamples } from "./testing/types.ts";
export type { WebhookTable } from "./webhooks/table.ts";
