import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { projectRoot, UsageError } from "../../../scripts/base/index.ts";
import type { OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import { lintContract } from "../../../scripts/lint/index.ts";
import { bundleAnnotated, compareContracts } from "../../../scripts/tools/changes/index.ts";
import { factsOf } from "../../contract/facts.ts";
import { randomFrom } from "../../support/random.ts";
import { contractMutants, withMutant } from "./contract-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { runtimeMutants } from "./runtime-mutants.ts";
import { Witnesses } from "./witnesses.ts";

const sources = new Sources();
let facts: string | undefined;
let unmutatedContract: OpenApiDocument | undefined;

const specificationTests = /^test\/specification\/(?!quotes)/;

const neutralChanges = parseYaml(readFileSync(new URL("./neutral.yaml", import.meta.url), "utf8")) as readonly {
  change: string;
  reason: string;
}[];

const minDetectionRates = { contract: 0.97, code: 0.65 };

/** If the checks detect the share `detectionRate` of all mutants, fewer than 1 % of the samples have more survivors. */
function computeMaxSurvivors(size: number, detectionRate: number): number {
  let probability = detectionRate ** size;
  let cumulativeProbability = probability;
  let maxSurvivors = 0;
  for (; maxSurvivors < size && cumulativeProbability <= 0.99; maxSurvivors += 1) {
    probability *= ((size - maxSurvivors) / (maxSurvivors + 1)) * ((1 - detectionRate) / detectionRate);
    cumulativeProbability += probability;
  }
  return maxSurvivors;
}

export interface MutantOptions {
  readonly isRuntime: boolean;
  readonly mustWrite: boolean;
  readonly count: number;
  /** By default derived from the mutated files. */
  readonly seed: number | undefined;
  readonly path: string;
}

/**
 * Tests a sample of mutants, and prints which survive. A mutant of the contract that passes lint survives if no check detects it, or if it
 * has neither a verdict of `npm run changes` nor an entry in `neutral.yaml`.
 *
 * Sets the exit code of the process to 1 if more mutants than {@link computeMaxSurvivors} survive, or if a test file fails without a
 * mutant, because such a file detects no mutants.
 */
export async function judgeMutants({
  isRuntime,
  mustWrite,
  count,
  seed: chosenSeed,
  path,
}: MutantOptions): Promise<void> {
  const allMutants = (isRuntime ? runtimeMutants() : contractMutants(sources)).filter((mutant) =>
    mutant.path.startsWith(path),
  );
  const seed = chosenSeed ?? digestOf(allMutants);
  if (mustWrite && path !== "") throw new UsageError("--write takes the figures of everything, without --path.");
  if (allMutants.length === 0) throw new UsageError(`No file below "${path}" has a mutant.`);
  const chosenMutants = sample(allMutants, count, seed);
  const subject = isRuntime ? "code" : "contract";
  const maxSurvivors = computeMaxSurvivors(chosenMutants.length, minDetectionRates[subject]);
  console.log(`${chosenMutants.length} mutants of the ${subject}, seed ${seed}; at most ${maxSurvivors} may live`);

  const [killers, verdicts] = [new Map<string, number>(), new Map<string, number>()];
  const countOne = (totals: Map<string, number>, name: string) => totals.set(name, (totals.get(name) ?? 0) + 1);
  const survivors: string[] = [];
  const witnesses = await Witnesses.forMutants(chosenMutants);
  try {
    for (const mutant of chosenMutants) {
      const { killer, verdict } = isRuntime
        ? { killer: await witnesses.killerOf(mutant), verdict: undefined }
        : await judgeContract(mutant, witnesses);
      const line = `${mutant.change}${verdict === undefined ? "" : `; the gate: ${verdict}`}`;
      console.log(`${killer === undefined ? "ALIVE" : `killed by ${killer}`}: ${line}`);
      if (verdict !== undefined) countOne(verdicts, verdict);
      if (killer === undefined || verdict === "nothing") survivors.push(line);
      else countOne(killers, killer.startsWith("test/") ? (isRuntime ? mutant.area : "the tests") : killer);
    }
  } finally {
    await witnesses.close();
  }

  const killedCount = chosenMutants.length - survivors.length;
  const list = (counts: Map<string, number>) => [...counts].map(([name, number]) => `${number} ${name}`).join(", ");
  const killersText = isRuntime ? `of ${list(killers)}` : `by ${list(killers)}`;
  const verdictsText = verdicts.size > 0 ? `; what lint takes is for the gate: ${list(verdicts)}` : "";
  const total = `${killedCount} of ${chosenMutants.length} killed (${((100 * killedCount) / chosenMutants.length).toFixed(1)} %): ${killersText}${verdictsText}`;
  const { user, system } = process.cpuUsage();
  console.log(`${total}; ${Math.round((user + system) / 1e6)} s of CPU`);
  // Also resets the exit code that Vitest sets when a test fails with a mutant.
  process.exitCode = survivors.length > maxSurvivors || witnesses.excludedFiles.length > 0 ? 1 : 0;
  if (mustWrite) {
    const file = join(projectRoot, "generated/proof.md");
    const command = `npm run mutate --${isRuntime ? " --runtime" : ""} --count ${count} --seed ${seed} --write`;
    const lines = survivors.length === 0 ? "None." : survivors.map((line) => `- ${line}`).join("\n");
    const today = new Date().toISOString().slice(0, 10);
    const ownSection = `# Mutants of the ${subject}\n\nMade on ${today} by \`${command}\`.\n\n${total}.\n\n## Alive\n\n${lines}\n`;
    const sections = readFileSync(file, "utf8").split(/\n(?=# )/);
    const otherSections = sections.filter((section) => section.split("\n")[0] !== ownSection.split("\n")[0]);
    writeFileSync(file, [...otherSections, ownSection].sort().reverse().join("\n"));
  }
}

interface Judgement {
  readonly killer: string | undefined;
  readonly verdict?: string;
}

async function judgeContract(mutant: Mutant, witnesses: Witnesses): Promise<Judgement> {
  const mutatedSources = withMutant(mutant);
  try {
    const { findings } = await lintContract({ sources: mutatedSources });
    if (findings.length > 0) return { killer: "lint" };
    facts ??= factsOf(sources);
    const haveFactsChanged = factsOf(mutatedSources) !== facts;
    const verdict = await verdictOf(mutatedSources, mutant);
    // The facts detect the mutant already. The tests of the specification show whether only the facts detect it.
    const killer = await witnesses.killerOf(haveFactsChanged ? { ...mutant, tests: specificationTests } : mutant);
    return { killer: killer ?? (haveFactsChanged ? "the facts only" : undefined), verdict };
  } catch {
    return { killer: "lint" };
  }
}

async function verdictOf(mutatedSources: Sources, { change }: Mutant): Promise<string> {
  unmutatedContract ??= await bundleAnnotated(sources);
  const changes = compareContracts(unmutatedContract, await bundleAnnotated(mutatedSources));
  const severity = (["breaking", "additive", "editorial"] as const).find((candidate) =>
    changes.some((contractChange) => contractChange.severity === candidate),
  );
  if (severity !== undefined) return changes.some(({ proposed }) => proposed) ? `${severity} (proposed)` : severity;
  return neutralChanges.some(({ change: pattern }) => new RegExp(pattern).test(change)) ? "neutral" : "nothing";
}

/** A digest of the mutated files, used as the default seed: while the files are unchanged, the sample is the same. */
function digestOf(mutants: Mutant[]): number {
  const digest = createHash("sha256");
  for (const path of new Set(mutants.map((mutant) => mutant.path)))
    digest.update(readFileSync(join(projectRoot, path)));
  return digest.digest().readUInt16BE();
}

/** Chooses mutants. In an area, each key contributes one mutant before any key contributes a second one. */
function sample(mutants: Mutant[], size: number, seed: number): Mutant[] {
  const random = randomFrom(seed);
  const mutantsByArea = groupBy(mutants, ({ area }) => area).map((mutants) => {
    const byKey = groupBy(mutants, ({ key }) => key);
    return alternateGroups(
      byKey.map((group) => shuffle(group, random)),
      random,
    );
  });
  return alternateGroups(mutantsByArea, random).slice(0, size);
}

function groupBy(mutants: Mutant[], nameOf: (mutant: Mutant) => string): Mutant[][] {
  const groups = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const group = groups.get(nameOf(mutant));
    if (group === undefined) groups.set(nameOf(mutant), [mutant]);
    else group.push(mutant);
  }
  return [...groups.values()];
}

function alternateGroups(groups: Mutant[][], random: () => number): Mutant[] {
  const maxGroupSize = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: maxGroupSize }, (_, round) =>
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
