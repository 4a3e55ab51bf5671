/** What `partner-wallet-api` and `partner-wallet-api/operations` both export, besides the types of the operations. */
import type { CatalogueCode, UnlistedCode } from "../../../../generated/client/codes.ts";
import { type ErrorDetails, PartnerApiError as RuntimeError } from "../errors/errors.ts";

export type * from "../../../../generated/client/codes.ts";
export type { Edition } from "../base/operation.ts";
export type { Deviation, OnDeviation, Violation } from "../checks/deviations.ts";
export { type ErrorDetails, type ErrorKind, type Outcome, unwrap } from "../errors/errors.ts";
export type { Decimal, DecimalInput } from "../exact/decimal.ts";
export { addDecimals, compareDecimals, subtractDecimals, toDecimal } from "../exact/decimal.ts";
export { type ExactNumbers, exactNumbers } from "../exact/exact-numbers.ts";
export { type KnownValues, match } from "../helpers/match.ts";
export type { Explanation } from "../setup/explain.ts";
export type * from "../state/call-types.ts";
export type { Client } from "../state/client.ts";
export type * from "../state/client-options.ts";

interface PartnerApiErrorClass {
  readonly prototype: PartnerApiError;
  new (details: ErrorDetails): PartnerApiError;
}

/**
 * The error of a failed call: the `error` of its result, which `unwrap` throws.
 *
 * Branch on `kind` and `errorCode`, because only the codes are stable (specification, Errors). Before repeating a call that moves money,
 * look at `outcome`. The message and the enumerable members contain no text of the service except the code, the timestamp, the request id
 * and the media type of an unexpected response. In the other members (`errorMessage`, `body` …) and in the cause, sensitive values are
 * masked: those of JSON members with a sensitive name, those that the call sent, card numbers and IBANs. `instanceof` also works for errors
 * of another copy of this package.
 */
export interface PartnerApiError extends RuntimeError {
  /**
   * The P-code of the response, if `kind` is `code` or `unknown-code`; otherwise undefined. A code that does not look like an error code is
   * masked.
   */
  readonly errorCode: CatalogueCode | UnlistedCode | undefined;
}

/** The class of {@link PartnerApiError}, for `instanceof` and for errors that a program makes itself. */
export const PartnerApiError: PartnerApiErrorClass = RuntimeError as unknown as PartnerApiErrorClass;
