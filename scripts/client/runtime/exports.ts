/** What the package exports from its main entry besides the generated client and its types. */
export {
  addDecimals,
  compareDecimals,
  type Decimal,
  type DecimalInput,
  subtractDecimals,
  toDecimal,
} from "./decimal.ts";
export type { Deviation, OnDeviation, Violation } from "./deviations.ts";
export { type ErrorKind, PartnerApiError, unwrap } from "./errors.ts";
export { type ExactNumbers, exactNumbers } from "./exact-numbers.ts";
export { type KnownValues, match } from "./match.ts";
export type { ClientOptions, LogEvent } from "./options.ts";
export type {
  CallData,
  CallOptions,
  CommonOptions,
  ErrorCodeOf,
  Explanation,
  FileUpload,
  RawClient,
  UnlistedStatus,
  UnlistedValue,
} from "./types.ts";
