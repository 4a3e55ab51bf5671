/** Why the client itself ends a call. */
export class EarlyEnd {
  declare readonly kind: "timeout" | "aborted" | "invalid-request";
  declare readonly cause: unknown;

  constructor(kind: EarlyEnd["kind"], cause?: unknown) {
    this.kind = kind;
    this.cause = cause;
  }
}

/** The maximum delay of `setTimeout`. A timer with a larger delay would expire immediately. */
export const maxTimerMs: number = 2 ** 31 - 1;

/**
 * Runs `work` with a signal that aborts after `milliseconds` (at most {@link maxTimerMs}; `Infinity` for no limit), or when `signal`
 * aborts. The returned promise then rejects with an EarlyEnd, even if the work continues. If the time is over or `signal` has aborted
 * already, `work` is not run. `AbortSignal.timeout` and `AbortSignal.any` are not used, because they are slower, and the timer of
 * `AbortSignal.timeout` cannot be cleared when the work ends.
 */
export function withDeadline<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new EarlyEnd("aborted", signal.reason));
    if (milliseconds <= 0) return reject(new EarlyEnd("timeout"));
    const isLimited = milliseconds !== Infinity;
    const controller = isLimited || signal !== undefined ? new AbortController() : undefined;
    const end = (earlyEnd: EarlyEnd) => {
      reject(earlyEnd);
      stop();
      controller?.abort();
    };
    const unsubscribe = signal && onAbort(signal, () => end(new EarlyEnd("aborted", signal.reason)));
    const timer = isLimited
      ? setTimeout(() => end(new EarlyEnd("timeout")), Math.min(milliseconds, maxTimerMs))
      : undefined;
    const stop = () => {
      clearTimeout(timer);
      unsubscribe?.();
    };
    work(controller?.signal)
      .then(resolve, reject)
      .then(stop)
      .catch(() => {});
  });
}

/** Resolves after a time; rejects with an EarlyEnd when `signal` aborts before. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const neverSettle = () => new Promise<void>(() => undefined);
  return withDeadline(milliseconds, signal, neverSettle).catch((earlyEnd: EarlyEnd) => {
    if (earlyEnd.kind === "aborted") throw earlyEnd;
  });
}

const subscribers = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls that share a signal share one listener. @returns a function that removes the callback. */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = subscribers.get(signal) ?? new Set();
  subscribers.set(signal, callbacks.add(callback));
  // Adding the same listener again has no effect.
  signal.addEventListener("abort", callSubscribers);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) signal.removeEventListener("abort", callSubscribers);
  };
}

function callSubscribers(this: AbortSignal): void {
  for (const callback of [...(subscribers.get(this) ?? [])]) callback();
}
