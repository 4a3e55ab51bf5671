/** Runs commands: parses the command line, shows the help, and turns a failure into a message and an exit code. */
import { UsageError } from "../../contract/messages/index.ts";
import { type Arguments, type Command, helpOf, readArguments } from "./arguments.ts";

export interface Output {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const terminal: Output = { print: (text) => console.log(text), printError: (text) => console.error(text) };

/**
 * Runs a command.
 *
 * @param args the arguments after the command's name.
 * @param action runs the command. It imports heavy modules itself, so that a mistake in the arguments is reported without loading them. It
 *   returns the exit code, or undefined for a command that keeps serving.
 * @returns 0 after the help; after a {@link UsageError}, which is printed without a stack, the error's `exitCode` (2 for a mistake on the
 *   command line); otherwise what the action returns.
 * @throws any other error of the action.
 */
export async function runCommand(
  command: Command,
  args: readonly string[],
  action: (given: Arguments) => Promise<number | undefined>,
  { print, printError }: Output = terminal,
): Promise<number | undefined> {
  try {
    const given = readArguments(command, args);
    if (!given.has("help")) return await action(given);
    print(helpOf(command));
    return 0;
  } catch (error) {
    return failure(error, { printError });
  }
}

/** Prints why a command failed. @returns the exit code. @throws any error that is not a {@link UsageError}: such an error is a bug. */
export function failure(error: unknown, { printError }: Pick<Output, "printError">): number {
  if (!(error instanceof UsageError)) throw error;
  printError(error.message);
  return error.exitCode;
}
