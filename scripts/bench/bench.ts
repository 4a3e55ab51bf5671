/** Measures what this package weighs and costs beside other clients, and compares its sizes with their budgets. */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { projectRoot, readContract, UsageError } from "../contract/index.ts";
import { readBundle } from "../plan/index.ts";
import { measureCalls } from "./calls.ts";
import { measureDocs } from "./docs.ts";
import { isOfDocs } from "./docs-report.ts";
import type { Figures } from "./figures.ts";
import { measureMock } from "./mock.ts";
import { isOfMock } from "./mock-report.ts";
import { makeSamples } from "./samples.ts";
import { measureSizes } from "./sizes.ts";
import { measureTypeCheck } from "./type-check.ts";
import { measureWebhooks } from "./webhooks.ts";
import { versions, withWorkshop } from "./workshop.ts";

/**
 * Measures everything in one run and prints a report in Markdown. Figures that are the same in every run (bytes, type
 * instantiations) and ratios of the mock to Prism are compared with `budgets.json`; times of the client are printed as
 * ratios and have no budget. Needs the npm registry, and what `npm run build` writes.
 *
 * @param options `update`: whether the figures are written to `budgets.json` as the new budgets; `only`: what is measured
 * alone, which needs no registry.
 * @throws {UsageError} when a figure is over its budget, when something cannot be installed or generated, or when a client
 * or a load does not get the documented answer.
 */
export async function bench({ update, only }: { update: boolean; only?: "mock" | "docs" | undefined }): Promise<void> {
  if (only !== undefined) {
    console.log(`Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.`);
    const measured = only === "mock" ? await measureMock(join(projectRoot, "dist/mock")) : await measureDocs();
    printSection(only === "mock" ? "Mock" : "Docs", measured.report);
    judge(measured.figures, update, only === "mock" ? isOfMock : isOfDocs);
    return;
  }
  const document = readBundle("latest");
  const contract = readContract(document);
  const samples = makeSamples(contract);
  const tools = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}, ${availableParallelism()} cores.
Edition latest: ${contract.operations.length} operations, ${contract.webhooks.length} webhooks; every generator was given the same bundle.
Peers: ${tools.join(", ")}.`);

  await withWorkshop(document, async (folder) => {
    const sizes = await measureSizes(folder, contract, samples);
    printSection("Size", sizes.report);
    const types = await measureTypeCheck(folder, contract);
    printSection("Type check of a consumer", types.report);
    printSection("Time per call", await measureCalls(folder, samples));
    printSection("Webhooks, parsed and validated", await measureWebhooks(folder, contract.webhooks));
    const mock = await measureMock(join(folder, "node_modules/partner-wallet-api/dist/mock"));
    printSection("Mock", mock.report);
    const docs = await measureDocs();
    printSection("Docs", docs.report);
    judge({ ...sizes.figures, ...types.figures, ...mock.figures, ...docs.figures }, update);
  });
}

/** Compares figures with their budgets. @param has which budgets are those of what was measured; all by default. */
function judge(figures: Figures, update: boolean, has: (name: string) => boolean = () => true): void {
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(readBudgets()).filter(([name]) => has(name) === wanted));
  if (update) writeBudgets(figures, budgetFile, pick(false));
  checkBudgets(figures, pick(true));
  console.log("All figures with a budget are within it.");
}

function printSection(title: string, report: string): void {
  console.log(`\n## ${title}\n\n${report}`);
}

// size-limit would do only a part of this: it has no budgets for type instantiations, shows no other client beside ours, and
// would bundle a second time what the report bundles anyway.
const budgetFile = join(import.meta.dirname, "budgets.json");

/** Reads the budgets. */
export function readBudgets(file: string = budgetFile): Figures {
  return JSON.parse(readFileSync(file, "utf8")) as Figures;
}

/**
 * Makes the measured figures, plus 2 % and rounded up to a multiple of 10, the new budgets: another version of Node
 * compresses the same text to a few bytes more or less. Ratios of times, which a busy machine changes, may be twice as large.
 *
 * @param others budgets that stay as they are.
 */
export function writeBudgets(measured: Figures, file: string = budgetFile, others: Figures = {}): void {
  const margin = (name: string) => (isOfMock(name) ? 2 : 1.02);
  const budgets = Object.entries(measured).map(([name, figure]) => [
    name,
    Math.ceil((figure * margin(name)) / 10) * 10,
  ]);
  writeFileSync(file, `${JSON.stringify({ ...others, ...Object.fromEntries(budgets) }, undefined, 2)}\n`);
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
