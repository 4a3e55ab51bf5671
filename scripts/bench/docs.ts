/** The reference site beside the single page of Redocly: how long it takes to build, what it weighs, how fast it is. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { bundleFile, type Edition, editions, type OpenApiDocument } from "../contract/index.ts";
import { renderSinglePages, renderSite, type SiteBundle, type SiteFiles, serveSite } from "../docs/index.ts";
import { readBundle } from "../plan/index.ts";
import { Sources } from "../sources/index.ts";
import { withTemporaryFolder } from "../verify/processes.ts";
import { measurePages } from "./docs-browser.ts";
import { measureLighthouse } from "./docs-lighthouse.ts";
import { type BuildTime, reportDocs, sizesOf } from "./docs-report.ts";
import { measureSearch } from "./docs-search.ts";
import { type BudgetedReport, summarise } from "./figures.ts";

/** How often each part of the build is timed. */
const rounds = 3;

/** Pages that are measured in a browser, by what they are called in the report; the last one is the page of Redocly. */
const measured = {
  home: "latest/index.html",
  operation: "latest/operations/createTransfer.html",
  error: "latest/errors/P459.html",
  guide: "latest/guides/onboarding.html",
  "single page": "latest/single-page/index.html",
};

/**
 * Measures the site and the single page in the same run. Needs Chromium, and no network.
 *
 * @throws {UsageError} when the site cannot be rendered.
 * @throws {Error} when there is no Chromium.
 */
export async function measureDocs(): Promise<BudgetedReport> {
  const before = loadavg()[0] ?? 0;
  const bundles: Record<Edition, SiteBundle> = { latest: bundleOf("latest"), test: bundleOf("test") };
  const { times, files, single } = await timeBuild(bundles);
  const sizes = sizesOf(files, single);
  return await withTemporaryFolder("docs-bench-", async (folder) => {
    for (const [path, content] of Object.entries({ ...files, ...single })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const site = await serveSite({ folder, port: 0 });
    try {
      const addresses = Object.entries(measured).map(([name, path]) => [name, `${site.url}/${path}`] as const);
      const pages = await measurePages(addresses);
      const lighthouse = await measureLighthouse(addresses);
      const search = await measureSearch(`${site.url}/test/index.html`);
      const machine = { cores: cpus().length, load: [before, loadavg()[0] ?? 0] as const };
      return reportDocs({ times, sizes, pages, lighthouse, search, machine });
    } finally {
      await site.close();
    }
  });
}

function bundleOf(edition: Edition): SiteBundle {
  const text = (format: "json" | "yaml") => readFileSync(bundleFile(edition, format), "utf8");
  return { document: readBundle(edition), json: text("json"), yaml: text("yaml") };
}

/** Times the parts of the build, each for both editions. What is loaded and compiled once counts for the first round only. */
async function timeBuild(bundles: Record<Edition, SiteBundle>) {
  const input = { bundles, registers: new Sources().registers() };
  const documents = Object.fromEntries(
    editions.map((edition) => [edition, { document: bundles[edition].document }]),
  ) as Record<Edition, { document: OpenApiDocument }>;
  let files: SiteFiles = {};
  const parts: [what: string, run: () => Promise<unknown>][] = [
    ["pages", () => renderSite(input, { hasSearch: false, hasMachineFiles: false })],
    ["pages and files for machines", () => renderSite(input, { hasSearch: false })],
    ["everything, with the search", async () => (files = await renderSite(input))],
  ];
  const times: BuildTime[] = [];
  for (const [what, run] of parts) times.push({ what, ...(await time(run, rounds)) });
  let single: SiteFiles = {};
  times.push({
    what: "single pages, by Redocly",
    ...(await time(async () => (single = await renderSinglePages(documents)), 1)),
  });
  return { times, files, single };
}

/** Milliseconds of the first run, of the median of all, and of the processor in the median run. */
async function time(run: () => Promise<unknown>, runs: number): Promise<Omit<BuildTime, "what">> {
  const elapsed: number[] = [];
  const cpu: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    await run();
    elapsed.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpu.push((user + system) / 1000);
  }
  return { first: elapsed[0] as number, median: summarise(elapsed).median, cpu: summarise(cpu).median };
}
