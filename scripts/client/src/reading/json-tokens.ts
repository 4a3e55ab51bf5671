/**
 * Calls `visit` for each token of a JSON text, in order, until `visit` returns true. A token is a string, a number, a literal, or one of
 * `{ } [ ] : ,`. Checks no grammar, never throws, and takes time linear in the length of the text.
 *
 * @param visit `first` is the first character of the token, which determines its kind; `text.slice(start, end)` is the token.
 */
export function visitTokens(text: string, visit: (first: string, start: number, end: number) => unknown): void {
  for (let start = find(noSpace, text, 0); start < text.length; ) {
    const first = text[start] as string;
    const end =
      first === '"' ? endOfString(text, start) : "{}[]:,".includes(first) ? start + 1 : find(noScalar, text, start + 1);
    if (visit(first, start, end) === true) return;
    start = find(noSpace, text, end);
  }
}

// Each pattern matches one character: a pattern with a repetition fails on strings of 16 million characters.
const noSpace = /\S/g;
const noScalar = /[\s"{}[\]:,]/g;
const quoteOrEscape = /["\\]/g;

function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

function endOfString(text: string, start: number): number {
  let at = find(quoteOrEscape, text, start + 1);
  while (text[at] === "\\") at = find(quoteOrEscape, text, at + 2);
  return Math.min(at + 1, text.length);
}
