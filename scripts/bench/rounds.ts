/** Times several programs fairly: in turns, so that what disturbs the machine disturbs all of them. */

/** How long a program takes, as a multiple of the reference. */
export interface Ratio {
  median: number;
  /** The quartiles around it: half of the rounds lie between them. */
  quartiles: readonly [number, number];
}

/**
 * Runs every program in every round, each time starting with another one, and compares within the round.
 *
 * @param programs by name.
 * @param reference the program that the others are compared with.
 * @param options `rounds`, and `runs` of each program in a round. Some rounds go before to warm up.
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

async function timeOf(run: () => unknown, runs: number): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < runs; index += 1) {
    const result = run();
    // A program that returns no promise must not pay for one.
    if (result instanceof Promise) await result;
  }
  return performance.now() - startedAt;
}

/** Median and quartiles of at least one sample. */
export function summarise(samples: readonly number[]): Ratio {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] as number;
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)] };
}
