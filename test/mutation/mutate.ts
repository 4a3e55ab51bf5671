/**
 * `npm run mutate`: changes the contract, one mutant at a time, and says which mutants no check notices. What notices one is, in
 * this order, lint, the reviewed facts (`test/contract/facts.txt`), and the tests of the specification and the scenario. `--write`
 * puts the figures into generated/proof.md. With `--runtime` it changes the code of the client and the mock, whose tests have to notice it.
 */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { x } from "tinyexec";
import { projectRoot } from "../../scripts/contract/index.ts";
import { lintContract } from "../../scripts/lint/index.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { factsOf } from "../contract/facts.ts";
import { ProjectCopy } from "../support/project-copy.ts";
import { contractMutants, withMutant } from "./contract-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { runtimeMutants } from "./runtime-mutants.ts";

/** Milliseconds for the tests. */
const timeout = 180_000;

const { values } = parseArgs({
  options: {
    runtime: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    count: { type: "string", default: "300" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  throw new Error("--count and --seed take a whole number.");
}

const sources = new Sources();
const facts = factsOf(sources);
const chosen = sample(values.runtime ? runtimeMutants() : contractMutants(sources), count, seed);
console.log(`${chosen.length} mutants of the ${values.runtime ? "code" : "contract"}, seed ${seed}`);

const killedBy = new Map<string, number>();
const alive: Mutant[] = [];
const copy = new ProjectCopy("whole");
try {
  for (const path of ["test", "generated", "vitest.config.ts", "tsconfig.json", "CHANGELOG.md"]) {
    const filter = (from: string) => !/node_modules|test\/peers|generated\/docs/.test(from);
    cpSync(join(projectRoot, path), join(copy.folder, path), { recursive: true, filter });
  }
  const witnesses = [...new Set(chosen.flatMap((mutant) => mutant.witnesses))];
  if (!(await testsPass(witnesses))) {
    throw new Error(`Without a mutant, ${witnesses.join(", ")} fail in a copy of the project: mend them first.`);
  }
  for (const mutant of chosen) {
    const killer = await killerOf(mutant);
    if (killer === undefined) alive.push(mutant);
    else killedBy.set(killer, (killedBy.get(killer) ?? 0) + 1);
  }
} finally {
  copy.remove();
}

const killed = chosen.length - alive.length;
const parts = [...killedBy].map(([killer, number]) => `${number} by ${killer}`).join(", ");
const total = `${killed} of ${chosen.length} killed (${((100 * killed) / chosen.length).toFixed(1)} %): ${parts}`;
for (const { change } of alive) console.log(`alive: ${change}`);
console.log(total);
// The aims. A sample of a few says less than a run of hundreds, which is what proof.md holds.
if (killed < (values.runtime ? 0.9 : 0.95) * chosen.length) process.exitCode = 1;
if (values.write && !values.runtime) {
  const command = `npm run mutate -- --count ${count} --seed ${seed} --write`;
  const list = alive.length === 0 ? "None." : alive.map(({ change }) => `- ${change}`).join("\n");
  const text = `# Mutants of the contract\n\nMade by \`${command}\`.\n\n${total}.\n\n## Alive\n\n${list}\n`;
  writeFileSync(join(projectRoot, "generated/proof.md"), text);
}

/** What notices a mutant first; undefined where nothing does. */
async function killerOf(mutant: Mutant): Promise<string | undefined> {
  if (!values.runtime) {
    const mutated = withMutant(mutant);
    try {
      const { findings } = await lintContract({ sources: mutated });
      if (findings.length > 0) return "lint";
      if (factsOf(mutated) !== facts) return "the facts";
    } catch {
      return "lint";
    }
  }
  const before = copy.read(mutant.path);
  copy.write(mutant.path, mutant.text);
  try {
    return (await testsPass(mutant.witnesses)) ? undefined : "the tests";
  } finally {
    copy.write(mutant.path, before);
  }
}

/** Whether the tests pass in the copy. */
async function testsPass(witnesses: readonly string[]): Promise<boolean> {
  const options = ["--project", "fast", "--bail", "1", "--typecheck.enabled=false", "--reporter", "dot"];
  const nodeOptions = { cwd: copy.folder };
  const { exitCode } = await x("npx", ["vitest", "run", ...options, ...witnesses], { nodeOptions, timeout });
  return exitCode === 0;
}

/** As many mutants of each half, spread over the keys: each key gives one before any gives another. */
function sample(all: Mutant[], size: number, start: number): Mutant[] {
  const random = generator(start);
  const halves = [true, false].map((half) => {
    const byKey = new Map<string, Mutant[]>();
    for (const mutant of all.filter((candidate) => candidate.half === half)) {
      byKey.set(mutant.key, [...(byKey.get(mutant.key) ?? []), mutant]);
    }
    const groups = [...byKey.values()].map((group) => shuffle(group, random));
    const rounds = Array.from({ length: Math.max(...groups.map(({ length }) => length)) }, (_, round) =>
      shuffle(
        groups.flatMap((group) => group[round] ?? []),
        random,
      ),
    );
    return rounds.flat().slice(0, Math.ceil(size / 2));
  });
  return halves.flat().slice(0, size);
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
