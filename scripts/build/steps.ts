/** The steps of a build: one line for each, and none is repeated whose inputs and outputs are as they were. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../contract/index.ts";

/**
 * Runs a step and prints its name, what it did and how long it took.
 *
 * @param name what the step is called.
 * @param run does the work and returns its result with a few words on it.
 * @throws what the step throws, after its line was printed.
 */
export async function runStep<Result>(
  name: string,
  run: () => Promise<{ result: Result; summary: string }>,
): Promise<Result> {
  const startedAt = performance.now();
  try {
    const { result, summary } = await run();
    console.log(lineOf("✓", name, startedAt, summary));
    return result;
  } catch (error) {
    console.log(lineOf("✗", name, startedAt, "failed"));
    throw error;
  }
}

function lineOf(mark: string, name: string, startedAt: number, summary: string): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  return `${mark} ${name.padEnd(8)} ${`${seconds} s`.padStart(8)}  ${summary}`;
}

/** A step of the build, by the files and folders that it reads and writes (paths below the repository). */
export interface StepFiles {
  inputs: string[];
  /** What it is told beside the files. */
  settings?: string[];
  outputs: string[];
}

/** Whatever makes the steps: a change of it repeats all of them. */
const tools = ["package-lock.json", "tsconfig.json", "redocly.yaml", ".spectral.yaml", "scripts"];

/** Remembers, from one build to the next, what the steps read and wrote. */
export class StepMemory {
  readonly #file: string;
  readonly #toolsHash: string = hashOf([process.version, ...tools.map((path) => hashOfPath(path))]);
  readonly #known: Record<string, string>;

  /** @param file absolute path of the file that is kept between builds. */
  constructor(file = `${projectRoot}/node_modules/.cache/build-steps.json`) {
    this.#file = file;
    this.#known = readKnown(file);
  }

  /** Whether the step was done with these very inputs, and its outputs are as it left them. */
  isDone(name: string, step: StepFiles): boolean {
    return this.#known[name] === this.#stateOf(step);
  }

  /** Remembers a step as done, with its inputs and outputs as they are now. */
  done(name: string, step: StepFiles): void {
    this.#known[name] = this.#stateOf(step);
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#known));
  }

  #stateOf({ inputs, settings = [], outputs }: StepFiles): string {
    return hashOf([this.#toolsHash, ...settings, ...inputs.map(hashOfPath), ...outputs.map(hashOfPath)]);
  }
}

/** What is remembered; nothing, when the file is missing or was cut off. */
function readKnown(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  } catch {
    return {};
  }
}

function hashOf(texts: string[]): string {
  return createHash("sha1").update(JSON.stringify(texts)).digest("hex");
}

/** A hash of the paths, sizes and times of a file, or of all files below a folder. Nothing is read for it. */
function hashOfPath(path: string): string {
  const whole = join(projectRoot, path);
  const stats = statSync(whole, { throwIfNoEntry: false });
  if (stats === undefined) return "missing";
  if (stats.isFile()) return `${stats.size} ${stats.mtimeMs}`;
  return hashOf(
    readdirSync(whole)
      .sort()
      .map((name) => `${name} ${hashOfPath(join(path, name))}`),
  );
}
