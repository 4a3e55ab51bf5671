/**
 * `npm run mutate`: changes the contract, one mutant at a time, and says which mutants no check notices. What notices one is, in
 * this order, lint, the reviewed facts (`test/contract/facts.txt`), and the tests of the specification and the scenario. `--write`
 * puts the figures into generated/proof.md. With `--runtime` it changes the code of the client and the mock, whose tests have to notice it.
 */
import { createHash } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { x } from "tinyexec";
import { projectRoot } from "../../scripts/contract/index.ts";
import { lintContract } from "../../scripts/lint/index.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { factsOf } from "../contract/facts.ts";
import { ProjectCopy } from "../support/project-copy.ts";
import { contractMutants, withMutant } from "./contract-mutants.ts";
import type { Mutant, Witness } from "./mutant.ts";
import { runtimeMutants } from "./runtime-mutants.ts";

/** Milliseconds for a witness. */
const timeout = 420_000;

const { values } = parseArgs({
  options: {
    runtime: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    count: { type: "string", default: "300" },
    seed: { type: "string" },
  },
});
const sources = new Sources();
const facts = factsOf(sources);
const all = values.runtime ? runtimeMutants() : contractMutants(sources);
const [count, seed] = [Number(values.count), Number(values.seed ?? digestOf(all))];
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  throw new Error("--count and --seed take a whole number.");
}
const chosen = sample(all, count, seed);
const subject = values.runtime ? "code" : "contract";
// One of a small sample says nothing of the share.
const mostAlive = Math.max(1, Math.floor((values.runtime ? 0.1 : 0.05) * chosen.length));
console.log(`${chosen.length} mutants of the ${subject}, seed ${seed}; at most ${mostAlive} may live`);

const killedBy = new Map<string, number>();
const alive: Mutant[] = [];
const copy = new ProjectCopy("whole");
try {
  for (const path of ["test", "generated", "vitest.config.ts", "tsconfig.json", "CHANGELOG.md"]) {
    const filter = (from: string) => !/node_modules|test\/peers|generated\/docs/.test(from);
    cpSync(join(projectRoot, path), join(copy.folder, path), { recursive: true, filter });
  }
  for (const mutant of chosen) {
    const killer = await killerOf(mutant);
    console.log(`${killer === undefined ? "ALIVE" : `killed by ${killer}`}: ${mutant.change}`);
    if (killer === undefined) alive.push(mutant);
    else killedBy.set(killer, (killedBy.get(killer) ?? 0) + 1);
  }
} finally {
  copy.remove();
}

const killed = chosen.length - alive.length;
const parts = [...killedBy].map(([killer, number]) => `${number} by ${killer}`).join(", ");
const total = `${killed} of ${chosen.length} killed (${((100 * killed) / chosen.length).toFixed(1)} %): ${parts}`;
console.log(total);
if (alive.length > mostAlive) process.exitCode = 1;
if (values.write) {
  const file = join(projectRoot, "generated/proof.md");
  const command = `npm run mutate --${values.runtime ? " --runtime" : ""} --count ${count} --seed ${seed} --write`;
  const list = alive.length === 0 ? "None." : alive.map(({ change }) => `- ${change}`).join("\n");
  const own = `# Mutants of the ${subject}\n\nMade by \`${command}\`.\n\n${total}.\n\n## Alive\n\n${list}\n`;
  const sections = readFileSync(file, "utf8").split(/\n(?=# )/);
  const others = sections.filter((section) => section.split("\n")[0] !== own.split("\n")[0]);
  writeFileSync(file, [...others, own].sort().reverse().join("\n"));
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
  for (const witness of mutant.witnesses) if (await isNoticed(mutant, witness)) return witness.name;
  return undefined;
}

/** Whether something of a witness fails with a mutant, and passes without it: a machine under load upsets a test. */
async function isNoticed({ path, text }: Mutant, { command, paths }: Witness): Promise<boolean> {
  const before = copy.read(path);
  copy.write(path, text);
  const failed = await failing(command, paths);
  copy.write(path, before);
  const without = failed.length === 0 ? [] : await failing(command, failed);
  return failed.some((name) => !without.includes(name));
}

/** The test files that fail in the copy; all paths where a command fails otherwise, or does not end. */
async function failing(
  [program, ...options]: Witness["command"],
  paths: readonly string[],
): Promise<readonly string[]> {
  const nodeOptions = { cwd: copy.folder };
  const { exitCode, stdout, stderr } = await x(program, [...options, ...paths], { nodeOptions, timeout });
  if (exitCode === 0) return [];
  const found = [...(stdout + stderr).matchAll(/FAIL.*?(test\/[\w./-]+\.test\.ts)/g)].map(([, file = ""]) => file);
  return found.length === 0 ? paths : [...new Set(found)];
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
