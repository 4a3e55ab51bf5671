/**
 * A failure that the person at the terminal can mend. Its message says what is wrong, where, and what to do; commands
 * print it without a stack and exit with 1.
 */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * Runs the main function of a command. A {@link UsageError} is printed as one message, anything else with its stack;
 * both end with exit code 1.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (error instanceof UsageError) console.error(error.message);
    else console.error(error);
    process.exitCode = 1;
  }
}
