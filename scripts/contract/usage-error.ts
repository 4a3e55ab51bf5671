/**
 * A failure that the person at the terminal can mend. Its message says what is wrong, where, and what to do; commands
 * print it without a stack and exit with 1.
 */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * Runs the main function of a command. A {@link UsageError} and a mistake in the command's options are printed as one
 * message, anything else with its stack; all end with exit code 1.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (error instanceof UsageError || isOptionMistake(error)) console.error(error.message);
    else console.error(error);
    process.exitCode = 1;
  }
}

/** Whether `parseArgs` of node:util refused the command line. */
function isOptionMistake(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("ERR_PARSE_ARGS");
}
