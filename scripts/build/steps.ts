/** Runs the steps of a build, with one line for each. */

/**
 * Runs a step and prints its name, what it did and how long it took.
 *
 * @param name what the step is called.
 * @param run does the work and returns its result with a few words on it.
 * @throws what the step throws, after its line was printed.
 */
export async function runStep<Result>(
  name: string,
  run: () => Promise<{ result: Result; summary: string }>,
): Promise<Result> {
  const startedAt = performance.now();
  try {
    const { result, summary } = await run();
    console.log(line("✓", name, startedAt, summary));
    return result;
  } catch (error) {
    console.log(line("✗", name, startedAt, "failed"));
    throw error;
  }
}

function line(mark: string, name: string, startedAt: number, summary: string): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  return `${mark} ${name.padEnd(8)} ${`${seconds} s`.padStart(8)}  ${summary}`;
}
