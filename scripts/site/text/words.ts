/** Formats words, numbers and names in sentences. */

/** A number with a noun: `1 open question`, `2 open questions`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** A list of words: `a, b or c`. */
export function listWords(words: readonly string[], joint: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}

export function codeList(values: readonly string[], joint: "and" | "or"): string {
  return listWords(
    values.map((value) => `\`${value}\``),
    joint,
  );
}

/** A camelCase name as words: `sepaTransfer` becomes "SEPA transfer". */
export function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/\b(iban|kyc|sepa)\b/g, (acronym) => acronym.toUpperCase());
}

export function capitalised(words: string): string {
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

export function firstSentence(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ");
  return /^.*?[.!?](?=\s+[A-Z`]|$)/.exec(line)?.[0] ?? line;
}
