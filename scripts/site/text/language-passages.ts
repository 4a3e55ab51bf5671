/** A guide can have the same passage in several languages. The page's script shows only the passage in the chosen language. */
import { marked, type Token } from "marked";
import { languageNames } from "./language-names.ts";

export interface Passage {
  /** The key of the language in `languageNames`, which the browser stores. */
  language: string;
  text: string;
}

/**
 * A passage is a section whose heading is the name of a language, or a paragraph that begins with the name and a comma, with the code block
 * below it. A single passage without a neighbour is returned as text.
 *
 * @param text Markdown.
 * @returns the text in parts: lists of passages that follow each other, and the texts between them.
 */
export function splitByLanguage(text: string): (string | Passage[])[] {
  const parts: (string | Passage[])[] = [];
  const tokens = marked.lexer(text).filter(({ type }) => type !== "space");
  for (let index = 0; index < tokens.length; ) {
    const [language, length] = passageAt(tokens, index);
    const rawTexts = tokens.slice(index, index + length).map((token) => `${token.raw.trimEnd()}\n\n`);
    const lastPart = parts.at(-1);
    if (language === undefined) {
      if (typeof lastPart === "string") parts[parts.length - 1] = lastPart + rawTexts.join("");
      else parts.push(rawTexts.join(""));
    } else {
      const passage = { language, text: rawTexts.join("") };
      if (Array.isArray(lastPart)) lastPart.push(passage);
      else parts.push([passage]);
    }
    index += length;
  }
  return parts.map((part) => (Array.isArray(part) && part.length === 1 ? (part[0]?.text ?? "") : part));
}

function passageAt(tokens: readonly Token[], index: number): [language: string | undefined, length: number] {
  const [firstToken, secondToken] = [tokens[index], tokens[index + 1]];
  if (firstToken?.type === "heading") {
    const language = findLanguage((name) => name === firstToken.text);
    const end = tokens.findIndex(
      (token, otherIndex) => otherIndex > index && token.type === "heading" && token.depth <= firstToken.depth,
    );
    return language === undefined ? [language, 1] : [language, (end < 0 ? tokens.length : end) - index];
  }
  if (firstToken?.type !== "paragraph" || secondToken?.type !== "code") return [undefined, 1];
  return [findLanguage((name) => firstToken.text.startsWith(`${name}, `)), 2];
}

function findLanguage(matchesName: (name: string) => boolean): string | undefined {
  return Object.entries(languageNames).find(([, name]) => matchesName(name))?.[0];
}
