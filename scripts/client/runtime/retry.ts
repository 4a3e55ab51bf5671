/** Which failed calls are repeated, and after which delay. */
import type { PartnerApiError } from "./errors.ts";

const firstDelayMs = 250;
const longestDelayMs = 10_000;

/**
 * Whether repeating a failed call may succeed: the connection failed, the status is 429, or the catalogue says of the
 * P-code that it may succeed later.
 */
export function mayHelp(error: PartnerApiError): boolean {
  return error.kind === "network" || error.status === 429 || (error.kind === "code" && error.retry === "later");
}

/**
 * The delay before the next attempt: the value of `Retry-After` (RFC 9110, section 10.2.3) if there is one, otherwise an
 * exponential backoff with random jitter of up to one half.
 *
 * @param attempt number of the failed attempt, starting with 1.
 * @param retryAfter value of the `Retry-After` header, null when it is absent.
 * @returns milliseconds.
 */
export function delayBefore(attempt: number, retryAfter: string | null): number {
  const requested = parseRetryAfter(retryAfter);
  if (requested !== undefined) return requested;
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return delay * (0.5 + Math.random() / 2);
}

function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
