/** Texts of the contract, which are Markdown. */
import { linkText } from "../text/links.ts";
import { renderInlineMarkdown, renderMarkdown } from "../text/markdown.tsx";
import { useHrefs, usePage } from "./page-context.ts";

/** A text of one or more paragraphs. */
export function Prose({ text }: { text: string }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  if (text.trim() === "") return null;
  const html = renderMarkdown(linkText(text, site, hrefs.to));
  // Made by the parser of Markdown from the contract's own texts.
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A text inside of a line, a cell or an item of a list. */
export function InlineProse({ text }: { text: string }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const html = renderInlineMarkdown(linkText(text.trim().replace(/\n+/g, " "), site, hrefs.to));
  // Made by the parser of Markdown from the contract's own texts.
  return <span dangerouslySetInnerHTML={{ __html: html }} />;
}
