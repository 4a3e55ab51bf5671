/** When and how long to wait before a call is repeated. */
import type { PartnerApiError } from "./errors.js";

const firstDelayMs = 250;
const longestDelayMs = 10_000;

/** Whether a repetition may help: the connection failed, the service asked to slow down, or the code says "later". */
export function mayHelp(error: PartnerApiError): boolean {
  return error.kind === "network" || error.status === 429 || (error.kind === "code" && error.retry === "later");
}

/**
 * Milliseconds to wait before the next attempt: what `Retry-After` asks for (RFC 9110, section 10.2.3), otherwise an
 * exponential delay of which a random half is taken away, so that clients do not come back all at once.
 *
 * @param attempt the attempt that has just failed, 1 for the first.
 */
export function delayBefore(attempt: number, retryAfter: string | null, now: number = Date.now()): number {
  const asked = parseRetryAfter(retryAfter, now);
  if (asked !== undefined) return asked;
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
  return delay * (0.5 + Math.random() / 2);
}

function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
