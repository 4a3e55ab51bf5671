/** Measures what this package weighs and costs beside other programs, and compares some of the figures with their budgets. */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readContract, UsageError } from "../contract/index.ts";
import { readBundle } from "../plan/index.ts";
import { withTemporaryFolder } from "../verify/processes.ts";
import { measureBuild } from "./build.ts";
import { measureCalls } from "./calls.ts";
import type { BudgetedReport, Figures } from "./figures.ts";
import { measureMock } from "./mock.ts";
import { generatePeers } from "./programs.ts";
import { makeSamples } from "./samples.ts";
import { measureSizes } from "./sizes.ts";

/**
 * Measures everything in one run and prints a report in Markdown. Sizes, which are the same in every run, and ratios of the
 * mock to Prism are compared with `budgets.json`. Needs what `npm run build` writes.
 *
 * @param options `update`: whether the figures become the new budgets; `short`: whether a tenth of the rounds is enough,
 * which shows that everything works, and gives ratios that vary.
 * @throws {UsageError} when a figure is over its budget, or a program does not get the documented answer.
 */
export async function bench({ update, short }: { update: boolean; short: boolean }): Promise<void> {
  const contract = readContract(readBundle("latest"));
  const samples = makeSamples(contract);
  const effort = short ? 0.1 : 1;
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.`);
  await withTemporaryFolder("bench-", async (folder) => {
    await generatePeers(folder);
    let figures: Figures = {};
    const print = (title: string, section: BudgetedReport) => {
      console.log(`\n## ${title}\n\n${section.report}`);
      figures = { ...figures, ...section.figures };
    };
    print("Size and types", await measureSizes(folder, contract, samples));
    print("Calls", { report: await measureCalls(folder, samples, effort), figures: {} });
    print("Mock", await measureMock(contract, effort));
    print("Build", { report: await measureBuild(folder), figures: {} });
    if (update) writeBudgets(figures);
    checkBudgets(figures, readBudgets());
    console.log("\nAll figures with a budget are within it.");
  });
}

const budgetFile = join(import.meta.dirname, "budgets.json");

/** Reads the budgets. */
export function readBudgets(file: string = budgetFile): Figures {
  return JSON.parse(readFileSync(file, "utf8")) as Figures;
}

/**
 * Makes the measured figures, plus 2 % and rounded up to a multiple of 10, the new budgets: another version of Node
 * compresses the same text to a few bytes more or less. Ratios of times, which a busy machine changes, may be twice as large.
 */
export function writeBudgets(measured: Figures, file: string = budgetFile): void {
  const budgets = Object.entries(measured).map(([name, figure]) => {
    const margin = name.includes("‰") ? 2 : 1.02;
    return [name, Math.ceil((figure * margin) / 10) * 10];
  });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(budgets), undefined, 2)}\n`);
}

/**
 * Compares figures with their budgets.
 *
 * @throws {UsageError} naming every figure that is over its budget or has none, and every budget without a figure.
 */
export function checkBudgets(measured: Figures, budgets: Figures): void {
  const names = [...new Set([...Object.keys(measured), ...Object.keys(budgets)])];
  const problems = names.flatMap((name) => problemOf(name, measured[name], budgets[name]));
  if (problems.length === 0) return;
  throw new UsageError(
    `${problems.join("\n")}\nMake it smaller or faster, or accept it with "npm run bench -- --update" and say why in the commit.`,
  );
}

function problemOf(name: string, figure: number | undefined, budget: number | undefined): string[] {
  if (figure === undefined) return [`${name}: there is a budget, but nothing was measured.`];
  if (budget === undefined) return [`${name}: ${figure} measured, but there is no budget.`];
  return figure > budget ? [`${name}: ${figure} is over the budget of ${budget} by ${figure - budget}.`] : [];
}
