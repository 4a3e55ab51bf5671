/** The program of the package: `npx partner-wallet-api mock`, `npx partner-wallet-api webhook`. */
import { readFileSync } from "node:fs";
import type { Plan } from "../plan/plan.ts";
import { runWebhookCommand } from "../webhooks/command.ts";
import { didYouMean } from "./arguments.ts";
import { runMockCommand } from "./mock.ts";
import { survivePipes } from "./output.ts";

const usage = "npx partner-wallet-api";

const help = `Usage: ${usage} <command> [options]

Commands:
  mock     run a mock of the service, with its state and its rules
  webhook  send a single event to your receiver

Each has its own help: ${usage} mock --help`;

/** Loaded when it is needed, and not for the help. */
async function loadPlan(): Promise<Plan> {
  return (await import("../../../generated/mock/plan.js")).plan;
}

type Run = (args: readonly string[]) => Promise<number | undefined>;

function commandsOf(packageFile: URL): Readonly<Record<string, Run>> {
  return {
    mock: (args) =>
      runMockCommand(args, {
        usage: `${usage} mock`,
        versionOf: () => versionIn(packageFile),
        loadPlan,
      }),
    webhook: (args) =>
      runWebhookCommand(args, {
        usage: `${usage} webhook`,
        loadPlan,
        print: console.log,
        printError: console.error,
      }),
  };
}

function versionIn(packageFile: URL): string {
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}

/**
 * Runs the program. It sets the exit code of the process: 0, 1 for a failure, 2 for a mistake on the command line.
 *
 * @param args of the program, the name of the command first.
 * @param packageFile the `package.json` with the version.
 */
export async function runProgram([name = "", ...args]: readonly string[], packageFile: URL): Promise<void> {
  survivePipes();
  const commands = commandsOf(packageFile);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) {
    const code = await command(args);
    if (code !== undefined) process.exitCode = code;
  } else if (name === "--version") console.log(versionIn(packageFile));
  else if (["--help", "-h", "help"].includes(name)) console.log(help);
  else {
    const mistake = name === "" ? "" : `There is no command ${name}.${didYouMean(name, Object.keys(commands))}\n\n`;
    console.error(`${mistake}${help}`);
    process.exitCode = 2;
  }
}
