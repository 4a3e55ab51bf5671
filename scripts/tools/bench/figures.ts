/** The one way to measure: processor time in turns, and tables that show it in Markdown. */

/** A program as a multiple of a reference. */
export interface Ratio {
  readonly median: number;
  /** The lower and the upper quartile: half of the rounds lie between them. */
  readonly quartiles: readonly [number, number];
}

/** What is measured: something to do, and how much processor time was spent until now, in microseconds. */
export interface Program {
  readonly run: () => unknown;
  /** Of this process by default. */
  readonly cpu?: () => number | Promise<number>;
}

/**
 * Runs every program in every round and compares their processor times within the round. What slows the machine down for a while thus
 * slows all programs down: libraries such as tinybench and mitata, which finish one program before the next, do not give
 * ratios that stay the same from run to run. Each round begins with another program, and every second one is in reverse
 * order, so that none always follows the same one, whose garbage it would collect.
 *
 * @param programs by name; all are compared with the first one.
 * @param rounds that count; a tenth as many come before, to warm up.
 */
export async function compareInTurns<Name extends string>(
  programs: Readonly<Record<Name, Program>>,
  rounds: number,
): Promise<Record<Name, Ratio>> {
  const names = Object.keys(programs) as Name[];
  const ratios = new Map<Name, number[]>(names.map((name) => [name, []]));
  const warmUp = Math.ceil(rounds / 10);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const spent = new Map<Name, number>();
    for (const name of orderOf(names, round)) spent.set(name, await measure(programs[name]));
    if (round < warmUp) continue;
    for (const [name, cpu] of spent) ratios.get(name)?.push(cpu / (spent.get(names[0] as Name) as number));
  }
  return Object.fromEntries([...ratios].map(([name, samples]) => [name, summarise(samples)])) as Record<Name, Ratio>;
}

function orderOf<Name>(names: readonly Name[], round: number): Name[] {
  const first = round % names.length;
  const order = [...names.slice(first), ...names.slice(0, first)];
  return Math.floor(round / names.length) % 2 === 0 ? order : order.reverse();
}

async function measure({ run, cpu = ownCpu }: Program): Promise<number> {
  const before = await cpu();
  await run();
  // A program that only waits may spend less than the clock can tell.
  return Math.max(1, (await cpu()) - before);
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Median and quartiles of at least one sample, in any order. */
export function summarise(samples: readonly number[]): Ratio {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] as number;
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)] };
}

/** A table in Markdown. @param rows the first one is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...body]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** A ratio with its quartiles, for example `1.08 (1.02–1.15)`. */
export function timesWithin({ median, quartiles: [low, high] }: Ratio): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
