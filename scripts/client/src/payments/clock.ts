/** The clock of payments, which a test can replace. */
export interface PaymentClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after the given time. */
  wait(milliseconds: number): Promise<void>;
}

export const systemClock: PaymentClock = {
  now: () => Date.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** A duration, such as `"15 minutes"`. */
export type Duration = `${number} ${"second" | "minute" | "hour" | "day"}${"" | "s"}`;

const unitMs: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export function toMs(name: string, duration: Duration): number {
  const [, count = "", unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?) (second|minute|hour|day)s?$/.exec(String(duration)) ?? [];
  const length = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (length > 0) return length;
  throw new TypeError(`${name} must be a length of time such as "15 minutes".`);
}

/**
 * A clock of this process that never goes back: for times that must not be underestimated, also while the machine sleeps. Its zero has no
 * meaning.
 */
export function steadyClock(clock: PaymentClock): () => number {
  let [steady, last, lastNow] = [0, performance.now(), clock.now()];
  return () => {
    const [tick, now] = [performance.now(), clock.now()];
    steady += Math.max(0, tick - last, now - lastNow);
    [last, lastNow] = [tick, now];
    return steady;
  };
}
