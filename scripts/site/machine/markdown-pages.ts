import { posix } from "node:path";
import { serializeOuter } from "parse5";
import { markdownPathOf, relativeHref, slugOf } from "../content/pages.ts";
import { toMarkdown } from "./markdown.ts";
import type { ParsedHtml, ParsedPages } from "./parsed-html.ts";

/** Markdown viewers derive anchors from the texts of headings. Other anchors do not work there. */
function anchorsOf({ headings }: ParsedHtml): Set<string> {
  return new Set(headings.flatMap(({ id, text }) => (slugOf(text) === id ? id : [])));
}

/** A link keeps its anchor only if Markdown viewers derive the same anchor from the heading. */
export async function renderMarkdownPages(
  pages: ParsedPages,
  { base = "/", notes = new Map<string, string>() } = {},
): Promise<Record<string, string>> {
  const anchors = new Map([...pages].map(([path, page]) => [path, anchorsOf(page)]));
  const markdownPages: Record<string, string> = {};
  for (const [path, { main }] of pages) {
    if (main === undefined) throw new Error(`The page ${path} has no main element.`);
    const markdown = toMarkdown(serializeOuter(main), (href) => {
      if (href === "" || href.startsWith("#")) return undefined;
      if (/^[a-z]+:/.test(href)) return href;
      const target = href.startsWith(base) ? href.slice(base.length) : posix.join(posix.dirname(path), href);
      const [page = "", anchor = ""] = target.split("#");
      const knownAnchors = anchors.get(page);
      if (knownAnchors === undefined) return href;
      return relativeHref(path, markdownPathOf(page)) + (knownAnchors.has(anchor) ? `#${anchor}` : "");
    });
    const note = notes.get(path);
    markdownPages[markdownPathOf(path)] = note === undefined ? markdown : markdown.replace("\n", () => `\n\n${note}\n`);
    // Yields between pages, so that a server in the same process can respond to requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return markdownPages;
}
