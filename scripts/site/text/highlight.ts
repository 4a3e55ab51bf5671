/** Code with its parts marked by classes, at build time. */
import hljs from "highlight.js/lib/common";
import http from "highlight.js/lib/languages/http";

hljs.registerLanguage("http", http);
hljs.registerAliases("console", { languageName: "bash" });

const known = new Map<string, string>();

/** The HTML of a piece of code; of a language that is not known, its text with the special characters escaped. */
export function highlight(code: string, language: string): string {
  const key = `${language}\n${code}`;
  const usedLanguage = hljs.getLanguage(language) === undefined ? "plaintext" : language;
  const html = known.get(key) ?? hljs.highlight(code, { language: usedLanguage }).value;
  known.set(key, html);
  return html;
}
