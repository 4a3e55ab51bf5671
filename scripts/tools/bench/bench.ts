import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../base/index.ts";
import { bundleContract } from "../../contract/bundle/index.ts";
import { readContract } from "../../contract/model/index.ts";
import { Sources } from "../../contract/sources/index.ts";
import { withTemporaryFolder } from "../processes/index.ts";
import { measureCalls } from "./calls.ts";
import { measureMock } from "./mock.ts";
import { linkPackages } from "./programs.ts";
import { makeSamples } from "./samples.ts";
import { type Figures, measureSizes } from "./sizes.ts";

/**
 * Prints the report in Markdown. Needs the output of `npm run build`.
 * @param options `isShort`: a tenth of the measured calls and requests, to test the benchmark itself. Sizes are measured in full.
 * @throws {UsageError} when a figure is over its budget, a figure or a budget has no counterpart, the mock is not built, the contract lacks
 * an operation of the samples, or a client or server does not respond as documented.
 */
export async function bench({ isShort }: { isShort: boolean }): Promise<void> {
  const contract = readContract((await bundleContract("latest", new Sources())).document);
  const samples = makeSamples(contract);
  const effort = isShort ? 0.1 : 1;
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.`);
  await withTemporaryFolder("bench-", async (folder) => {
    linkPackages(folder);
    const print = (title: string, report: string) => console.log(`\n## ${title}\n\n${report}`);
    const sizeSection = await measureSizes(folder, contract, samples);
    print("Size and types", sizeSection.report);
    print("Calls", await measureCalls(folder, samples, effort));
    print("Mock", await measureMock(contract, effort));
    checkBudgets(sizeSection.figures, readBudgets());
    console.log("\nAll sizes are within their budgets.");
  });
}

function readBudgets(): Figures {
  return JSON.parse(readFileSync(join(import.meta.dirname, "budgets.json"), "utf8")) as Figures;
}

export function checkBudgets(measured: Figures, budgets: Figures): void {
  const names = [...new Set([...Object.keys(measured), ...Object.keys(budgets)])];
  const problems = names.flatMap((name) => problemOf(name, measured[name], budgets[name]));
  if (problems.length === 0) return;
  throw new UsageError(
    `${problems.join("\n")}\nMake it smaller, or change scripts/tools/bench/budgets.json and say why in the commit.`,
  );
}

function problemOf(name: string, figure = Number.NaN, budget = Number.NaN): string[] {
  if (!Number.isFinite(budget)) return [`${name}: ${figure} measured, but there is no budget.`];
  if (!Number.isFinite(figure)) return [`${name}: there is a budget, but nothing was measured.`];
  return figure > budget ? [`${name}: ${figure} is over the budget of ${budget} by ${figure - budget}.`] : [];
}
