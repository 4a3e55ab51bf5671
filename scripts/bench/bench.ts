/**
 * `npm run bench`: what this package weighs and costs, beside its peers, all measured in one run. Sizes are compared with
 * `budgets.json`; times are shown as ratios and fail nothing. `-- --update` writes the sizes as the new budgets. It needs the
 * npm registry, and `npm run build` before it.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { readContract } from "../contract/contract.ts";
import { runCommand } from "../contract/usage-error.ts";
import { readBundle } from "../mock/read-bundle.ts";
import { checkBudgets, readBudgets, writeBudgets } from "./budgets.ts";
import { measureCalls } from "./calls.ts";
import { closeWorkshop, openWorkshop, versions } from "./peers.ts";
import { makeSamples } from "./samples.ts";
import { measureSizes } from "./sizes.ts";
import { measureTypeCheck } from "./type-check.ts";
import { measureWebhooks } from "./webhooks.ts";

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { update: { type: "boolean", default: false } } });
  const contract = readContract(readBundle("latest"));
  const samples = makeSamples(contract);
  printEnvironment(contract.operations.length, contract.webhooks.length);

  const folder = await openWorkshop();
  try {
    const sizes = await measureSizes(folder, contract, samples[0].operation);
    printSection("Size", sizes.report);
    const types = await measureTypeCheck(folder, contract);
    printSection("Type check of a consumer", types.report);
    printSection("Time per call", await measureCalls(folder, samples));
    printSection("Webhooks, parsed and validated", await measureWebhooks(folder, contract.webhooks));

    const figures = { ...sizes.figures, ...types.figures };
    if (values.update) writeBudgets(figures);
    checkBudgets(figures, readBudgets());
    console.log("All figures with a budget are within it.");
  } finally {
    closeWorkshop(folder);
  }
}

function printEnvironment(operations: number, webhooks: number): void {
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.
Edition latest: ${operations} operations, ${webhooks} webhooks; every generator was given the same bundle.
Peers: ${peers.join(", ")}.`);
}

function printSection(title: string, report: string): void {
  console.log(`\n## ${title}\n\n${report}`);
}

await runCommand(main);
