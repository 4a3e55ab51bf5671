import { capitaliseAcronyms } from "../../contract/model/index.ts";

export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function listWords(words: readonly string[], conjunction: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

export function codeList(values: readonly string[], conjunction: "and" | "or"): string {
  return listWords(
    values.map((value) => `\`${value}\``),
    conjunction,
  );
}

/** `sepaTransfer` becomes "SEPA transfer". */
export function wordsOf(name: string): string {
  return capitaliseAcronyms(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(" "));
}

export function capitalise(words: string): string {
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

export function firstSentence(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ");
  return /^.*?[.!?](?=\s+[A-Z`]|$)/.exec(line)?.[0] ?? line;
}
