/** A Markdown file beside every page, with the same content. */
import { posix } from "node:path";
import { relativeHref } from "../site/pages.ts";
import { toMarkdown } from "./markdown.ts";

/** HTML by path, below the folder of the site. */
type Pages = Readonly<Record<string, string>>;

/** The path of a page as Markdown. */
export function markdownOf(path: string): string {
  return path.replace(/\.html$/, ".md");
}

/**
 * The pages of a site as Markdown. Links between the pages lead to each other. A Markdown page has the anchors that a
 * link needs.
 *
 * @param pages HTML by path, below the folder of the site.
 * @param base what absolute links begin with, those of a page that is shown at any address.
 * @returns Markdown by path, below the same folder.
 * @throws {Error} when a page cannot be read.
 */
export async function renderMarkdownPages(pages: Pages, base = "/"): Promise<Record<string, string>> {
  const linked = linkedAnchors(pages);
  const markdownHref = markdownHrefs(new Set(Object.keys(pages)), base);
  const markdownPages: Record<string, string> = {};
  for (const [path, html] of Object.entries(pages)) {
    markdownPages[markdownOf(path)] = toMarkdown(path, html, {
      hrefOf: (href) => markdownHref(path, href),
      isLinked: (id) => linked.has(`${path}#${id}`),
    });
    // The index of the search is made at the same time, by another process that must be fed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return markdownPages;
}

/** The anchors that the contents of pages link to: `errors/P459.html#body`. */
function linkedAnchors(pages: Pages): Set<string> {
  const linked = new Set<string>();
  for (const [path, html] of Object.entries(pages)) {
    const main = html.slice(html.indexOf("<main"));
    const hrefs = new Set([...main.matchAll(/(?<!class="self") href="([^"]*#[^"]+)"/g)].map(([, href = ""]) => href));
    for (const href of hrefs) linked.add(href.startsWith("#") ? path + href : resolve(path, href));
  }
  return linked;
}

/** Makes the links between Markdown pages of those between pages. The pages of a folder share most of their links. */
function markdownHrefs(paths: ReadonlySet<string>, base: string): (from: string, href: string) => string {
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
    const made = paths.has(path) ? relativeHref(from, markdownOf(path)) + (id === undefined ? "" : `#${id}`) : href;
    known.set(href, made);
    return made;
  };
}

/** The path that a link leads to, below the folder of the site, with its anchor. */
function resolve(from: string, href: string): string {
  return posix.join(posix.dirname(from), href);
}
