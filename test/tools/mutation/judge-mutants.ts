/** Changes the contract or the code, one mutant at a time, and says which mutants no check notices. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, UsageError } from "../../../scripts/contract/model/index.ts";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import { lintContract } from "../../../scripts/lint/index.ts";
import { factsOf } from "../../contract/facts.ts";
import { contractMutants, withMutant } from "./contract-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { runtimeMutants } from "./runtime-mutants.ts";
import { Witnesses } from "./witnesses.ts";

const sources = new Sources();
let facts: string | undefined;

/** Which mutants are judged. */
export interface MutantOptions {
  /** The code of the client and the mock rather than the contract. */
  readonly runtime: boolean;
  /** Puts the figures into generated/proof.md. */
  readonly write: boolean;
  /** How many. */
  readonly count: number;
  /** Chooses the sample; by default one that follows from the files that are mutated. */
  readonly seed: number | undefined;
  /** Start of the paths of the files whose mutants are taken. */
  readonly path: string;
}

/**
 * Judges a sample of mutants. What notices one of the contract is, in this order, lint, the reviewed facts (`test/contract/facts.txt`)
 * and the tests of the specification and the scenario; one of the code, its tests. Sets the exit code of the process: 1 when more
 * than 5 % of the contract's, or 10 % of the code's, live.
 *
 * @throws {UsageError} when there is no such mutant, or the options contradict each other.
 */
export async function judgeMutants({ runtime, write, count, seed: given, path }: MutantOptions): Promise<void> {
  const all = (runtime ? runtimeMutants() : contractMutants(sources)).filter((mutant) => mutant.path.startsWith(path));
  const seed = given ?? digestOf(all);
  if (write && path !== "") throw new UsageError("--write takes the figures of everything, without --path.");
  if (all.length === 0) throw new UsageError(`No file below "${path}" has a mutant.`);
  const chosen = sample(all, count, seed);
  const subject = runtime ? "code" : "contract";
  // One of a small sample says nothing of the share.
  const mostAlive = Math.max(1, Math.floor((runtime ? 0.1 : 0.05) * chosen.length));
  console.log(`${chosen.length} mutants of the ${subject}, seed ${seed}; at most ${mostAlive} may live`);

  const killedBy = new Map<string, number>();
  const alive: Mutant[] = [];
  const witnesses = await Witnesses.of(chosen);
  try {
    for (const mutant of chosen) {
      const killer = (runtime ? undefined : await checkOf(mutant)) ?? (await witnesses.killerOf(mutant));
      console.log(`${killer === undefined ? "ALIVE" : `killed by ${killer}`}: ${mutant.change}`);
      const kind = killer?.startsWith("test/") ? "the tests" : killer;
      if (kind === undefined) alive.push(mutant);
      else killedBy.set(kind, (killedBy.get(kind) ?? 0) + 1);
    }
  } finally {
    await witnesses.close();
  }

  const killed = chosen.length - alive.length;
  const parts = [...killedBy].map(([killer, number]) => `${number} by ${killer}`).join(", ");
  const total = `${killed} of ${chosen.length} killed (${((100 * killed) / chosen.length).toFixed(1)} %): ${parts}`;
  const { user, system } = process.cpuUsage();
  console.log(`${total}; ${Math.round((user + system) / 1e6)} s of CPU`);
  // A test that fails with a mutant sets it too.
  process.exitCode = alive.length > mostAlive ? 1 : 0;
  if (write) {
    const file = join(projectRoot, "generated/proof.md");
    const command = `npm run mutate --${runtime ? " --runtime" : ""} --count ${count} --seed ${seed} --write`;
    const list = alive.length === 0 ? "None." : alive.map(({ change }) => `- ${change}`).join("\n");
    const own = `# Mutants of the ${subject}\n\nMade by \`${command}\`.\n\n${total}.\n\n## Alive\n\n${list}\n`;
    const sections = readFileSync(file, "utf8").split(/\n(?=# )/);
    const others = sections.filter((section) => section.split("\n")[0] !== own.split("\n")[0]);
    writeFileSync(file, [...others, own].sort().reverse().join("\n"));
  }
}

/** What of the checks of the contract notices a mutant; undefined where nothing does. */
async function checkOf(mutant: Mutant): Promise<string | undefined> {
  const mutated = withMutant(mutant);
  try {
    const { findings } = await lintContract({ sources: mutated });
    if (findings.length > 0) return "lint";
    facts ??= factsOf(sources);
    return factsOf(mutated) === facts ? undefined : "the facts";
  } catch {
    return "lint";
  }
}

/** A seed for the files that are mutated: a sample of its own for each change of them, and the same one for the same files. */
function digestOf(mutants: Mutant[]): number {
  const digest = createHash("sha256");
  for (const path of new Set(mutants.map((mutant) => mutant.path)))
    digest.update(readFileSync(join(projectRoot, path)));
  return digest.digest().readUInt16BE();
}

/** As many mutants of each half, spread over the keys: each key gives one before any gives another. */
function sample(all: Mutant[], size: number, start: number): Mutant[] {
  const random = generator(start);
  const halves = [true, false].map((half) => all.filter((mutant) => mutant.half === half));
  const chosen = halves.map((half) => {
    const byKey = new Map<string, Mutant[]>();
    for (const mutant of half) {
      byKey.set(mutant.key, [...(byKey.get(mutant.key) ?? []), mutant]);
    }
    const groups = [...byKey.values()].map((group) => shuffle(group, random));
    const rounds = Array.from({ length: Math.max(0, ...groups.map(({ length }) => length)) }, (_, round) =>
      shuffle(
        groups.flatMap((group) => group[round] ?? []),
        random,
      ),
    );
    // With --path, one half may have none.
    return rounds.flat().slice(0, Math.ceil(size / halves.filter(({ length }) => length > 0).length));
  });
  return chosen.flat().slice(0, size);
}

function shuffle<Item>(items: Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
