import hljs from "highlight.js/lib/common";
import http from "highlight.js/lib/languages/http";

hljs.registerLanguage("http", http);
hljs.registerAliases("console", { languageName: "bash" });

const coloured = /^(comment|meta|string|subst|number|literal|keyword|built_in)$/;

const known = new Map<string, string>();

export function highlight(code: string, language: string): string {
  const key = `${language}\n${code}`;
  const usedLanguage = hljs.getLanguage(language) === undefined ? "plaintext" : language;
  const html = known.get(key) ?? colouredOnly(hljs.highlight(code, { language: usedLanguage }).value);
  known.set(key, html);
  return html;
}

/** Removes elements without a colour: most of the elements, and about 5 % of the size of a long page. */
function colouredOnly(html: string): string {
  const open: boolean[] = [];
  return html.replace(/<span class="(?:hljs-)?([^"]*)">|<\/span>/g, (tag, name?: string) => {
    if (name !== undefined) open.push(coloured.test(name));
    return (name === undefined ? open.pop() : open.at(-1)) ? tag : "";
  });
}
