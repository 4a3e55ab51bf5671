/** What ends a call before its response is complete: its timeout, or the caller's signal. */

export interface Deadline {
  /** Aborts when the call has to end. */
  readonly signal: AbortSignal;
  /** When the timeout expires, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Whether the timeout, and not the caller, ended the call. */
  isOver(): boolean;
  /** Removes the timer and the listener. Must be called when the call has ended. */
  stop(): void;
}

/** The maximum delay of `setTimeout`; a larger one would expire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Starts the timeout of a call.
 *
 * `AbortSignal.timeout` and `AbortSignal.any` would do the same, but cost more on Node 20 and leave a timer behind for
 * every call.
 *
 * @param timeoutMs milliseconds for all attempts of the call.
 * @param callerSignal the signal that the caller passed.
 */
export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  let isOver = false;
  const onTimeout = () => {
    if (signal.aborted) return;
    isOver = true;
    controller.abort(new DOMException("The call timed out.", "TimeoutError"));
  };
  const onAbort = () => controller.abort(callerSignal?.reason);
  const timer = setTimeout(onTimeout, Math.min(timeoutMs, longestTimerMs));
  if (callerSignal?.aborted) onAbort();
  callerSignal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal,
    endsAt: Date.now() + timeoutMs,
    isOver: () => isOver,
    stop: () => {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", onAbort);
    },
  };
}

/**
 * Settles with the promise, or rejects when the signal aborts, because a custom `fetch` may ignore its signal.
 *
 * @param signal a signal of this call alone: the listener is not removed.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/**
 * Waits.
 *
 * @returns false when the signal aborted before the delay was over.
 */
export function wait(delayMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (completed: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(completed);
    };
    const onAbort = () => finish(false);
    const timer = setTimeout(() => finish(true), delayMs);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
