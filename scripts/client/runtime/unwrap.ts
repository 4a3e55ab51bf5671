import type { PartnerApiError } from "./errors.js";

/**
 * The data of a successful call.
 *
 * @param result what a call returned.
 * @throws {PartnerApiError} the error of the call, when it failed.
 */
export function unwrap<Result extends { data: unknown; error: PartnerApiError | undefined }>(
  result: Result,
): Extract<Result, { error: undefined }>["data"] {
  if (result.error !== undefined) throw result.error;
  return result.data as Extract<Result, { error: undefined }>["data"];
}
