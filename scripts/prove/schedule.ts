/** Runs tasks in parallel. */

/**
 * Starts all tasks in order, at most `most` at a time.
 *
 * @throws the first error of a task; no further task is started then.
 */
export async function runConcurrently<Result>(
  tasks: readonly (() => Promise<Result>)[],
  most: number,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let hasFailed = false;
  const work = async (): Promise<void> => {
    while (next < tasks.length && !hasFailed) {
      const index = next;
      next += 1;
      try {
        results[index] = (await tasks[index]?.()) as Result;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(most, tasks.length) }, work);
  const ended = await Promise.allSettled(workers);
  const failed = ended.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results;
}
