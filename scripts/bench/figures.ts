/** The figures of the report: how they are compared, and tables that show them in Markdown. */

/** Figures by what they measure, for example bytes of a bundle. */
export type Figures = Readonly<Record<string, number>>;

/** A section of the report, and those of its figures that have a budget. */
export interface BudgetedReport {
  report: string;
  figures: Figures;
}

/** The time of a program as a multiple of the time of a reference. */
export interface Ratio {
  median: number;
  /** The lower and the upper quartile: half of the rounds lie between them. */
  quartiles: readonly [number, number];
}

/**
 * Runs every program in every round, each round beginning with another one, and compares their times within the round. What
 * slows the machine down for a while thus slows all programs down: libraries such as tinybench and mitata, which finish one
 * program before the next, do not give ratios that stay the same from run to run.
 *
 * @param programs by name.
 * @param reference name of the program that all are compared with.
 * @param options `rounds` that count, and `runs` of each program in a round. A tenth as many rounds come first to warm up.
 */
export async function compareInTurns<Name extends string>(
  programs: Readonly<Record<Name, () => unknown>>,
  reference: NoInfer<Name>,
  options: { rounds: number; runs: number },
): Promise<Record<Name, Ratio>> {
  const names = Object.keys(programs) as Name[];
  const ratios = new Map<Name, number[]>(names.map((name) => [name, []]));
  const warmUp = Math.ceil(options.rounds / 10);
  for (let round = 0; round < warmUp + options.rounds; round += 1) {
    const times = new Map<Name, number>();
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length] as Name;
      times.set(name, await timeOf(programs[name], options.runs));
    }
    if (round < warmUp) continue;
    for (const [name, time] of times) ratios.get(name)?.push(time / (times.get(reference) as number));
  }
  return Object.fromEntries([...ratios].map(([name, samples]) => [name, summarise(samples)])) as Record<Name, Ratio>;
}

/** Milliseconds of a number of runs. */
async function timeOf(run: () => unknown, runs: number): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < runs; index += 1) {
    const result = run();
    // A synchronous program is not to be charged for waiting.
    if (result instanceof Promise) await result;
  }
  return performance.now() - startedAt;
}

/** Median and quartiles of at least one sample, in any order. */
export function summarise(samples: readonly number[]): Ratio {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] as number;
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)] };
}

/**
 * Formats a table in Markdown.
 *
 * @param rows the first one is the head. The first column is aligned as text, the others as figures.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? "").length)));
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const padded = rows.map((cells) =>
    lineOf(
      widths.map((width, column) => {
        const cell = cells[column] ?? "";
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      }),
    ),
  );
  const rule = lineOf(widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)));
  return [padded[0], rule, ...padded.slice(1)].join("\n");
}

/** Formats a ratio, for example `1.08`. */
export function times(ratio: number): string {
  return ratio.toFixed(ratio < 10 ? 2 : 0);
}

/** Formats a ratio with its quartiles, for example `1.08 (1.02–1.15)`. */
export function timesWithin({ median, quartiles: [low, high] }: Ratio): string {
  return `${times(median)} (${times(low)}–${times(high)})`;
}

/** Formats a count with separators between thousands. */
export function count(value: number): string {
  return value.toLocaleString("en-GB");
}
