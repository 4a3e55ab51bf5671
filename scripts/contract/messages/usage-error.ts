/** An error that the user can correct. Its message says what is wrong, where, and what to do; commands print it without a stack. */
export class UsageError extends Error {
  override name = "UsageError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
