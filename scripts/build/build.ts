/** The build: from `openapi/` to everything that is generated. */
import type { Bundle } from "../bundle/index.ts";
import { docsFolder, type Edition, editionFolder, editions, readContract, UsageError } from "../contract/index.ts";
import type { Sources } from "../sources/index.ts";
import { type Files, findStaleFiles, replaceFolder } from "./files.ts";
import { runStep, type StepFiles, StepMemory } from "./steps.ts";

type Bundles = Record<Edition, Bundle>;

const files = {
  lint: { inputs: ["openapi"], outputs: [] },
  client: { inputs: ["openapi"], outputs: editions.map((edition) => `generated/${edition}`) },
  docs: {
    inputs: ["openapi", "CHANGELOG.md"],
    settings: [process.env.DOCS_URL ?? ""],
    outputs: ["generated/docs"],
  },
  dist: { inputs: editions.map((edition) => `generated/${edition}/client`), outputs: ["dist"] },
  mock: {
    inputs: ["openapi", ...editions.map((edition) => `generated/${edition}/openapi.json`)],
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
  if (readsSources) await buildFromSources(stale, finish);
  if (readsSources ? !memory.isDone("mock", files.mock) : stale.has("mock")) {
    await runStep("mock", buildPlans);
    finish("mock");
  }
  if (readsSources ? !memory.isDone("dist", files.dist) : stale.has("dist") || stale.has("mock")) {
    await runStep("dist", async () => {
      const { buildDist } = await import("../client/dist.ts");
      await buildDist();
      return { result: undefined, summary: "dist" };
    });
    finish("dist");
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  console.log(stale.size === 0 ? `Everything is up to date (${seconds} s).` : `Built in ${seconds} s.`);
}

/** What the mock runs on. */
async function buildPlans(): Promise<{ result: undefined; summary: string }> {
  const { buildPlan } = await import("../plan/index.ts");
  const made: Edition[] = [];
  for (const edition of editions) if (await buildPlan(edition)) made.push(edition);
  return { result: undefined, summary: made.length === 0 ? "the plans are up to date" : `plans: ${made.join(", ")}` };
}

/** The steps that read `openapi/`. The docs are rendered by child processes while lint runs in this one. */
async function buildFromSources(stale: Set<StepName>, finish: (name: StepName) => void): Promise<void> {
  const { Sources } = await import("../sources/index.ts");
  const sources = new Sources();
  const bundling = await tryToBundle(sources);
  const docs = stale.has("docs") && bundling.bundles !== undefined ? renderDocs(bundling.bundles, sources) : undefined;
  // A failure is reported when the step's turn comes.
  docs?.catch(() => {});

  if (stale.has("lint")) {
    await runStep("lint", () => lint(sources, bundling.bundles));
    finish("lint");
  }
  if (bundling.bundles === undefined) throw bundling.error;
  const { bundles } = bundling;
  if (stale.has("client")) {
    await runStep("client", () => writeEditions(bundles, sources));
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
}

/** Bundles what may have mistakes: lint says more of these than the bundler, so its error waits. */
async function tryToBundle(sources: Sources): Promise<{ bundles: Bundles } | { bundles?: undefined; error: unknown }> {
  const { bundleEditions } = await import("../bundle/index.ts");
  return bundleEditions(sources).then(
    (bundles) => ({ bundles }),
    (error: unknown) => ({ error }),
  );
}

async function renderDocs(bundles: Bundles, sources: Sources): Promise<Files<string | Uint8Array>> {
  const { renderPostman, renderSinglePages, renderSite } = await import("../docs/index.ts");
  // Redocly works in processes of its own meanwhile.
  const singlePages = renderSinglePages(bundles);
  // A failure is reported when its turn comes.
  singlePages.catch(() => {});
  const site = await renderSite({ bundles, registers: sources.registers() }, { siteUrl: process.env.DOCS_URL });
  return { ...site, ...(await renderPostman(bundles)), ...(await singlePages) };
}

async function lint(sources: Sources, bundles: Bundles | undefined): Promise<{ result: undefined; summary: string }> {
  const { formatFindings, lintContract } = await import("../lint/index.ts");
  const bundle = bundles === undefined ? {} : { bundle: async (edition: Edition) => bundles[edition].document };
  const { findings } = await lintContract({ sources, ...bundle });
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    throw new UsageError(
      `${formatFindings(errors)}\nThe contract has ${errors.length} error(s). Correct them, then build again.`,
    );
  }
  return { result: undefined, summary: "openapi/ has no errors" };
}

async function writeEditions(bundles: Bundles, sources: Sources): Promise<{ result: undefined; summary: string }> {
  const { generateEditions } = await import("./generate.ts");
  const generated = await generateEditions(bundles, sources.registers());
  for (const edition of editions) replaceFolder(editionFolder(edition), generated[edition]);
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
  const { generateEditions } = await import("./generate.ts");
  const sources = new Sources();
  const generated = await generateEditions(await bundleEditions(sources), sources.registers());
  const stale = editions.flatMap((edition) =>
    findStaleFiles(editionFolder(edition), generated[edition]).map((path) => `  generated/${edition}/${path}`),
  );
  if (stale.length > 0) {
    throw new UsageError(`These generated files are stale:\n${stale.join("\n")}\nRun "npm run build" and commit them.`);
  }
  console.log("Everything in generated/ is up to date.");
}
