/** What programs read of the site: the Markdown of each page, the lists of pages. */
import type { SitePage } from "../pages/page.ts";
import { pathOf } from "../site/pages.ts";
import type { SiteContent } from "../site/site.ts";
import { renderLlms } from "./llms.ts";
import { renderMarkdownPages } from "./markdown-pages.ts";
import type { SiteAddress } from "./site-url.ts";
import { renderRobots, renderSitemap } from "./sitemap.ts";

export interface MachineInput {
  site: SiteContent;
  pages: readonly SitePage[];
  /** The rendered pages, by their paths below the folder of the site. */
  html: Readonly<Record<string, string>>;
  address: SiteAddress;
}

/**
 * The files for machines, by their paths below the folder of the site.
 *
 * @throws {Error} when a page cannot be read.
 */
export async function renderMachineFiles(input: MachineInput): Promise<Record<string, string>> {
  const { site, pages, html, address } = input;
  const listed = pages.flatMap(({ ref }) => (ref.kind === "not-found" ? [] : pathOf(ref)));
  return {
    ...(await renderMarkdownPages(html, address.base)),
    "llms.txt": renderLlms(site, pages),
    "sitemap.xml": renderSitemap(address.url, listed),
    "robots.txt": renderRobots(address.url),
  };
}
