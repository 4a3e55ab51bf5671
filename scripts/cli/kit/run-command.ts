import { UsageError } from "../../base/index.ts";
import { type Arguments, type Command, helpOf, readArguments } from "./arguments.ts";

export interface Output {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const terminal: Output = { print: (text) => console.log(text), printError: (text) => console.error(text) };

/**
 * The action should import heavy modules itself, so that a mistake in the arguments is reported without loading them.
 *
 * @returns the exit code; undefined if the action returns none, for example because a server keeps running.
 * @throws any error of the action that is not a {@link UsageError}.
 */
export async function runCommand(
  command: Command,
  args: readonly string[],
  action: (parsedArgs: Arguments) => Promise<number | undefined>,
  { print, printError }: Output = terminal,
): Promise<number | undefined> {
  try {
    const parsedArgs = readArguments(command, args);
    if (!parsedArgs.has("help")) return await action(parsedArgs);
    print(helpOf(command));
    return 0;
  } catch (error) {
    return printUsageError(error, { printError });
  }
}

/** Prints a {@link UsageError}. @returns its exit code. @throws any other error, because its stack must be printed. */
export function printUsageError(error: unknown, { printError }: Pick<Output, "printError">): number {
  if (!(error instanceof UsageError)) throw error;
  printError(error.message);
  return error.exitCode;
}
