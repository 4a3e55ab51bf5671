import type { ClockReadings } from "./protocol.ts";
import type { PaymentStore } from "./store.ts";

/** The clock of payments, which a test can replace. */
export interface PaymentClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after the given number of milliseconds. */
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
  const [, count = "", unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?) (\w+?)s?$/.exec(String(duration)) ?? [];
  const durationMs = Number(count) * (unitMs[unit] ?? 0);
  if (durationMs > 0) return durationMs;
  throw new TypeError(`${name} must be a length of time such as "15 minutes".`);
}

/**
 * Creates a clock that never goes back and, unlike `performance.now`, also counts the time while the machine sleeps. Returns a function that
 * reads it, in milliseconds. Only differences between readings have a meaning.
 */
export function steadyClock(clock: PaymentClock): () => number {
  let [elapsedMs, lastTick, lastNow] = [0, performance.now(), clock.now()];
  return () => {
    const [tick, now] = [performance.now(), clock.now()];
    elapsedMs += Math.max(0, tick - lastTick, now - lastNow);
    [lastTick, lastNow] = [tick, now];
    return elapsedMs;
  };
}

/** How long, in milliseconds, the store's time is computed from the steady clock before it is read again. */
const maxTimeAgeMs = 5000;

/** Reads the steady clock, and the store's clock (the process's if it has none). With `isStamp`, the store's time is not computed. */
export function clocksOf(
  store: PaymentStore,
  clock: PaymentClock,
  readSteadyClock: () => number,
): (isStamp?: true) => Promise<ClockReadings> {
  let lastReadings: ClockReadings | undefined;
  return async (isStamp) => {
    const steady = readSteadyClock();
    if (store.now === undefined) return { steady, now: clock.now() };
    // If the process's clock jumps forward, the steady clock does too: the computed time can then be ahead, by at most `maxTimeAgeMs`.
    // The steady clock is read before the store's, so that a deadline counted from its reading is never too late.
    if (isStamp || lastReadings === undefined || steady - lastReadings.steady > maxTimeAgeMs) {
      const now = await store.now();
      if (!Number.isFinite(now)) throw new TypeError("now() of the store must resolve to a number.");
      lastReadings = { steady, now };
    }
    return { steady, now: lastReadings.now + steady - lastReadings.steady };
  };
}
