/** The first sentence of a Markdown text, on one line. */
export function firstSentence(text: string): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ");
  return /^.*?[.!?](?=\s+[A-Z`]|$)/.exec(line)?.[0] ?? line;
}
