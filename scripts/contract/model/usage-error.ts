/**
 * A failure that the person at the terminal can correct. Its message says what is wrong, where, and what to do; commands
 * print it without a stack and exit with 1.
 */
export class UsageError extends Error {
  override name = "UsageError";
}
