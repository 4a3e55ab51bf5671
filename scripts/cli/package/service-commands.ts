/** The commands of the package that hold the service against the contract: `ask`, `check` and `proxy`. */
import { writeFileSync } from "node:fs";
import type { Plan } from "../../mock/plan/index.ts";
import { ArgumentError, type Arguments, type Command } from "../kit/arguments.ts";
import { closeOnSignal, endWithNpm } from "../kit/ending.ts";
import { runCommand } from "../kit/frame.ts";
import { askCommand, runAsk } from "./ask.ts";
import { checkCommand, runCheck } from "./check.ts";
import type { PackageCommand } from "./package-command.ts";
import { proxyCommand, runProxy } from "./proxy.ts";
import type { Surroundings } from "./service-options.ts";

/** By their names. */
export const serviceCommands: Readonly<Record<"ask" | "check" | "proxy", PackageCommand>> = {
  ask: commandOf("answer open questions of the contract with calls to the service", askCommand, runAsk),
  check: commandOf("tell where responses of the service differ from the contract", checkCommand, runCheck),
  proxy: commandOf("the same for the calls of a client, as they pass", proxyCommand, runProxy),
};

/** Milliseconds that a command may take, once it is told to stop, to take back what it has changed. */
const mostClosing = 60_000;

/** Does what a command line says. @returns what is printed, and the exit code. */
type Act = (given: Arguments, plan: Plan, about: Surroundings) => Promise<{ text: string; code: number }>;

/** A command. Its exit code is 2 for a mistake on the command line, 3 where the service cannot be called. */
function commandOf(text: string, describe: (usage: string) => Command, act: Act): PackageCommand {
  const run: PackageCommand["run"] = async (args, { usage, loadPlan }) => {
    endWithNpm();
    const stopping = new AbortController();
    const release = closeOnSignal(async () => stopping.abort(), mostClosing);
    try {
      return await runCommand(describe(usage), args, async (given) => {
        const done = await act(given, await loadPlan(), { env: process.env, signal: stopping.signal });
        print(given.text("out"), done.text);
        return done.code;
      });
    } finally {
      release();
    }
  };
  return { text, run };
}

/** @param file printed to the terminal where it is undefined. */
function print(file: string | undefined, text: string): void {
  try {
    if (file === undefined) console.log(text);
    else writeFileSync(file, `${text}\n`);
  } catch (error) {
    // What the calls have shown, and may have changed, is not lost.
    console.log(text);
    throw new ArgumentError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): the report is above.`,
    );
  }
}
