import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { type OpenApiDocument, projectRoot, UsageError } from "../../../scripts/contract/model/index.ts";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import { lintContract } from "../../../scripts/lint/index.ts";
import { compareContracts, readCurrent } from "../../../scripts/tools/changes/index.ts";
import { factsOf } from "../../contract/facts.ts";
import { randomFrom } from "../../support/random.ts";
import { contractMutants, withMutant } from "./contract-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { runtimeMutants } from "./runtime-mutants.ts";
import { Witnesses } from "./witnesses.ts";

const sources = new Sources();
let facts: string | undefined;
let published: OpenApiDocument | undefined;

const specification = /^test\/specification\/(?!quotes)/;

const neutral = parseYaml(readFileSync(new URL("./neutral.yaml", import.meta.url), "utf8")) as readonly {
  change: string;
  reason: string;
}[];

const minNoticed = { contract: 0.97, code: 0.65 };

/** The number of survivors that a sample exceeds with a probability below 1 %, if the checks detect the share `noticed` of all mutants. */
function maxAlive(size: number, noticed: number): number {
  let probability = noticed ** size;
  let reached = probability;
  let most = 0;
  for (; most < size && reached <= 0.99; most += 1) {
    probability *= ((size - most) / (most + 1)) * ((1 - noticed) / noticed);
    reached += probability;
  }
  return most;
}

export interface MutantOptions {
  readonly runtime: boolean;
  readonly write: boolean;
  readonly count: number;
  /** By default derived from the mutated files. */
  readonly seed: number | undefined;
  readonly path: string;
}

/**
 * A mutant of the contract that passes lint also needs a verdict of `npm run changes`, or an entry in `neutral.yaml`.
 * Sets the exit code of the process to 1 if more mutants than {@link maxAlive} survive, or if a test file fails without a mutant, because
 * such a file detects no mutants.
 */
export async function judgeMutants({ runtime, write, count, seed: given, path }: MutantOptions): Promise<void> {
  const all = (runtime ? runtimeMutants() : contractMutants(sources)).filter((mutant) => mutant.path.startsWith(path));
  const seed = given ?? digestOf(all);
  if (write && path !== "") throw new UsageError("--write takes the figures of everything, without --path.");
  if (all.length === 0) throw new UsageError(`No file below "${path}" has a mutant.`);
  const chosen = sample(all, count, seed);
  const subject = runtime ? "code" : "contract";
  const most = maxAlive(chosen.length, minNoticed[subject]);
  console.log(`${chosen.length} mutants of the ${subject}, seed ${seed}; at most ${most} may live`);

  const [killers, verdicts] = [new Map<string, number>(), new Map<string, number>()];
  const tally = (into: Map<string, number>, name: string) => into.set(name, (into.get(name) ?? 0) + 1);
  const alive: string[] = [];
  const witnesses = await Witnesses.of(chosen);
  try {
    for (const mutant of chosen) {
      const { killer, gate } = runtime
        ? { killer: await witnesses.killerOf(mutant), gate: undefined }
        : await judgeContract(mutant, witnesses);
      const line = `${mutant.change}${gate === undefined ? "" : `; the gate: ${gate}`}`;
      console.log(`${killer === undefined ? "ALIVE" : `killed by ${killer}`}: ${line}`);
      if (gate !== undefined) tally(verdicts, gate);
      if (killer === undefined || gate === "nothing") alive.push(line);
      else tally(killers, killer.startsWith("test/") ? (runtime ? mutant.area : "the tests") : killer);
    }
  } finally {
    await witnesses.close();
  }

  const killed = chosen.length - alive.length;
  const list = (counts: Map<string, number>) => [...counts].map(([name, number]) => `${number} ${name}`).join(", ");
  const by = runtime ? `of ${list(killers)}` : `by ${list(killers)}`;
  const gate = verdicts.size > 0 ? `; what lint takes is for the gate: ${list(verdicts)}` : "";
  const total = `${killed} of ${chosen.length} killed (${((100 * killed) / chosen.length).toFixed(1)} %): ${by}${gate}`;
  const { user, system } = process.cpuUsage();
  console.log(`${total}; ${Math.round((user + system) / 1e6)} s of CPU`);
  // Also resets the exit code that Vitest sets when a test fails with a mutant.
  process.exitCode = alive.length > most || witnesses.leftOut.length > 0 ? 1 : 0;
  if (write) {
    const file = join(projectRoot, "generated/proof.md");
    const command = `npm run mutate --${runtime ? " --runtime" : ""} --count ${count} --seed ${seed} --write`;
    const lines = alive.length === 0 ? "None." : alive.map((line) => `- ${line}`).join("\n");
    const today = new Date().toISOString().slice(0, 10);
    const own = `# Mutants of the ${subject}\n\nMade on ${today} by \`${command}\`.\n\n${total}.\n\n## Alive\n\n${lines}\n`;
    const sections = readFileSync(file, "utf8").split(/\n(?=# )/);
    const others = sections.filter((section) => section.split("\n")[0] !== own.split("\n")[0]);
    writeFileSync(file, [...others, own].sort().reverse().join("\n"));
  }
}

interface Judged {
  readonly killer: string | undefined;
  readonly gate?: string;
}

async function judgeContract(mutant: Mutant, witnesses: Witnesses): Promise<Judged> {
  const mutated = withMutant(mutant);
  try {
    const { findings } = await lintContract({ sources: mutated });
    if (findings.length > 0) return { killer: "lint" };
    facts ??= factsOf(sources);
    const isFact = factsOf(mutated) !== facts;
    const gate = await verdictOf(mutated, mutant);
    // The facts detect the mutant already. The tests of the specification show whether only the facts detect it.
    const killer = await witnesses.killerOf(isFact ? { ...mutant, tests: specification } : mutant);
    return { killer: killer ?? (isFact ? "the facts only" : undefined), gate };
  } catch {
    return { killer: "lint" };
  }
}

async function verdictOf(mutated: Sources, { change }: Mutant): Promise<string> {
  published ??= await readCurrent(sources);
  const said = compareContracts(published, await readCurrent(mutated));
  const severity = (["breaking", "additive", "editorial"] as const).find((each) =>
    said.some((one) => one.severity === each),
  );
  if (severity !== undefined) return said.some(({ proposed }) => proposed) ? `${severity} (proposed)` : severity;
  return neutral.some(({ change: pattern }) => new RegExp(pattern).test(change)) ? "neutral" : "nothing";
}

/** Unchanged files give the same seed, and so the same sample. */
function digestOf(mutants: Mutant[]): number {
  const digest = createHash("sha256");
  for (const path of new Set(mutants.map((mutant) => mutant.path)))
    digest.update(readFileSync(join(projectRoot, path)));
  return digest.digest().readUInt16BE();
}

/** In an area, each key contributes one mutant before any key contributes a second. */
function sample(all: Mutant[], size: number, start: number): Mutant[] {
  const random = randomFrom(start);
  const inTurn = grouped(all, ({ area }) => area).map((mutants) => {
    const byKey = grouped(mutants, ({ key }) => key);
    return alternating(
      byKey.map((group) => shuffle(group, random)),
      random,
    );
  });
  return alternating(inTurn, random).slice(0, size);
}

function grouped(mutants: Mutant[], nameOf: (mutant: Mutant) => string): Mutant[][] {
  const groups = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const group = groups.get(nameOf(mutant));
    if (group === undefined) groups.set(nameOf(mutant), [mutant]);
    else group.push(mutant);
  }
  return [...groups.values()];
}

function alternating(groups: Mutant[][], random: () => number): Mutant[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) =>
    shuffle(
      groups.flatMap((group) => group[round] ?? []),
      random,
    ),
  ).flat();
}

function shuffle<Item>(items: Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
