/** Code with its parts marked by classes, at build time. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import http from "highlight.js/lib/languages/http";
import json from "highlight.js/lib/languages/json";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

for (const [name, language] of Object.entries({ bash, http, json, php, python, typescript, xml, yaml })) {
  hljs.registerLanguage(name, language);
}
hljs.registerAliases(["sh", "console"], { languageName: "bash" });
hljs.registerAliases(["ts", "js"], { languageName: "typescript" });

const known = new Map<string, string>();

/** The HTML of a piece of code; of a language that is not known, its text with the special characters escaped. */
export function highlight(code: string, language: string): string {
  const key = `${language}\n${code}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const usedLanguage = hljs.getLanguage(language) === undefined ? "plaintext" : language;
  const html =
    usedLanguage === "plaintext"
      ? code.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
      : hljs.highlight(code, { language: usedLanguage }).value;
  known.set(key, html);
  return html;
}
