/** Markdown texts of the contract. */
import { linkText } from "../text/links.ts";
import { renderInlineMarkdown, renderMarkdown } from "../text/markdown.tsx";
import { useHrefs, usePage } from "./page-context.ts";

/** A text of one or more paragraphs. */
export function Prose({ text }: { text: string }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  if (text.trim() === "") return null;
  const html = renderMarkdown(linkText(text, site, hrefs.to));
  // HTML from the Markdown parser, for the contract's own texts.
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A text within a line, a cell or a list item. */
export function InlineProse({ text, class: name }: { text: string; class?: string }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const html = renderInlineMarkdown(linkText(text.trim().replace(/\n+/g, " "), site, hrefs.to));
  // HTML from the Markdown parser, for the contract's own texts.
  return <span class={name} dangerouslySetInnerHTML={{ __html: html }} />;
}
