export type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * Makes a function that runs the tasks passed to it in order, at most `most` at the same time. After a task has failed, the tasks that have
 * not started fail with the same error.
 */
export function limitTo(most: number): Limit {
  const waiting: (() => void)[] = [];
  let free = most;
  let failure: { readonly error: unknown } | undefined;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (failure !== undefined) throw failure.error;
      return await task();
    } catch (error) {
      failure ??= { error };
      throw error;
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** @throws the first error, but only after all promises have settled. */
export async function allOf<Result>(promises: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
