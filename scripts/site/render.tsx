import { renderToString } from "preact-render-to-string";
import { type Edition, editions, UsageError } from "../base/index.ts";
import type { Bundle } from "../contract/bundle/index.ts";
import type { Registers } from "../contract/model/index.ts";
import {
  readMockControl,
  readMockValues,
  readPublishing,
  readSampleValues,
  Sources,
} from "../contract/sources/index.ts";
import { formatFindings } from "../lint/index.ts";
import { buildAssets } from "./assets/build.ts";
import { installLine, problemsOfGuides } from "./check.ts";
import { Layout } from "./components/layout.tsx";
import { type PageContext, PageProvider } from "./components/page-context.ts";
import type { SitePage } from "./components/site-page.ts";
import { readGuides } from "./content/guides.ts";
import { readJourneys } from "./content/journeys.ts";
import { bundleName, collectionName, pathOf } from "./content/pages.ts";
import { createSite, readProjectFile, type SiteContent } from "./content/site.ts";
import { type SiteAddress, siteAddress } from "./content/site-address.ts";
import { fillGuides } from "./guide-files.tsx";
import { renderMachineFiles } from "./machine/index.ts";
import { openapiSlices } from "./machine/openapi-slices.ts";
import { parsePages } from "./machine/parsed-html.ts";
import { postmanCollection } from "./machine/postman.ts";
import { pagesOf } from "./pages/index.ts";
import { localSiteUrl } from "./samples/addresses.ts";
import { makeSearchIndex, searchIndexPath } from "./search/search-index.ts";

/** The keys are paths relative to the site root. */
export type SiteFiles = Record<string, string | Uint8Array>;

export interface SiteInput {
  /** The bundles of both editions. The pages are made from the `document` of the edition `test`; the texts of both are downloads. */
  bundles: Record<Edition, Bundle>;
  registers: Registers;
  /** Markdown that lists the contract's changes since the last version; added below "Unreleased" in the changelog. Default: empty. */
  unreleasedText?: string;
  /** Whether the site root also gets the package's `sbom.cdx.json` and `dependencies.md`. Default: false. */
  hasSbom?: boolean;
}

export interface RenderOptions {
  /** The absolute address at which the site is hosted; undefined if it is not known. */
  siteUrl?: string | undefined;
  /** Whether the pages stay in the folder of their version, such as `/0.2.0/`. They name that version, and link the current one. */
  isArchived?: boolean | undefined;
}

/**
 * Also renders the files that belong to the pages: assets, documents, texts for programs, and the search index.
 *
 * @throws {UsageError} if a guide, a journey or another source file cannot be read, such a file refers to something that does not exist, or
 * the address is malformed.
 */
export async function renderSite(input: SiteInput, options: RenderOptions = {}): Promise<SiteFiles> {
  const plan = await planSite(input, options);
  const html = Object.fromEntries([...plan.renderers].map(([path, render]) => [path, render()]));
  return { ...plan.files, ...html, ...(await finishSite(plan, html)) };
}

export interface SitePlan {
  files: SiteFiles;
  renderers: Map<string, () => string>;
  site: SiteContent;
  pages: SitePage[];
  address: SiteAddress;
}

/**
 * Makes only the files that do not depend on rendered pages.
 *
 * @throws {UsageError} in the cases of {@link renderSite} that are found without rendering.
 */
export async function planSite(input: SiteInput, { siteUrl, isArchived }: RenderOptions = {}): Promise<SitePlan> {
  const address = siteAddress(siteUrl);
  const [assets, site] = [await buildAssets(), siteOf(input, address)];
  const problems = problemsOfGuides(site);
  if (problems.length > 0) throw new UsageError(formatFindings(problems));
  const pages = pagesOf(site);
  const context = { site, assets: assets.paths, address, isArchived };
  const renderers = new Map(
    pages.map((page) => {
      const pageContext = page.ref.kind === "not-found" ? { ...context, base: address.base } : context;
      return [pathOf(page.ref), () => renderPage(page, pageContext)];
    }),
  );
  const files: SiteFiles = {
    ...assets.files,
    ...openapiSlices(input.bundles.test.published, site.contract.operations),
  };
  for (const edition of editions) {
    for (const format of ["yaml", "json", "json30"] as const) {
      files[bundleName(edition, format)] = input.bundles[edition][format];
    }
    files[collectionName(edition)] = postmanCollection(site, edition);
  }
  return { files, renderers, site, pages, address };
}

/** Makes the files that need all rendered pages: the files for programs, and the search index. */
export async function finishSite(
  { site, pages, address }: SitePlan,
  html: Readonly<Record<string, string>>,
): Promise<SiteFiles> {
  const parsedPages = parsePages(html);
  const machineFiles = await renderMachineFiles({ site, pages, html, parsedPages, address });
  return { ...machineFiles, [searchIndexPath]: JSON.stringify(makeSearchIndex(pages, parsedPages, site)) };
}

function siteOf({ bundles, registers, unreleasedText = "", hasSbom }: SiteInput, address: SiteAddress): SiteContent {
  const publishing = readPublishing();
  const install = installLine(publishing, address.isKnown ? address.url : localSiteUrl);
  return createSite(bundles.test.document, {
    registers,
    guides: readGuides().map((guide) => ({
      ...guide,
      text: guide.text.replaceAll(installLine(publishing, localSiteUrl), install),
    })),
    journeys: readJourneys(),
    changelog: readProjectFile("CHANGELOG.md").replace("## Unreleased\n", (heading) => `${heading}\n${unreleasedText}`),
    mockControl: readMockControl(),
    mockValues: readMockValues(),
    hasSbom,
    sampleValues: readSampleValues(new Sources()),
    publishing,
    install,
  });
}

/** The guides with updated generated parts, by path in the repository. */
export async function guideFiles(input: SiteInput): Promise<Record<string, string>> {
  return fillGuides(siteOf(input, siteAddress(undefined)));
}

export function renderPage(page: SitePage, context: Omit<PageContext, "ref">): string {
  const html = renderToString(
    <PageProvider value={{ ...context, ref: page.ref }}>
      <Layout page={page} />
    </PageProvider>,
  );
  return `<!doctype html>\n${html}\n`;
}
