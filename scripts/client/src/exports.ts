/** The exports of the package besides the functions and types of the operations. */
export type { Client } from "./client.ts";
export type {
  AfterAttempt,
  AttemptRequest,
  AttemptResponse,
  BeforeAttempt,
  ClientOptions,
  EnvironmentOptions,
  FetchOptions,
  LogEvent,
  TestClientOptions,
} from "./client-options.ts";
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  type DecimalInput,
  subtractDecimals,
  toDecimal,
} from "./decimal.ts";
export type { Deviation, OnDeviation, Violation } from "./deviations.ts";
export { type ErrorDetails, type ErrorKind, type Outcome, PartnerApiError, unwrap } from "./errors.ts";
export { type ExactNumbers, exactNumbers } from "./exact-numbers.ts";
export type { Explanation } from "./explain.ts";
export type { Edition } from "./operation.ts";
export type {
  CommonOptions,
  ErrorCodeOf,
  Failure,
  FileUpload,
  NoCodeError,
  NoResponseError,
  OtherError,
  Success,
  UndocumentedError,
  UnexpectedResponseError,
  UnknownCodeError,
  UnlistedStatus,
} from "./types.ts";
export { type KnownValues, match } from "./types.ts";
