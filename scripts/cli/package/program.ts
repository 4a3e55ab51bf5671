import { relative } from "node:path";
import { didYouMean } from "../../contract/messages/index.ts";
import { loadPlan, type Plan } from "../../mock/plan/index.ts";
import { formatGroup } from "../kit/arguments.ts";
import { survivePipes, textPrinter } from "../kit/output.ts";
import { controlCommandRows, controlExampleRows, runControlCommand } from "./control.ts";
import { runMockCommand } from "./mock.ts";
import type { PackageCommand } from "./package-command.ts";
import { runWebhookCommand } from "./webhook.ts";

/** The program's name in help texts: the name of the package if installed, the path of the file if the file was copied. */
function usageOf(file = ""): string {
  return /node_modules/.test(file) || !file.endsWith(".cjs") ? "npx partner-wallet-api" : `node ${relative("", file)}`;
}

export async function runProgram([name = "", ...args]: readonly string[]): Promise<void> {
  survivePipes();
  const usage = usageOf(process.argv[1]);
  const about = { print: textPrinter(process.stdout), printError: textPrinter(process.stderr), loadPlan };
  const own: Record<string, PackageCommand> = {
    mock: { text: "run a mock of the service, with its state and its rules", run: runMockCommand },
    webhook: {
      text: "send a single event to your receiver",
      run: (rest, given) => runWebhookCommand(rest, { ...about, ...given }),
    },
  };
  // Not imported for `mock` and `webhook`: these modules load the client's generated tables.
  const commands = Object.hasOwn(own, name)
    ? own
    : {
        ...own,
        ...(await import("./prove.ts")).proveCommands,
        ...(await import("./service-commands.ts")).serviceCommands,
        ...(await import("./payments.ts")).paymentsCommands,
      };
  if (Object.hasOwn(commands, name)) {
    process.exitCode = await commands[name]?.run(args, { usage: `${usage} ${name}`, loadPlan });
    return;
  }
  const plan = await loadPlan();
  const control = controlCommandRows(plan);
  const names = [...Object.keys(commands), ...control.map(([words]) => words.replace(/ .*/, ""))];
  if (name === "--version") console.log(plan.version);
  else if (names.includes(name)) {
    process.exitCode = await runControlCommand([name, ...args], { ...about, usage, plan });
  } else {
    const isAsked = ["--help", "-h", "help"].includes(name);
    const rows = Object.entries(commands).map(([words, { text }]): [string, string] => [words, text]);
    if (isAsked || name === "") (isAsked ? about.print : about.printError)(helpOf(usage, rows, plan));
    else {
      about.printError(
        `Usage: ${usage} <command> [options]; all commands: ${usage} --help\nCommands: ${[...new Set(names)].join(", ")}\nThere is no command ${name}.${didYouMean(name, names)}`,
      );
    }
    process.exitCode = isAsked ? 0 : 2;
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
