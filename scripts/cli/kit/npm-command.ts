/** What the commands of package.json share: options, messages, and how they end. */
import { UsageError } from "../../contract/model/index.ts";
import { ListenError } from "../../mock/server/listen.ts";
import { ArgumentError, type Arguments, type Command, helpOf, type Option, readArguments } from "./arguments.ts";
import { closeOnSignal as closeThen, endWithNpm } from "./ending.ts";

/** Milliseconds that a command may take to finish what it is writing. */
const mostClosing = 10_000;

/**
 * Runs a command of package.json with the arguments of this process. A mistake in the arguments is printed as one line, with exit
 * code 2; a {@link UsageError} or {@link ListenError} as one message and anything else with its stack, with exit code 1.
 *
 * @param name as in package.json.
 * @param about what it does, in a sentence, and what it can be given.
 * @param action loads what it needs itself, so that a mistake in the arguments is reported at once.
 */
export async function run(
  name: string,
  about: Pick<Command, "text" | "operands"> & { options?: readonly Option[] },
  action: (given: Arguments) => Promise<void>,
): Promise<void> {
  endWithNpm();
  const command = { options: [], ...about, usage: `npm run ${name} --` };
  try {
    const given = readArguments(command, process.argv.slice(2));
    if (given.has("help")) console.log(helpOf(command));
    else await action(given);
  } catch (error) {
    const isExpected = [ArgumentError, UsageError, ListenError].some((kind) => error instanceof kind);
    console.error(isExpected ? (error as Error).message : error);
    process.exitCode = error instanceof ArgumentError ? 2 : 1;
  }
}

/** Closes what a command has started when the process is told to stop (Ctrl+C, or a signal to npm). */
export function closeOnSignal(close: () => Promise<void>): void {
  closeThen(close, mostClosing);
}
