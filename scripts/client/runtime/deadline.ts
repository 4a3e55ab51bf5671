/** What can end a call before it has its answer: its time is over, or the caller aborts it. */

export interface Deadline {
  /** Aborts when the call has to end. */
  readonly signal: AbortSignal;
  /** When the time is over, in milliseconds since the epoch. */
  readonly endsAt: number;
  /** Whether it was the time that ended the call. */
  isOver(): boolean;
  /** To be called when the call has ended, so that neither a timer nor a listener is left. */
  stop(): void;
}

/** A timer with more would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Starts the time of a call.
 *
 * `AbortSignal.timeout` and `AbortSignal.any` would do the same, but cost more on Node 20, and leave a timer
 * behind for every call.
 */
export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  let isOver = false;
  const onTimeout = () => {
    if (signal.aborted) return;
    isOver = true;
    controller.abort(new DOMException("The time of the call is over.", "TimeoutError"));
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
