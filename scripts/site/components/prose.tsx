import { linkText } from "../content/links.ts";
import { renderInlineMarkdown, renderMarkdown } from "./markdown.tsx";
import { useHrefs, usePage } from "./page-context.ts";

export function Prose({ text }: { text: string }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  if (text.trim() === "") return null;
  const html = renderMarkdown(linkText(text, site, hrefs.page));
  // The HTML is safe, because the Markdown renderer escapes HTML in the text.
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

export function InlineProse({ text, class: name }: { text: string; class?: string }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const html = renderInlineMarkdown(linkText(text.trim().replace(/\n+/g, " "), site, hrefs.page));
  return <span class={name} dangerouslySetInnerHTML={{ __html: html }} />;
}
