import { UsageError } from "../../base/index.ts";
import type { Plan } from "../../mock/plan/index.ts";
import type { Arguments, Command } from "../kit/arguments.ts";
import { writeNamedFile } from "../kit/output.ts";
import { runCommand } from "../kit/run-command.ts";
import { withAbortSignal } from "../kit/shutdown.ts";
import { askCommand, runAsk } from "./ask.ts";
import { checkCommand, runCheck } from "./check.ts";
import type { PackageCommand } from "./package-command.ts";
import { proxyCommand, runProxy } from "./proxy.ts";
import type { CommandContext } from "./service-options.ts";

export const serviceCommands: Readonly<Record<"ask" | "check" | "proxy", PackageCommand>> = {
  ask: commandOf("answer open questions of the contract with calls to the service", askCommand, runAsk),
  check: commandOf("report where responses of the service differ from the contract", checkCommand, runCheck),
  proxy: commandOf(
    "forward the calls of a client to the service, and report where they differ from the contract",
    proxyCommand,
    runProxy,
  ),
};

const maxClosingMs = 60_000;

type Action = (parsedArgs: Arguments, plan: Plan, context: CommandContext) => Promise<{ text: string; code: number }>;

function commandOf(text: string, describe: (usage: string) => Command, action: Action): PackageCommand {
  const run: PackageCommand["run"] = (args, { usage, loadPlan }) =>
    withAbortSignal(maxClosingMs, (signal) =>
      runCommand(describe(usage), args, async (parsedArgs) => {
        const result = await action(parsedArgs, await loadPlan(), { env: process.env, signal });
        await writeReport(parsedArgs.text("out"), result.text);
        return result.code;
      }),
    );
  return { text, run };
}

async function writeReport(file: string | undefined, text: string): Promise<void> {
  if (file === undefined) return printReport(text);
  try {
    writeNamedFile(file, `${text}\n`, ": the report is above");
  } catch (error) {
    // The report is printed to stdout instead, because repeating the calls could change data again.
    await printReport(text);
    throw error;
  }
}

function printReport(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => {
      const { code } = (error ?? {}) as NodeJS.ErrnoException;
      // EPIPE is not an error: a reader such as `head` has closed the pipe early.
      if (!error || code === "EPIPE") resolve();
      else reject(new UsageError(`The report cannot be written (${code}).`, 2));
    });
  });
}
