/** Timers that do not keep a process running. */

/**
 * Calls a function later.
 *
 * @param ms delay in milliseconds.
 * @returns a function that clears the timer.
 */
export function later(ms: number, run: () => void): () => void {
  const timer: unknown = setTimeout(run, ms);
  // In Node, Bun and Deno a timer is an object that can be told not to keep the process running; elsewhere it is a number.
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}

/** Resolves after a delay in milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void later(ms, resolve));
}

/**
 * Waits for the answer of a store for a limited time.
 *
 * @param ms the limit in milliseconds.
 * @param late is given an answer that comes after the limit. It must not throw.
 * @throws what `ask` throws or rejects with, or an Error when it does not answer in time.
 */
export function within<Answer>(
  ms: number,
  ask: () => Promise<Answer>,
  late?: (answer: Answer) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let take: (answer: Answer) => void = resolve;
    const clear = later(ms, () => {
      if (late !== undefined) take = late;
      reject(new Error("The store of handled events did not answer in time."));
    });
    const answer = async () => ask();
    answer()
      .then((value) => take(value), reject)
      .finally(clear);
  });
}
