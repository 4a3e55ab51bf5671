/** Syntax highlighting at build time. */
import hljs from "highlight.js/lib/common";
import http from "highlight.js/lib/languages/http";

hljs.registerLanguage("http", http);
hljs.registerAliases("console", { languageName: "bash" });

const known = new Map<string, string>();

/** Highlighted HTML; escaped text for an unknown language. */
export function highlight(code: string, language: string): string {
  const key = `${language}\n${code}`;
  const usedLanguage = hljs.getLanguage(language) === undefined ? "plaintext" : language;
  const html = known.get(key) ?? hljs.highlight(code, { language: usedLanguage }).value;
  known.set(key, html);
  return html;
}
