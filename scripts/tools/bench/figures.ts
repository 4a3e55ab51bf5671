export interface Ratio {
  readonly median: number;
  readonly quartiles: readonly [number, number];
}

export interface MeasuredProgram {
  readonly run: () => unknown;
  /** Microseconds of processor time used so far. Default: the time of this process. */
  readonly readCpuTime?: () => number | Promise<number>;
}

/**
 * Runs every program in every round, and compares processor times within the round: temporary slowness of the machine then affects all of
 * them.
 *
 * @returns for each program, its time as a multiple of the time of the first program.
 */
export async function compareInTurns<Name extends string>(
  programs: Readonly<Record<Name, MeasuredProgram>>,
  rounds: number,
): Promise<Record<Name, Ratio>> {
  const names = Object.keys(programs) as Name[];
  const ratios = new Map<Name, number[]>(names.map((name) => [name, []]));
  const warmUpRounds = Math.ceil(rounds / 10);
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const timeByName = new Map<Name, number>();
    for (const name of orderOf(names, round)) timeByName.set(name, await measure(programs[name]));
    if (round < warmUpRounds) continue;
    for (const [name, time] of timeByName) ratios.get(name)?.push(time / (timeByName.get(names[0] as Name) as number));
  }
  return Object.fromEntries([...ratios].map(([name, samples]) => [name, summarise(samples)])) as Record<Name, Ratio>;
}

function orderOf<Name>(names: readonly Name[], round: number): Name[] {
  const first = round % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  return Math.floor(round / names.length) % 2 === 0 ? order : order.reverse();
}

async function measure({ run, readCpuTime = processCpuTime }: MeasuredProgram): Promise<number> {
  const cpuBefore = await readCpuTime();
  await run();
  // At least 1 microsecond, because a program that mostly waits may use less than the clock's resolution.
  return Math.max(1, (await readCpuTime()) - cpuBefore);
}

function processCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

export function summarise(samples: readonly number[]): Ratio {
  const sortedSamples = [...samples].sort((a, b) => a - b);
  const quantile = (fraction: number) => sortedSamples[Math.round((sortedSamples.length - 1) * fraction)] as number;
  return { median: quantile(0.5), quartiles: [quantile(0.25), quantile(0.75)] };
}

/** @param rows the first row is the header. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** Median and quartiles, such as `1.08 (1.02–1.15)`. */
export function formatRatio({ median, quartiles: [low, high] }: Ratio): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
