/** Checks of the Markdown pages. Each returns problems as lines of text. */
import { posix } from "node:path";
import { Marked, type Token } from "marked";
import { parseFragment } from "parse5";
import type { SiteFiles } from "../../scripts/site/index.ts";
import { slugOf } from "../../scripts/site/site/pages.ts";
import { attribute, type Element, rawText } from "./parsed-page.ts";

const marked = new Marked();

export function textsOf(files: SiteFiles, ending: string): Map<string, string> {
  const found = Object.entries(files).filter(([path, text]) => path.endsWith(ending) && typeof text === "string");
  return new Map(found as [string, string][]);
}

/** Each link leads to an existing file, and each anchor to a heading. A link to a page leads to its Markdown file. */
export function markdownLinkComplaints(files: SiteFiles, texts: Map<string, string>) {
  return [...texts].flatMap(([path, text]) =>
    [...new Set(linksIn(text))].flatMap((href) => {
      const [file = "", anchor] = href.split("#");
      const target = posix.join(posix.dirname(path), file);
      if (/^[a-z]+:/.test(href)) return [`${path}: ${href} leads to another host`];
      const headings = String(files[target] ?? "").match(/^#+ .*$/gm) ?? [];
      if (
        anchor !== undefined &&
        !headings.some((heading) => slugOf(heading.replace(/^#+ |\]\([^)]*\)/g, "")) === anchor)
      )
        return [`${path}: ${href} leads to no heading`];
      if (target.endsWith(".html") && files[target] !== undefined)
        return [`${path}: ${href} leads to no Markdown page`];
      return files[target] === undefined ? [`${path}: ${href} leads to no file`] : [];
    }),
  );
}

function linksIn(text: string): string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(text), (token: Token) => {
    if (token.type === "link") links.push(token.href);
  });
  return links;
}

export function wordComplaints(path: string, html: string, markdown: string): string[] {
  const expected = wordsOf(html.slice(html.indexOf("<main"), html.indexOf("</main>")));
  const found = wordsOf(
    marked.parse(markdown.replaceAll("Open question: ", "").replace(/^Contract .*, edition.*$/m, ""), { async: false }),
  );
  const index = expected.findIndex((word, at) => word !== found[at]);
  if (index < 0 && expected.length === found.length) return [];
  const around = (words: string[]) => words.slice(Math.max(0, index - 5), index + 5).join(" ");
  return [`${path}: the page says "${around(expected)}", its Markdown page "${around(found)}"`];
}

function wordsOf(html: string): string[] {
  const isRead = (element: Element) =>
    element.tagName !== "nav" && element.tagName !== "svg" && attribute(element, "hidden") === undefined;
  // In HTML, the style marks open questions instead of these words.
  const text = rawText(parseFragment(html), isRead).replaceAll("Open question: ", "");
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
