/** Runs tests for each mutant. All mutants use the same Vitest instance, because starting Vitest takes seconds. */
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Writable } from "node:stream";
import { type CliOptions, createVitest, type TestSpecification, type Vitest } from "vitest/node";
import { projectRoot } from "../../../scripts/base/index.ts";
import { ProjectCopy } from "../../support/project-copy.ts";
import type { Mutant } from "./mutant.ts";

interface Run {
  durationMs: number;
  reachedIds: Set<number>;
}

/** Code that appends a mutant's index to `file` when its statement runs for the first time. It also works in child processes. */
const probe = (file: string) =>
  `const reached__ = (id) => { const seen = (globalThis.reached__ ??= new Set()); if (seen.has(id)) return; seen.add(id); process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(file)}, id + " "); }; `;

export class Witnesses {
  readonly #copy: ProjectCopy;
  readonly #mutants: readonly Mutant[];
  readonly #vitest: Vitest;
  readonly #files: Map<string, TestSpecification>;
  /** Undefined for a test file that fails without a mutant. */
  readonly #runs = new Map<string, Run | undefined>();
  readonly #reachedFile: string;
  readonly #textsWithProbes: Map<string, string>;

  readonly excludedFiles: string[] = [];

  private constructor(
    copy: ProjectCopy,
    mutants: readonly Mutant[],
    vitest: Vitest,
    specifications: TestSpecification[],
  ) {
    [this.#copy, this.#mutants, this.#vitest] = [copy, mutants, vitest];
    this.#files = new Map(specifications.map((file) => [file.moduleId.slice(copy.folder.length + 1), file]));
    this.#reachedFile = join(copy.folder, "reached.txt");
    this.#textsWithProbes = new Map(mutants.map(({ path }) => [path, this.#withProbes(path)]));
    for (const [path, text] of this.#textsWithProbes) copy.write(path, text);
  }

  static async forMutants(mutants: readonly Mutant[]): Promise<Witnesses> {
    const copy = new ProjectCopy("whole");
    const filter = (path: string) => !/node_modules|test\/peers\/(?!package)|generated\/docs/.test(path);
    for (const name of readdirSync(projectRoot).filter((entry) => !/^(\.git|node_modules|dist)$/.test(entry)))
      cpSync(join(projectRoot, name), join(copy.folder, name), { recursive: true, filter });
    // The tests of `npm run changes` read earlier commits, so the copy uses the git folder of the repository.
    const repository = execFileSync("git", ["rev-parse", "--absolute-git-dir"], { cwd: projectRoot, encoding: "utf8" });
    copy.write(".git", `gitdir: ${repository}`);
    process.chdir(copy.folder);
    // Sets the same value as the command vitest. Without it, Vite would set "development".
    process.env.NODE_ENV ??= "test";
    // `retry`, because a busy machine can make a test fail. `threads`, because a thread can be terminated during an endless loop.
    const options: CliOptions = { project: ["fast", "slow"], pool: "threads", bail: 1, retry: 1, maxWorkers: 1 };
    const silentStream = new Writable({ write: (_chunk, _encoding, done) => done() });
    const vitest = await createVitest(
      "test",
      { ...options, watch: false, reporters: [{}] },
      {},
      { stdout: silentStream, stderr: silentStream },
    );
    // Threads take none of the options of V8 that vitest.config.ts has for processes.
    for (const { config } of vitest.projects) config.execArgv = [];
    return new Witnesses(copy, mutants, vitest, await vitest.globTestSpecifications());
  }

  async killerOf(mutant: Mutant): Promise<string | undefined> {
    const id = this.#mutants.indexOf(mutant);
    const paths = this.#filesInOrder(mutant);
    // For a mutant of the contract, all files run together, since all read the contract. For a mutant of the code, they run one by one.
    for (const batch of mutant.statement === undefined ? [paths] : paths.map((path) => [path])) {
      const reachingPaths: string[] = [];
      let ms = 0;
      for (const path of batch) {
        if (!this.#runs.has(path)) this.#runs.set(path, await this.#runWithoutMutant(path));
        const run = this.#runs.get(path);
        if (run === undefined || (mutant.statement && !run.reachedIds.has(id))) continue;
        reachingPaths.push(path);
        ms += run.durationMs;
      }
      this.#write(mutant.path, mutant.text);
      const failedPath = await this.#firstFailing(reachingPaths, 15_000 + 5 * ms);
      this.#write(mutant.path, this.#textsWithProbes.get(mutant.path) as string);
      if (failedPath !== undefined) return failedPath;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    this.#copy.remove();
  }

  /**
   * Files with the name of the mutated file or its folder run first, then other fast files, then slow files. In each group, the fastest
   * file is first.
   */
  #filesInOrder({ path, tests, slowTests }: Mutant): string[] {
    const files = [...this.#files.keys()].filter((file) => tests.test(file));
    const filesNamed = (name: string) =>
      files.filter((file) => basename(file).includes(name.replace(/s?(\.ts)?$/, "")));
    const nearFiles = [path, dirname(path)].map((name) => filesNamed(basename(name)));
    const isSlow = (file: string) => file.includes(".slow.");
    const quickFiles = files.filter((file) => !isSlow(file));
    const cost = (file: string) => this.#runs.get(file)?.durationMs ?? (isSlow(file) ? 1e6 : 1e5);
    const slowFiles = files.filter((file) => slowTests?.test(file));
    return [
      ...new Set([...nearFiles, quickFiles, slowFiles].flatMap((group) => group.sort((a, b) => cost(a) - cost(b)))),
    ];
  }

  async #runWithoutMutant(path: string): Promise<Run | undefined> {
    for (const _attempt of [1, 2]) {
      writeFileSync(this.#reachedFile, "");
      const startedAt = performance.now();
      if ((await this.#firstFailing([path], 300_000)) === undefined) {
        const reachedIds = new Set(readFileSync(this.#reachedFile, "utf8").match(/\d+/g)?.map(Number));
        return { durationMs: performance.now() - startedAt, reachedIds };
      }
    }
    console.log(`left out, because it fails without a mutant: ${path}`);
    this.excludedFiles.push(path);
    return undefined;
  }

  async #firstFailing(paths: readonly string[], limitMs: number): Promise<string | undefined> {
    const files = paths.map((path) => this.#files.get(path) as TestSpecification);
    const cancel = () => this.#vitest.cancelCurrentRun("keyboard-input");
    // Vitest forces the second cancellation, which terminates a thread in an endless loop.
    const timer = setTimeout(() => void Promise.all([cancel(), cancel()]), limitMs);
    const { unhandledErrors } = await this.#vitest.runTestSpecifications(files);
    clearTimeout(timer);
    // A skipped file counts as passed: a program that its tests need is not installed.
    const hasPassed = (file: TestSpecification) => /^(passed|skipped)$/.test(file.testModule?.state() ?? "");
    // Looks for a failed file first, because the files after it have not run. An error outside of tests is attributed to the first file.
    const failedPath = paths.find((_, index) => files[index]?.testModule?.state() === "failed");
    return (
      failedPath ??
      paths.find((_, index) => unhandledErrors.length > 0 || !hasPassed(files[index] as TestSpecification))
    );
  }

  #write(path: string, text: string): void {
    this.#copy.write(path, text);
    this.#vitest.invalidateFile(join(this.#copy.folder, path));
  }

  #withProbes(path: string): string {
    const text = readFileSync(join(projectRoot, path), "utf8");
    const probes = this.#mutants.flatMap(({ path: mutatedPath, statement }, id) => {
      if (mutatedPath !== path || statement === undefined) return [];
      const { start, end, isExpression } = statement;
      return isExpression
        ? [
            { offset: start, code: `(reached__(${id}), ` },
            { offset: end, code: ")" },
          ]
        : [{ offset: start, code: `reached__(${id}); ` }];
    });
    if (probes.length === 0) return text;
    const textWithProbes = probes
      .sort((a, b) => b.offset - a.offset)
      .reduce((result, { offset, code }) => result.slice(0, offset) + code + result.slice(offset), text);
    return probe(this.#reachedFile) + textWithProbes;
  }
}
