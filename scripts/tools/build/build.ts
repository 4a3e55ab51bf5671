import {
  type BuildStep,
  docsFolder,
  type Edition,
  editions,
  type StepState,
  stepStateOf,
  UsageError,
} from "../../base/index.ts";
import type { Bundle } from "../../contract/bundle/index.ts";
import type { Sources } from "../../contract/sources/index.ts";
import { planStep, writePlan } from "../../mock/make-plan/index.ts";
import { type Files, replaceFolder } from "./files.ts";
import { staleGuides } from "./guides.ts";
import { packIntoSite } from "./package.ts";
import { copyRedocIntoSite, makeRedoc, redocStep } from "./redoc.ts";
import { siteInput } from "./site-input.ts";

type Bundles = Record<Edition, Bundle>;

/**
 * The inputs of a step must include all that its modules import and read (checked by `test/tools/build/steps.test.ts`).
 *
 * @param folders folders of `scripts/`.
 */
const inputsOf = (...folders: string[]) => [
  "package-lock.json",
  "tsconfig.json",
  "redocly.yaml",
  "openapi",
  ...["base", ...folders].map((folder) => `scripts/${folder}`),
];

const committedPaths = ["client", "control", "provenance.md", ...editions].map((path) => `generated/${path}`);

export const steps = {
  lint: { name: "lint", inputs: [".spectral.yaml", ...inputsOf("contract", "lint")], outputs: [] },
  client: {
    name: "client",
    inputs: [
      "package.json",
      "publishing.yaml",
      ...inputsOf(
        "contract",
        "lint",
        "client/generate",
        "client/src/entries",
        "client/src/reading",
        "client/src/payments",
        "client/src/state",
        "mock",
        "tools/build",
        "tools/reports",
      ),
    ],
    outputs: committedPaths,
  },
  docs: {
    name: "docs",
    inputs: [
      "CHANGELOG.md",
      "publishing.yaml",
      "package.json",
      "README.md",
      "LICENSE",
      "SECURITY.md",
      "SUPPORT.md",
      "generated/breaks.json",
      ...inputsOf("contract", "lint", "client", "mock", "prove", "site", "tools/build", "tools/changes"),
    ],
    settings: [process.env.DOCS_URL ?? ""],
    outputs: ["generated/docs"],
  },
  mock: planStep,
  dist: {
    name: "dist",
    inputs: [
      "package.json",
      ...inputsOf("contract", "client", "mock", "prove", "service", "cli", "site/assets", "tools/packaging"),
    ],
    outputs: ["dist"],
  },
} satisfies Record<string, BuildStep>;

type StepName = keyof typeof steps;
const stepNames = Object.keys(steps) as StepName[];

interface StepResult {
  readonly summary: string;
  /** The generated files, if other steps use them. */
  readonly files?: Files;
  /**
   * Runs when this step and those before it have succeeded. The step mock has no such function: it writes the plan as soon as lint has
   * succeeded, because the step dist reads it from the disk.
   */
  readonly write?: () => void;
}

type StepResults = Partial<Record<StepName, Promise<StepResult>>>;

interface Contract {
  readonly bundles: Bundles;
  readonly sources: Sources;
}

/** The contract is read and bundled at the first call. */
type ReadContract = () => Promise<Contract>;

/**
 * Repeats the steps whose inputs or outputs have changed since the last build: lint, client, docs, mock, dist. They run in parallel, lint
 * in a child process; if lint is repeated, nothing is written before it has succeeded. Afterwards, the steps redoc and package use their
 * output.
 *
 * @throws the error of a failed step, a {@link UsageError} for a mistake in the sources. The previous output of a step is kept when it
 * fails, except that redoc may have replaced one of its files.
 */
export async function build(): Promise<void> {
  const startedAt = performance.now();
  const states = Object.fromEntries(stepNames.map((name) => [name, stepStateOf(steps[name])])) as Record<
    StepName,
    StepState
  >;
  const staleSteps = new Set(stepNames.filter((name) => !states[name].isUpToDate));
  // The package contains the output of these two steps.
  if (staleSteps.has("client") || staleSteps.has("mock")) staleSteps.add("dist");
  const results = startSteps(staleSteps);
  for (const name of stepNames) {
    const step = results[name];
    if (step === undefined) continue;
    await runStep(name, async () => {
      const { summary, write } = await step;
      write?.();
      return summary;
    });
    if (name !== "docs") states[name].markAsDone();
  }
  const wasRedocStale = await completeSite(staleSteps);
  const isUnchanged = staleSteps.size === 0 && !wasRedocStale;
  // Redoc's pages and the package are in the folder of the docs, so the step docs is done only after them.
  if (!isUnchanged) states.docs.markAsDone();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  console.log(isUnchanged ? `Everything is up to date (${seconds} s).` : `Built in ${seconds} s.`);
}

/** Makes Redoc's pages and the package anew if they or the site have changed. @returns whether Redoc's pages were stale. */
async function completeSite(staleSteps: ReadonlySet<StepName>): Promise<boolean> {
  const { isUpToDate, markAsDone } = stepStateOf(redocStep);
  if (!isUpToDate) {
    await runStep("redoc", makeRedoc);
    markAsDone();
  }
  if (staleSteps.has("docs") || !isUpToDate) copyRedocIntoSite();
  if (staleSteps.has("docs") || staleSteps.has("dist")) {
    await runStep("package", async () => {
      const name = await packIntoSite();
      return name === undefined ? "from the registry" : `generated/docs/${name}`;
    });
  }
  return !isUpToDate;
}

/** Each step uses only results of steps above it. If such a step is not repeated, its output on the disk is used. */
const makers: Record<StepName, (readContract: ReadContract, results: StepResults) => Promise<StepResult>> = {
  lint,
  client: makeClient,
  docs: makeDocs,
  mock: (readContract, results) => makePlan(readContract, results.lint),
  dist: (_, results) => makePackage(results.client, results.mock),
};

function startSteps(staleSteps: ReadonlySet<StepName>): StepResults {
  let contract: Promise<Contract> | undefined;
  const readContract = () => {
    contract ??= readSources();
    return contract;
  };
  const results: StepResults = {};
  for (const name of stepNames) {
    if (!staleSteps.has(name)) continue;
    const result = makers[name](readContract, results);
    // Without this `catch`, an early failure would be an unhandled rejection. `build` reports it: it awaits lint first, because lint describes
    // mistakes best.
    result.catch(() => {});
    results[name] = result;
  }
  return results;
}

async function readSources(): Promise<Contract> {
  const { Sources } = await import("../../contract/sources/index.ts");
  const { bundleEditions } = await import("../../contract/bundle/index.ts");
  const sources = new Sources();
  return { sources, bundles: await bundleEditions(sources) };
}

async function lint(readContract: ReadContract): Promise<StepResult> {
  const { errorsIn, formatFindings, lintInChildProcess } = await import("../../lint/index.ts");
  const contract = readContract().then(
    ({ bundles: { test } }) => ({ document: test.document, places: test.places }),
    () => undefined,
  );
  const findings = await lintInChildProcess(contract);
  const errors = errorsIn(findings);
  if (errors.length > 0) {
    throw new UsageError(
      `${formatFindings(errors)}\nThe contract has ${errors.length} error(s). Correct them, then build again.`,
    );
  }
  return { summary: "openapi/ has no errors" };
}

async function makeClient(readContract: ReadContract): Promise<StepResult> {
  const { generate, writeGenerated } = await import("./generate.ts");
  const { bundles, sources } = await readContract();
  const files = await generate(bundles, sources);
  return {
    summary: `generated/: ${Object.keys(files).length} files`,
    files,
    write: () => writeGenerated(files),
  };
}

async function makeDocs(readContract: ReadContract): Promise<StepResult> {
  const { renderSite } = await import("../../site/index.ts");
  const { bundles, sources } = await readContract();
  const input = await siteInput(bundles, sources.registers());
  const files = await renderSite(input, { siteUrl: process.env.DOCS_URL });
  const staleGuidePaths = Object.keys(await staleGuides(input));
  if (staleGuidePaths.length > 0)
    console.warn(`Stale parts in ${staleGuidePaths.join(", ")}. Run "npm run guides" and commit them.`);
  const pageCount = Object.keys(files).filter((path) => path.endsWith(".html")).length;
  return { summary: `generated/docs: ${pageCount} pages`, write: () => replaceFolder(docsFolder, files) };
}

async function makePlan(readContract: ReadContract, lintPromise: Promise<unknown> | undefined): Promise<StepResult> {
  const { bundles } = await readContract();
  await writePlan(bundles.test.document, lintPromise);
  return { summary: "generated/mock/plan.js" };
}

async function makePackage(
  clientPromise: Promise<StepResult> | undefined,
  planPromise: Promise<unknown> | undefined,
): Promise<StepResult> {
  const { distFolder, makeDist } = await import("../packaging/index.ts");
  const generatedFiles = (await clientPromise)?.files;
  const files = await makeDist({
    ...(generatedFiles && { generated: generatedFiles }),
    ...(planPromise && { planning: planPromise }),
  });
  return { summary: `dist/: ${Object.keys(files).length} files`, write: () => replaceFolder(distFolder, files) };
}

/** Also removes the committed files in `generated/` that are no longer generated. */
export async function updateGenerated(bundles: Bundles, sources: Sources): Promise<void> {
  const { generate, writeGenerated } = await import("./generate.ts");
  writeGenerated(await generate(bundles, sources));
}

/** @throws {UsageError} naming the files in `generated/`, and the guides, that differ from newly generated ones. */
export async function checkGenerated(): Promise<void> {
  const { findStale, generate } = await import("./generate.ts");
  const { bundles, sources } = await readSources();
  const registers = sources.registers();
  const staleGeneratedPaths = findStale(await generate(bundles, sources)).map((path) => `generated/${path}`);
  const stalePaths = [...staleGeneratedPaths, ...Object.keys(await staleGuides({ bundles, registers }))];
  if (stalePaths.length > 0) {
    const pathLines = stalePaths.map((path) => `  ${path}\n`).join("");
    throw new UsageError(
      `These files are stale:\n${pathLines}Run "npm run build" and "npm run guides", and commit them.`,
    );
  }
  console.log("Everything in generated/ is up to date.");
}

/** Prints the name, the duration, and the summary that `run` returns, or that it failed. @throws the error of `run`. */
export async function runStep(name: string, run: () => Promise<string>): Promise<void> {
  const startedAt = performance.now();
  const print = (mark: string, summary: string): void => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
    console.log(`${mark} ${name.padEnd(8)} ${`${seconds} s`.padStart(8)}  ${summary}`);
  };
  try {
    print("✓", await run());
  } catch (error) {
    print("✗", "failed");
    throw error;
  }
}
