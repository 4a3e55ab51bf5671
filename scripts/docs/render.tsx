/** Renders the pages of both editions. */
import { existsSync, readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { renderToString } from "preact-render-to-string";
import { type Edition, editions, projectRoot, type Registers, readContract, UsageError } from "../contract/index.ts";
import { compareEditions } from "../reports/index.ts";
import { buildAssets } from "./assets/build.ts";
import { Layout } from "./components/layout.tsx";
import { type PageContext, PageProvider } from "./components/page-context.ts";
import { renderMachineFiles } from "./machine/index.ts";
import { renderRootPage } from "./machine/root-page.tsx";
import { type SiteAddress, siteAddress } from "./machine/site-url.ts";
import { pagesOf } from "./pages/index.ts";
import type { SitePage } from "./pages/page.ts";
import { closeIndexer, indexPages } from "./search/index-pages.ts";
import { checkGuides } from "./site/check-guides.ts";
import { readGuides } from "./site/guides.ts";
import { readJourneys } from "./site/journeys.ts";
import { readMockControl } from "./site/mock-control.ts";
import { pathOf } from "./site/pages.ts";
import { apiTitle, createSite, type EditionSite, type SiteBundle, type SiteSources } from "./site/site.ts";

/** Paths below the folder of the site, and the contents of the files. */
export type SiteFiles = Record<string, string | Uint8Array>;

/** What the site is made from. */
export interface SiteInput {
  bundles: Record<Edition, SiteBundle>;
  registers: Registers;
  /** Absolute path of the folder with the guides; `openapi/guides` by default. */
  guidesFolder?: string;
}

export interface RenderOptions {
  /** Whether there is an index of the search, which takes longer than the pages. */
  hasSearch?: boolean;
  /** Whether there are the files for machines: the Markdown twin of each page, llms.txt, the list of pages. */
  hasMachineFiles?: boolean;
  /** The absolute address that the site is hosted at; for the list of pages, and for the page for unknown addresses. */
  siteUrl?: string | undefined;
}

/**
 * Renders the pages of both editions, with everything that they load or link except the single pages and the Postman collections.
 *
 * @throws {UsageError} when a guide or a journey cannot be read, a guide names what does not exist, or the address is none.
 */
export async function renderSite(input: SiteInput, options: RenderOptions = {}): Promise<SiteFiles> {
  const plan = await planSite(input, options);
  const html = Object.fromEntries([...plan.renderers].map(([path, render]) => [path, render()]));
  return { ...plan.files, ...html, ...(await finishSite(plan, html, options)) };
}

/** The pages before they are rendered, and what is there without rendering. */
export interface SitePlan {
  /** What the pages load, and the bundles. */
  files: SiteFiles;
  /** Makes the HTML of a page, by its path below the folder of the site. */
  renderers: Map<string, () => string>;
  sites: Record<Edition, EditionSite>;
  pages: Record<Edition, SitePage[]>;
  address: SiteAddress;
}

/**
 * Reads everything that the pages are made from, and renders none yet.
 *
 * @throws {UsageError} as {@link renderSite}.
 */
export async function planSite(input: SiteInput, { siteUrl }: RenderOptions = {}): Promise<SitePlan> {
  const address = siteAddress(siteUrl);
  const [assets, sites] = [await buildAssets(), sitesOf(input)];
  checkGuides(sites.test);
  const pages = { latest: pagesOf(sites.latest), test: pagesOf(sites.test) };
  const files: SiteFiles = { ...assets.files };
  const renderers = new Map<string, () => string>();
  for (const edition of editions) {
    const context = { ...contextOf(edition, sites, pages), assets: assets.paths, address };
    for (const page of pages[edition]) {
      const path = pathOf(page.ref);
      const isForAnyAddress = page.ref.kind === "not-found";
      const render = () => renderPage(page, isForAnyAddress ? { ...context, base: address.base } : context);
      renderers.set(`${edition}/${path}`, render);
      // Of addresses outside of the editions.
      if (edition === "latest" && isForAnyAddress) renderers.set(path, render);
    }
    files[`${edition}/openapi.yaml`] = sites[edition].bundle.yaml;
    files[`${edition}/openapi.json`] = sites[edition].bundle.json;
  }
  files["index.html"] = renderRootPage({ title: apiTitle(sites.latest), icon: assets.paths["favicon.svg"] ?? "" });
  return { files, renderers, sites, pages, address };
}

/**
 * Makes what is made from the pages: the files for machines, and the index of the search.
 *
 * @param html the rendered pages, by their paths below the folder of the site.
 */
export async function finishSite(
  { sites, pages, address }: SitePlan,
  html: Readonly<Record<string, string>>,
  { hasSearch = true, hasMachineFiles = true }: RenderOptions = {},
): Promise<SiteFiles> {
  // Pagefind works in a process of its own meanwhile.
  const [forMachines, search] = await Promise.all([
    hasMachineFiles ? renderMachineFiles({ sites, pages, html, address }) : {},
    hasSearch ? indexEditions(html) : {},
  ]);
  return { ...forMachines, ...search };
}

function contextOf(edition: Edition, sites: Record<Edition, EditionSite>, pages: Record<Edition, SitePage[]>) {
  const other = edition === "latest" ? "test" : "latest";
  return { site: sites[edition], otherPaths: new Set(pages[other].map(({ ref }) => pathOf(ref))) };
}

/** The indexes of the search, by their paths below the folder of the site. */
async function indexEditions(html: Readonly<Record<string, string>>): Promise<SiteFiles> {
  const files: SiteFiles = {};
  for (const edition of editions) {
    const folder = `${edition}/`;
    const ofEdition = Object.entries(html).filter(([path]) => path.startsWith(folder));
    const made = await indexPages(ofEdition.map(([path, text]) => ({ path: path.slice(folder.length), html: text })));
    for (const [path, content] of Object.entries(made)) files[folder + path] = content;
  }
  await closeIndexer();
  return files;
}

/** What the pages of each edition are made from. */
function sitesOf({ bundles, registers, guidesFolder }: SiteInput): Record<Edition, EditionSite> {
  const sources: SiteSources = {
    registers,
    guides: readGuides(guidesFolder),
    journeys: readJourneys(),
    changelog: read("CHANGELOG.md"),
    comparison: compareEditions(readContract(bundles.latest.document), readContract(bundles.test.document)),
    // A contract need not have one.
    scenario: existsSync(`${projectRoot}/openapi/scenario.yaml`) ? parseYaml(read("openapi/scenario.yaml")) : {},
    wholeDocument: bundles.test.document,
    mockControl: readMockControl(),
  };
  return { latest: createSite("latest", bundles.latest, sources), test: createSite("test", bundles.test, sources) };
}

/** The HTML of a page. */
export function renderPage(page: SitePage, context: Omit<PageContext, "ref" | "shownQuestions">): string {
  const html = renderToString(
    <PageProvider value={{ ...context, ref: page.ref, shownQuestions: new Set() }}>
      <Layout page={page} />
    </PageProvider>,
  );
  return `<!doctype html>\n${html}\n`;
}

function read(path: string): string {
  try {
    return readFileSync(`${projectRoot}/${path}`, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
