/** The figures of the report: how they are compared, and tables that show them in Markdown. */

/** Figures by what they measure, for example bytes of a bundle. */
export type Figures = Readonly<Record<string, number>>;

/** A section of the report, and those of its figures that have a budget. */
export interface BudgetedReport {
  report: string;
  figures: Figures;
}

/** A program as a multiple of a reference. */
export interface Ratio {
  median: number;
  /** The lower and the upper quartile: half of the rounds lie between them. */
  quartiles: readonly [number, number];
}

/**
 * Runs every program in every round and compares their processor times within the round. What slows the machine down for a while thus
 * slows all programs down: libraries such as tinybench and mitata, which finish one program before the next, do not give
 * ratios that stay the same from run to run. Each round begins with another program, and every second one is in reverse
 * order, so that none always follows the same one, whose garbage it would collect.
 *
 * @param programs by name.
 * @param reference name of the program that all are compared with.
 * @param options `rounds` that count, `runs` of each program in a round, and how many rounds come before to `warmUp`; a
 * tenth as many by default.
 */
export async function compareInTurns<Name extends string>(
  programs: Readonly<Record<Name, () => unknown>>,
  reference: NoInfer<Name>,
  { rounds, runs, warmUp = Math.ceil(rounds / 10) }: { rounds: number; runs: number; warmUp?: number },
): Promise<Record<Name, Ratio>> {
  const names = Object.keys(programs) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const spent = new Map<Name, number>();
    for (const name of orderOf(names, round)) spent.set(name, await measure(programs[name], runs));
    if (round < warmUp) continue;
    for (const [name, cpu] of spent) samples.get(name)?.push(cpu / (spent.get(reference) as number));
  }
  return Object.fromEntries([...samples].map(([name, ratios]) => [name, summarise(ratios)])) as Record<Name, Ratio>;
}

function orderOf<Name>(names: readonly Name[], round: number): Name[] {
  const first = round % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  return Math.floor(round / names.length) % 2 === 0 ? order : order.reverse();
}

/** Microseconds of processor time. */
async function measure(run: () => unknown, runs: number): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < runs; index += 1) await run();
  const { user, system } = process.cpuUsage(before);
  // A program that only waits may spend less than the clock can tell.
  return Math.max(1, user + system);
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
