/** A time: milliseconds since 1970, a `Date`, or an ISO 8601 text such as "2026-04-01" or "2026-04-01T09:00:00Z". */
export type Time = number | string | Date;

/** The range of the mock's clock in milliseconds since 1970, up to the start of 31 December 9999 (UTC). */
export const earliestTime = 0;
export const latestTime: number = Date.UTC(9999, 11, 31);

const units: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/**
 * @param duration milliseconds, or a text such as "90 seconds" or "1 hour 30 minutes".
 * @throws {RangeError} for any other value.
 */
export function toMilliseconds(duration: string | number): number {
  if (typeof duration === "number" && Number.isFinite(duration) && duration >= 0) return duration;
  const text = String(duration).trim().toLowerCase();
  if (!/^(\d+(\.\d+)? ?[a-z]+[ ,]*)+$/.test(text)) throw invalidDuration(duration);
  let sum = 0;
  for (const [, amount = "", unit = ""] of text.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)) {
    const factor =
      units[unit.replace(/s$/, "")] ??
      units[{ ms: "millisecond", s: "second", m: "minute", min: "minute", h: "hour", d: "day" }[unit] ?? ""];
    if (factor === undefined) throw invalidDuration(duration);
    sum += Number(amount) * factor;
  }
  return Math.round(sum);
}

function invalidDuration(text: unknown): RangeError {
  return new RangeError(
    `${JSON.stringify(text)} is no length of time. Give milliseconds, or a text such as "2 days" or "90 seconds".`,
  );
}
