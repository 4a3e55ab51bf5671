/** Budgets: deterministic figures of this package that must not grow unnoticed. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { UsageError } from "../contract/usage-error.ts";

/** Figures by what they are of, such as bytes of a bundle. */
export type Figures = Readonly<Record<string, number>>;

/** A part of the report, with the figures in it that have a budget. */
export interface Budgeted {
  report: string;
  figures: Figures;
}

const budgetFile = fileURLToPath(new URL("budgets.json", import.meta.url));

/** The budgets that are kept. */
export function readBudgets(file: string = budgetFile): Figures {
  return JSON.parse(readFileSync(file, "utf8")) as Figures;
}

/**
 * Sets the budgets to what was measured and a little more: the same text is compressed to a few bytes more or less by
 * another version of Node.
 */
export function writeBudgets(measured: Figures, file: string = budgetFile): void {
  const budgets = Object.entries(measured).map(([name, figure]) => [name, Math.ceil((figure * 1.01) / 100) * 100]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(budgets), undefined, 2)}\n`);
}

/**
 * Compares figures with their budgets.
 *
 * @throws {UsageError} naming every figure that is over its budget or has none, and every budget that nothing was measured for.
 */
export function checkBudgets(measured: Figures, budgets: Figures): void {
  const names = [...new Set([...Object.keys(measured), ...Object.keys(budgets)])];
  const problems = names.flatMap((name) => problemOf(name, measured[name], budgets[name]));
  if (problems.length === 0) return;
  throw new UsageError(
    `${problems.join("\n")}\nMake it smaller, or accept it with "npm run bench -- --update" and say why in the commit.`,
  );
}

function problemOf(name: string, figure: number | undefined, budget: number | undefined): string[] {
  if (figure === undefined) return [`${name}: there is a budget, but nothing was measured.`];
  if (budget === undefined) return [`${name}: ${figure} measured, but there is no budget.`];
  return figure > budget ? [`${name}: ${figure} is over the budget of ${budget} by ${figure - budget}.`] : [];
}
