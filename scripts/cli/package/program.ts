import { relative } from "node:path";
import { didYouMean } from "../../base/index.ts";
import { loadPlan, type Plan } from "../../mock/plan/index.ts";
import { formatGroup } from "../kit/arguments.ts";
import { ignoreWriteErrors, textPrinter, waitingPrinter } from "../kit/output.ts";
import type { Output } from "../kit/run-command.ts";
import { controlCommandRows, controlExampleRows, runControlCommand } from "./control.ts";
import { runMockCommand } from "./mock.ts";
import type { PackageCommand } from "./package-command.ts";
import { runWebhookCommand } from "./webhook.ts";

/** The command that help texts show: `npx partner-wallet-api` for the installed package, `node FILE` for a copied file. */
function usageOf(file = ""): string {
  return /node_modules/.test(file) || !file.endsWith(".cjs") ? "npx partner-wallet-api" : `node ${relative("", file)}`;
}

export async function runProgram(args: readonly string[]): Promise<void> {
  ignoreWriteErrors();
  process.exitCode = await run(args);
}

async function run([name = "", ...args]: readonly string[]): Promise<number | undefined> {
  const usage = usageOf(process.argv[1]);
  const output = { print: textPrinter(process.stdout), printError: textPrinter(process.stderr) };
  const commands = await findCommands(name, output);
  if (Object.hasOwn(commands, name)) return commands[name]?.run(args, { usage: `${usage} ${name}`, loadPlan });
  const plan = await loadPlan();
  if (name === "--version") {
    output.print(plan.version);
    return 0;
  }
  const controlNames = controlCommandRows(plan).map(([words]) => words.replace(/ .*/, ""));
  if (controlNames.includes(name)) {
    return runControlCommand([name, ...args], {
      ...output,
      printFollowed: waitingPrinter(process.stdout),
      usage,
      plan,
    });
  }
  if (["--help", "-h", "help"].includes(name)) {
    output.print(programHelp(usage, commands, plan));
    return 0;
  }
  const names = [...new Set([...Object.keys(commands), ...controlNames])];
  output.printError(name === "" ? programHelp(usage, commands, plan) : unknownCommand(usage, name, names));
  return 2;
}

/** For `mock` and `webhook`, loads only these two commands, because the others load slowly. */
async function findCommands(name: string, output: Output): Promise<Readonly<Record<string, PackageCommand>>> {
  const lightCommands: Record<string, PackageCommand> = {
    mock: { text: "run a mock of the service, with its state and its rules", run: runMockCommand },
    webhook: {
      text: "send a single event to your receiver",
      run: (args, context) => runWebhookCommand(args, { ...output, ...context }),
    },
  };
  if (Object.hasOwn(lightCommands, name)) return lightCommands;
  // These modules load the generated tables of the client, which `mock` and `webhook` do not need.
  return {
    ...lightCommands,
    ...(await import("./prove.ts")).proveCommands,
    ...(await import("./service-commands.ts")).serviceCommands,
    ...(await import("./payments.ts")).paymentsCommands,
  };
}

function unknownCommand(usage: string, name: string, names: readonly string[]): string {
  return [
    `Usage: ${usage} <command> [options]; all commands: ${usage} --help`,
    `Commands: ${names.join(", ")}`,
    `There is no command ${name}.${didYouMean(name, names)}`,
  ].join("\n");
}

function programHelp(usage: string, commands: Readonly<Record<string, PackageCommand>>, plan: Plan): string {
  const rows = Object.entries(commands).map(([name, { text }]) => [name, text] as const);
  const examples = controlExampleRows(plan).map(([args, summary]) => `  # ${summary}\n  ${usage} ${args}`);
  return [
    `Usage: ${usage} <command> [options]`,
    formatGroup({ title: "Commands", rows }),
    formatGroup({ title: "Commands for a running mock", rows: controlCommandRows(plan) }),
    ...(examples.length === 0
      ? []
      : [`Examples, with a mock that runs in another terminal (${usage} mock):\n${examples.join("\n")}`]),
    `Each command has its own help, without its values: ${usage} mock --help, ${usage} faults add --help`,
  ].join("\n\n");
}
