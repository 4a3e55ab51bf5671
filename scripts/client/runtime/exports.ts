/** What the package exports besides the functions and types of the operations. */
export type { Client } from "./client.ts";
export type { ClientOptions, EnvironmentOptions, FetchOptions, TestClientOptions } from "./client-options.ts";
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  type DecimalInput,
  subtractDecimals,
  toDecimal,
} from "./decimal.ts";
export type { Deviation, OnDeviation, Violation } from "./deviations.ts";
export type { Edition } from "./edition.ts";
export { type ErrorDetails, type ErrorKind, type Outcome, PartnerApiError, unwrap } from "./errors.ts";
export { type ExactNumbers, exactNumbers } from "./exact-numbers.ts";
export type { Explanation } from "./explain.ts";
export type { AfterAttempt, AttemptRequest, AttemptResponse, BeforeAttempt, LogEvent } from "./hooks.ts";
export { type KnownValues, match } from "./match.ts";
export type { RawClient } from "./raw.ts";
export type {
  CommonOptions,
  ErrorCodeOf,
  Failure,
  FileUpload,
  NoAnswerError,
  NoCodeError,
  OtherError,
  Success,
  UnexpectedAnswerError,
  UnknownCodeError,
  UnlistedStatus,
  UnlistedValue,
} from "./types.ts";
