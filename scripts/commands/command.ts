/** What the commands of package.json share: options, messages, and how they end. */
import { Command, InvalidArgumentError, Option } from "commander";
import { type Edition, editions, UsageError } from "../contract/index.ts";
import { closeOnSignal as closeThen, endWithNpm } from "../mock/command/ending.ts";
import { ListenError } from "../mock/server/listen.ts";

/** Milliseconds that a command may take to finish what it is writing. */
const mostClosing = 10_000;

/**
 * A command with `--help`.
 *
 * @param name as in package.json.
 * @param description what it does, in a sentence.
 */
export function defineCommand(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .helpOption("--help", "show this help")
    .allowExcessArguments(false);
}

/** The option for a port. */
export function portOption(flag: string, what: string, port: number): Option {
  return new Option(`${flag} <port>`, `port of ${what}; 0 takes a free one`).default(port).argParser(parsePort);
}

/** The options that say where the mock listens and what it answers. */
export function mockOptions(): Option[] {
  return [portOption("--port", "the main address", 4010), portOption("--deposit-port", "the deposit address", 4011)];
}

export function editionOption(): Option {
  return new Option("--edition <name>", "edition of the contract")
    .choices([...editions])
    .default("latest" satisfies Edition);
}

export function hostOption(): Option {
  return new Option("--host <host>", "host to listen on").default("127.0.0.1");
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("Give a number from 0 to 65535.");
  return port;
}

/**
 * Runs a command with the arguments of this process. A {@link UsageError} or {@link ListenError} is printed as one message, anything else with
 * its stack; both end with exit code 1.
 */
export async function run(command: Command): Promise<void> {
  endWithNpm();
  try {
    await command.parseAsync();
  } catch (error) {
    console.error(error instanceof UsageError || error instanceof ListenError ? error.message : error);
    process.exitCode = 1;
  }
}

/** Closes what a command has started when the process is told to stop (Ctrl+C, or a signal to npm). */
export function closeOnSignal(close: () => Promise<void>): void {
  closeThen(close, mostClosing);
}
