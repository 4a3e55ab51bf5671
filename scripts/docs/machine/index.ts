/** What programs read of the site: the Markdown of each page, the lists of pages. */
import { type Edition, editions } from "../../contract/index.ts";
import type { SitePage } from "../pages/page.ts";
import { pathOf } from "../site/pages.ts";
import type { EditionSite } from "../site/site.ts";
import { renderLlms, renderRootLlms } from "./llms.ts";
import type { SiteAddress } from "./site-url.ts";
import { renderRobots, renderSitemap } from "./sitemap.ts";
import { renderTwins } from "./twins.ts";

export interface MachineInput {
  sites: Record<Edition, EditionSite>;
  pages: Record<Edition, readonly SitePage[]>;
  /** The rendered pages, by their paths below the folder of the site. */
  html: Readonly<Record<string, string>>;
  address: SiteAddress;
}

/**
 * The files for machines of both editions, by their paths below the folder of the site.
 *
 * @throws {Error} when a page cannot be read.
 */
export async function renderMachineFiles({
  sites,
  pages,
  html,
  address,
}: MachineInput): Promise<Record<string, string>> {
  // The page outside of the editions is the one of an edition.
  const ofEditions = Object.entries(html).filter(([path]) => path.includes("/"));
  const files = await renderTwins(Object.fromEntries(ofEditions), address.base);
  for (const edition of editions) files[`${edition}/llms.txt`] = renderLlms(sites[edition], pages[edition]);
  files["llms.txt"] = renderRootLlms(sites);
  const listed = editions.flatMap((edition) =>
    pages[edition].filter(({ ref }) => ref.kind !== "not-found").map(({ ref }) => `${edition}/${pathOf(ref)}`),
  );
  files["sitemap.xml"] = renderSitemap(address.url, listed);
  files["robots.txt"] = renderRobots(address.url);
  return files;
}
