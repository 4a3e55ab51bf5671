import hljs from "highlight.js/lib/common";
import http from "highlight.js/lib/languages/http";

hljs.registerLanguage("http", http);
hljs.registerAliases("console", { languageName: "bash" });

const colouredClasses = /^(comment|meta|string|subst|number|literal|keyword|built_in)$/;

const cache = new Map<string, string>();

export function highlight(code: string, language: string): string {
  const key = `${language}\n${code}`;
  const usedLanguage = hljs.getLanguage(language) === undefined ? "plaintext" : language;
  const html = cache.get(key) ?? removeUncoloured(hljs.highlight(code, { language: usedLanguage }).value);
  cache.set(key, html);
  return html;
}

/** Elements without a colour would only make the page larger. */
function removeUncoloured(html: string): string {
  const keptTags: boolean[] = [];
  return html.replace(/<span class="(?:hljs-)?([^"]*)">|<\/span>/g, (tag, name?: string) => {
    if (name !== undefined) keptTags.push(colouredClasses.test(name));
    return (name === undefined ? keptTags.pop() : keptTags.at(-1)) ? tag : "";
  });
}
