/** The exports of the package besides the functions and types of the operations. */
export type { Client } from "./client.ts";
export type * from "./client-options.ts";
export type { Decimal, DecimalInput } from "./decimal.ts";
export { addDecimals, compareDecimals, subtractDecimals, toDecimal } from "./decimal.ts";
export type { Deviation, OnDeviation, Violation } from "./deviations.ts";
export { type ErrorDetails, type ErrorKind, type Outcome, PartnerApiError, unwrap } from "./errors.ts";
export { type ExactNumbers, exactNumbers } from "./exact-numbers.ts";
export type { Explanation } from "./explain.ts";
export type { Edition } from "./operation.ts";
export type * from "./types.ts";
export { match } from "./types.ts";
