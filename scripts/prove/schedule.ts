export type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Tasks start in order, at most `maxTasks` at the same time. After a task has failed, the tasks that have not started fail with the same
 * error.
 */
export function makeLimit(maxTasks: number): Limit {
  const queue: (() => void)[] = [];
  let freeSlots = maxTasks;
  let failure: { readonly error: unknown } | undefined;
  return async (task) => {
    if (freeSlots > 0) freeSlots -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      if (failure !== undefined) throw failure.error;
      return await task();
    } catch (error) {
      failure ??= { error };
      throw error;
    } finally {
      const startNext = queue.shift();
      if (startNext === undefined) freeSlots += 1;
      else startNext();
    }
  };
}

/** Awaits all promises. @throws the error of the first failed promise in the list, after all promises have settled. */
export async function awaitAll<Result>(promises: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
