import { relative } from "node:path";
import { didYouMean } from "../../contract/messages/index.ts";
import { loadPlan, type Plan } from "../../mock/plan/index.ts";
import { formatGroup } from "../kit/arguments.ts";
import { ignoreWriteErrors, textPrinter } from "../kit/output.ts";
import { controlCommandRows, controlExampleRows, runControlCommand } from "./control.ts";
import { runMockCommand } from "./mock.ts";
import type { PackageCommand } from "./package-command.ts";
import { runWebhookCommand } from "./webhook.ts";

/** The command that help texts show: `npx partner-wallet-api` for the installed package, `node FILE` for a copied file. */
function usageOf(file = ""): string {
  return /node_modules/.test(file) || !file.endsWith(".cjs") ? "npx partner-wallet-api" : `node ${relative("", file)}`;
}

export async function runProgram([name = "", ...args]: readonly string[]): Promise<void> {
  ignoreWriteErrors();
  const usage = usageOf(process.argv[1]);
  const output = { print: textPrinter(process.stdout), printError: textPrinter(process.stderr), loadPlan };
  const lightCommands: Record<string, PackageCommand> = {
    mock: { text: "run a mock of the service, with its state and its rules", run: runMockCommand },
    webhook: {
      text: "send a single event to your receiver",
      run: (commandArgs, context) => runWebhookCommand(commandArgs, { ...output, ...context }),
    },
  };
  // These modules load the generated tables of the client, which `mock` and `webhook` do not need.
  const commands = Object.hasOwn(lightCommands, name)
    ? lightCommands
    : {
        ...lightCommands,
        ...(await import("./prove.ts")).proveCommands,
        ...(await import("./service-commands.ts")).serviceCommands,
        ...(await import("./payments.ts")).paymentsCommands,
      };
  if (Object.hasOwn(commands, name)) {
    process.exitCode = await commands[name]?.run(args, { usage: `${usage} ${name}`, loadPlan });
    return;
  }
  const plan = await loadPlan();
  const controlRows = controlCommandRows(plan);
  const names = [...Object.keys(commands), ...controlRows.map(([words]) => words.replace(/ .*/, ""))];
  if (name === "--version") console.log(plan.version);
  else if (names.includes(name)) {
    process.exitCode = await runControlCommand([name, ...args], { ...output, usage, plan });
  } else {
    const isHelpRequested = ["--help", "-h", "help"].includes(name);
    const rows = Object.entries(commands).map(([words, { text }]): [string, string] => [words, text]);
    if (isHelpRequested || name === "") (isHelpRequested ? output.print : output.printError)(helpOf(usage, rows, plan));
    else {
      output.printError(
        `Usage: ${usage} <command> [options]; all commands: ${usage} --help\nCommands: ${[...new Set(names)].join(", ")}\nThere is no command ${name}.${didYouMean(name, names)}`,
      );
    }
    process.exitCode = isHelpRequested ? 0 : 2;
  }
}

function helpOf(usage: string, commands: readonly [words: string, text: string][], plan: Plan): string {
  const examples = controlExampleRows(plan).map(([args, summary]) => `  # ${summary}\n  ${usage} ${args}`);
  return [
    `Usage: ${usage} <command> [options]`,
    formatGroup({ title: "Commands", rows: commands }),
    formatGroup({ title: "Commands for a running mock", rows: controlCommandRows(plan) }),
    ...(examples.length === 0
      ? []
      : [`Examples, with a mock that runs in another terminal (${usage} mock):\n${examples.join("\n")}`]),
    `Each command has its own help, without its values: ${usage} mock --help, ${usage} faults add --help`,
  ].join("\n\n");
}
