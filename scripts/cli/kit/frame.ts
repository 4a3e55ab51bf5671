/** What every command does alike: it reads its command line, shows its help, and turns a failure into a message and an exit code. */
import { UsageError } from "../../contract/messages/index.ts";
import { type Arguments, type Command, helpOf, readArguments } from "./arguments.ts";

/** Where a command prints to. */
export interface Output {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const terminal: Output = { print: (text) => console.log(text), printError: (text) => console.error(text) };

/**
 * Runs a command.
 *
 * @param args what stands behind its name on the command line.
 * @param action what it does; it loads what it needs itself, so that a mistake in the arguments is reported at once. It returns the
 *   exit code, or undefined for a command that goes on serving.
 * @returns the exit code: 0 after the help, that of the action, or that of a {@link UsageError}, whose message is printed without a
 *   stack; 2 stands for a mistake on the command line.
 * @throws whatever else the action throws.
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

/** Prints why a command failed. @returns the exit code. @throws what is no {@link UsageError}: a mistake of the command itself. */
export function failure(error: unknown, { printError }: Pick<Output, "printError">): number {
  if (!(error instanceof UsageError)) throw error;
  printError(error.message);
  return error.exitCode;
}
