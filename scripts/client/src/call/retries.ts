import type { PartnerApiError } from "../errors/errors.ts";

const firstDelayMs = 250;
const maxBackoffMs = 10_000;
/** If `Retry-After` requires a longer delay, the call is not retried. */
export const maxDelayMs = 60_000;

/** An HTTP date (RFC 9110, section 5.6.7). `Date.parse` would also read "1.5" as a date. */
const dateForm = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/;

/**
 * An operation that is not safe (RFC 9110, section 9.2.1) is retried only if no attempt can have had an effect, or with `repeatUnknown`.
 */
export function mayRetry(error: PartnerApiError, safe?: boolean, repeatUnknown?: boolean): boolean {
  const { kind, status = 0, retry, outcome } = error;
  if (safe && status >= 502 && status <= 504) return true;
  const isTemporary = kind === "network" || kind === "timeout" || status === 429 || retry === "later";
  return isTemporary && (safe || repeatUnknown || outcome !== "unknown");
}

/**
 * Milliseconds: an exponential backoff, or `Retry-After` (RFC 9110, section 10.2.3) if that is longer. Random jitter spreads the retries of
 * calls that failed together.
 */
export function delayBefore(attempt: number, retryAfter?: string | null): number {
  const value = retryAfter?.trim() ?? "";
  // One form of the date has no time zone. In the others, `Date.parse` ignores a second "GMT".
  const date = dateForm.test(value) ? Date.parse(`${value} GMT`) - Date.now() : 0;
  const requestedMs = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : date || 0;
  const jitter = (milliseconds: number) => (milliseconds / 2) * Math.random();
  const backoff = Math.min(maxBackoffMs, firstDelayMs * 2 ** (attempt - 1));
  return Math.max(backoff - jitter(backoff), requestedMs + jitter(Math.min(requestedMs, 2_000)));
}
