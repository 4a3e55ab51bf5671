/** The build: from `openapi/` to everything that is generated. */
import type { Bundle } from "../bundle/index.ts";
import { docsFolder, type Edition, editions, readContract, UsageError } from "../contract/index.ts";
import type { Sources } from "../sources/index.ts";
import { type Files, replaceFolder } from "./files.ts";
import { runStep, type StepFiles, StepMemory } from "./steps.ts";

type Bundles = Record<Edition, Bundle>;

const files = {
  lint: { inputs: ["openapi"], outputs: [] },
  client: {
    inputs: ["openapi"],
    outputs: ["generated/client", "generated/provenance.md", ...editions.map((edition) => `generated/${edition}`)],
  },
  docs: {
    inputs: ["openapi", "CHANGELOG.md"],
    settings: [process.env.DOCS_URL ?? ""],
    outputs: ["generated/docs"],
  },
  dist: { inputs: ["generated/client", "generated/mock"], outputs: ["dist"] },
  mock: {
    inputs: ["openapi"],
    outputs: ["generated/mock"],
  },
} satisfies Record<string, StepFiles>;

type StepName = keyof typeof files;

/**
 * Repeats the steps whose inputs or outputs have changed since the last build: lint, client, docs, dist, mock.
 *
 * @throws {UsageError} when a step fails; the message says what to do. What was generated before is left as it was.
 */
export async function build(): Promise<void> {
  const startedAt = performance.now();
  const memory = new StepMemory();
  const stale = new Set((Object.keys(files) as StepName[]).filter((name) => !memory.isDone(name, files[name])));
  const finish = (name: StepName) => memory.done(name, files[name]);
  const readsSources = stale.has("lint") || stale.has("client") || stale.has("docs");
  const bundles = readsSources ? await buildFromSources(stale, finish) : undefined;
  if (stale.has("mock")) {
    await runStep("mock", () => buildMock(bundles));
    finish("mock");
  }
  if (!memory.isDone("dist", files.dist)) {
    await runStep("dist", async () => {
      const { distFolder, makeDist } = await import("../client/dist.ts");
      const files = await makeDist();
      replaceFolder(distFolder, files);
      return { result: undefined, summary: `dist/: ${Object.keys(files).length} files` };
    });
    finish("dist");
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  console.log(stale.size === 0 ? `Everything is up to date (${seconds} s).` : `Built in ${seconds} s.`);
}

/** What the mock runs on. */
async function buildMock(bundles: Bundles | undefined): Promise<{ result: undefined; summary: string }> {
  const { buildPlan } = await import("../plan/index.ts");
  const isMade = await buildPlan(bundles?.test.document);
  return { result: undefined, summary: isMade ? "generated/mock/plan.js" : "the plan is up to date" };
}

/** The steps that read `openapi/`. */
async function buildFromSources(stale: Set<StepName>, finish: (name: StepName) => void): Promise<Bundles> {
  const { Sources } = await import("../sources/index.ts");
  const sources = new Sources();
  const trying = tryToBundle(sources);
  const linting = stale.has("lint") ? lint(trying) : undefined;
  const bundling = await trying;
  const client =
    stale.has("client") && bundling.bundles !== undefined ? makeClient(bundling.bundles, sources) : undefined;
  const docs = stale.has("docs") && bundling.bundles !== undefined ? renderDocs(bundling.bundles, sources) : undefined;
  // Nothing is written before lint has ended. A failure is reported when the step's turn comes.
  for (const step of [linting, client, docs]) step?.catch(() => {});

  if (linting !== undefined) {
    await runStep("lint", () => linting);
    finish("lint");
  }
  if (bundling.bundles === undefined) throw bundling.error;
  const { bundles } = bundling;
  if (client !== undefined) {
    await runStep("client", async () => writeClient(await client, bundles));
    finish("client");
  }
  if (docs !== undefined) {
    await runStep("docs", async () => {
      const files = await docs;
      replaceFolder(docsFolder, files);
      const pages = Object.keys(files).filter((path) => path.endsWith(".html")).length;
      return { result: undefined, summary: `generated/docs: ${pages} pages` };
    });
    finish("docs");
  }
  return bundles;
}

type Bundling = { bundles: Bundles } | { bundles?: undefined; error: unknown };

/** Bundles what may have mistakes: lint says more of these than the bundler, so its error waits. */
async function tryToBundle(sources: Sources): Promise<Bundling> {
  const { bundleEditions } = await import("../bundle/index.ts");
  return bundleEditions(sources).then(
    (bundles) => ({ bundles }),
    (error: unknown) => ({ error }),
  );
}

async function renderDocs(bundles: Bundles, sources: Sources): Promise<Files<string | Uint8Array>> {
  const { renderSite } = await import("../docs/index.ts");
  return renderSite({ bundles, registers: sources.registers() }, { siteUrl: process.env.DOCS_URL });
}

async function lint(bundling: Promise<Bundling>): Promise<{ result: undefined; summary: string }> {
  const { lintBeside } = await import("../lint/beside.ts");
  const findings = await lintBeside(bundling.then(({ bundles }) => bundles?.test.document));
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    const { formatFindings } = await import("../lint/findings.ts");
    throw new UsageError(
      `${formatFindings(errors)}\nThe contract has ${errors.length} error(s). Correct them, then build again.`,
    );
  }
  return { result: undefined, summary: "openapi/ has no errors" };
}

async function makeClient(bundles: Bundles, sources: Sources): Promise<Files> {
  const { generate } = await import("./generate.ts");
  return generate(bundles, sources.registers());
}

async function writeClient(files: Files, bundles: Bundles): Promise<{ result: undefined; summary: string }> {
  const { writeGenerated } = await import("./generate.ts");
  writeGenerated(files);
  const counts = editions.map((edition) => {
    const { operations, webhooks, errorCodes } = readContract(bundles[edition].document);
    return `${edition}: ${operations.length} operations, ${webhooks.length} webhooks, ${errorCodes.length} codes`;
  });
  return { result: undefined, summary: counts.join("; ") };
}

/**
 * Compares what is committed with what the contract gives.
 *
 * @throws {UsageError} naming the files that are stale.
 */
export async function checkGenerated(): Promise<void> {
  const { Sources } = await import("../sources/index.ts");
  const { bundleEditions } = await import("../bundle/index.ts");
  const { findStale, generate } = await import("./generate.ts");
  const sources = new Sources();
  const stale = findStale(await generate(await bundleEditions(sources), sources.registers()));
  if (stale.length > 0) {
    const paths = stale.map((path) => `  generated/${path}\n`).join("");
    throw new UsageError(`These generated files are stale:\n${paths}Run "npm run build" and commit them.`);
  }
  console.log("Everything in generated/ is up to date.");
}
