/** A Markdown file beside every page, with the same content. */
import { posix } from "node:path";
import { relativeHref } from "../site/pages.ts";
import { readPage } from "./html-tree.ts";
import { toMarkdown } from "./markdown.ts";

/** HTML by path, below the folder of the site. */
type Pages = Readonly<Record<string, string>>;

/** The path of the Markdown twin of a page. */
export function twinOf(path: string): string {
  return path.replace(/\.html$/, ".md");
}

/**
 * The Markdown twins of the pages of a site. Links between the pages lead to the twins. A twin has the anchors that a
 * link needs.
 *
 * @param pages HTML by path, below the folder of the site.
 * @param base what absolute links begin with, those of a page that is shown at any address.
 * @returns Markdown by path, below the same folder.
 * @throws {Error} when a page cannot be read.
 */
export async function renderTwins(pages: Pages, base = "/"): Promise<Record<string, string>> {
  const linked = linkedAnchors(pages);
  const twinHref = twinHrefs(new Set(Object.keys(pages)), base);
  const twins: Record<string, string> = {};
  for (const [path, html] of Object.entries(pages)) {
    const { main, ownAnchors } = readPage(path, html);
    twins[twinOf(path)] = toMarkdown(main, {
      hrefOf: (href) => twinHref(path, href),
      isAnchorWanted: (id) => ownAnchors.has(id) || linked.has(`${path}#${id}`),
    });
    // The index of the search is made at the same time, by another process that must be fed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return twins;
}

/** The anchors that other pages link to: `errors/P459.html#body`. */
function linkedAnchors(pages: Pages): Set<string> {
  const linked = new Set<string>();
  for (const [path, html] of Object.entries(pages)) {
    const hrefs = new Set([...html.matchAll(/ href="([^"#]+#[^"]+)"/g)].map(([, href = ""]) => href));
    for (const href of hrefs) linked.add(resolve(path, href));
  }
  return linked;
}

/** Makes the links of twins of those of pages. The pages of a folder share most of their links. */
function twinHrefs(paths: ReadonlySet<string>, base: string): (from: string, href: string) => string {
  const folders = new Map<string, Map<string, string>>();
  return (from, href) => {
    if (href.startsWith("#") || /^[a-z]+:/.test(href)) return href;
    const folder = posix.dirname(from);
    const known = folders.get(folder) ?? new Map<string, string>();
    folders.set(folder, known);
    const found = known.get(href);
    if (found !== undefined) return found;
    const target = href.startsWith(base) ? href.slice(base.length) : resolve(from, href);
    const [path = "", id] = target.split("#");
    const made = paths.has(path) ? relativeHref(from, twinOf(path)) + (id === undefined ? "" : `#${id}`) : href;
    known.set(href, made);
    return made;
  };
}

/** The path that a link leads to, below the folder of the site, with its anchor. */
function resolve(from: string, href: string): string {
  return posix.join(posix.dirname(from), href);
}
