/** Which failed calls are repeated, and after which delay. */
import type { PartnerApiError } from "./errors.ts";

const firstDelayMs = 250;
const longestDelayMs = 10_000;

/** An HTTP date in one of its three forms (RFC 9110, section 5.6.7). Without this, `Date.parse` reads "1.5" as a date. */
const dateForm = /^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/;

/**
 * Whether repeating a failed call may succeed: the connection failed, an attempt took too long, the status is 429, or the
 * catalogue says of the P-code that it may succeed later. A safe operation also after 502, 503 and 504.
 *
 * @param safe whether the operation is safe (RFC 9110, section 9.2.1).
 */
export function mayHelp({ kind, status = 0, retry }: PartnerApiError, safe: boolean): boolean {
  if (kind === "network" || kind === "timeout" || status === 429 || retry === "later") return true;
  return safe && status >= 502 && status <= 504;
}

/**
 * The delay before the next attempt: the value of `Retry-After` (RFC 9110, section 10.2.3) if there is a usable one, otherwise
 * an exponential backoff with random jitter of up to one half.
 *
 * @param attempt number of the failed attempt, starting with 1.
 * @param retryAfter value of the `Retry-After` header: seconds or a date; anything else is as if it were absent.
 * @returns milliseconds.
 */
export function delayBefore(attempt: number, retryAfter?: string | null): number {
  const value = retryAfter?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = dateForm.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
