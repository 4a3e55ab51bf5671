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
 * The pages of a site as Markdown. Links between the pages lead to each other, without anchors: what a text is shown by
 * as it is does not know them.
 *
 * @param pages HTML by path, below the folder of the site.
 * @param base what absolute links begin with, those of a page that is shown at any address.
 * @param notes what stands below the heading of a page, by its path.
 * @returns Markdown by path, below the same folder.
 * @throws {Error} when a page cannot be read.
 */
export async function renderMarkdownPages(
  pages: Pages,
  { base = "/", notes = new Map<string, string>() } = {},
): Promise<Record<string, string>> {
  const paths = new Set(Object.keys(pages));
  const markdownPages: Record<string, string> = {};
  for (const [path, html] of Object.entries(pages)) {
    const markdown = toMarkdown(path, html, (href) => {
      if (href === "" || href.startsWith("#")) return undefined;
      if (/^[a-z]+:/.test(href)) return href;
      const target = href.startsWith(base) ? href.slice(base.length) : posix.join(posix.dirname(path), href);
      const [page = ""] = target.split("#");
      return paths.has(page) ? relativeHref(path, markdownOf(page)) : href;
    });
    const note = notes.get(path);
    markdownPages[markdownOf(path)] = note === undefined ? markdown : markdown.replace("\n", () => `\n\n${note}\n`);
    // A server that shows the pages meanwhile answers between two of them.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return markdownPages;
}
