/** Finds passages of a guide that exist in several languages. The page's script shows only the passage in the chosen language. */
import { marked, type Token } from "marked";
import { languageNames } from "../samples/language-names.ts";

export interface Passage {
  /** The key of the language in `languageNames`, which the browser stores. */
  language: string;
  text: string;
}

/**
 * A passage is a section whose heading is the name of a language, or a paragraph that begins with the name, and the code below it.
 *
 * @param text Markdown.
 * @returns the text in parts: lists of passages that follow each other, and the texts between them.
 */
export function splitByLanguage(text: string): (string | Passage[])[] {
  const parts: (string | Passage[])[] = [];
  const tokens = marked.lexer(text).filter(({ type }) => type !== "space");
  for (let at = 0; at < tokens.length; ) {
    const [language, length] = passageAt(tokens, at);
    const raw = tokens.slice(at, at + length).map((token) => `${token.raw.trimEnd()}\n\n`);
    const last = parts.at(-1);
    if (language === undefined) {
      if (typeof last === "string") parts[parts.length - 1] = last + raw.join("");
      else parts.push(raw.join(""));
    } else {
      const passage = { language, text: raw.join("") };
      if (Array.isArray(last)) last.push(passage);
      else parts.push([passage]);
    }
    at += length;
  }
  return parts.map((part) => (Array.isArray(part) && part.length === 1 ? (part[0]?.text ?? "") : part));
}

function passageAt(tokens: readonly Token[], at: number): [language: string | undefined, length: number] {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (first?.type === "heading") {
    const language = findLanguage((name) => name === first.text);
    const end = tokens.findIndex(
      (token, other) => other > at && token.type === "heading" && token.depth <= first.depth,
    );
    return language === undefined ? [language, 1] : [language, (end < 0 ? tokens.length : end) - at];
  }
  if (first?.type !== "paragraph" || second?.type !== "code") return [undefined, 1];
  return [findLanguage((name) => first.text.startsWith(`${name}, `)), 2];
}

function findLanguage(isWanted: (name: string) => boolean): string | undefined {
  return Object.entries(languageNames).find(([, name]) => isWanted(name))?.[0];
}
