import { maxTimerMs } from "../base/deadline.ts";

/**
 * Does not keep the process alive. With a delay above the maximum of timers, `run` is never called.
 *
 * @returns a function that stops the timer.
 */
export function startTimer(ms: number, run: () => void): () => void {
  if (ms > maxTimerMs) return () => undefined;
  const timer: unknown = setTimeout(run, ms);
  // In Node and Bun, a timer is an object with `unref`; elsewhere it can be a number.
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}

/** Rejects when the store does not reply within `ms` milliseconds. @param onLateResult receives a later result. It must not throw. */
export function waitForStore<Result>(
  ms: number,
  callStore: () => Promise<Result>,
  onLateResult?: (result: Result) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let handleResult: (result: Result) => void = resolve;
    const clear = startTimer(ms, () => {
      if (onLateResult !== undefined) handleResult = onLateResult;
      reject(new Error("The store did not answer in time."));
    });
    const callAsync = async () => callStore();
    callAsync()
      .then((value) => handleResult(value), reject)
      .finally(clear);
  });
}
