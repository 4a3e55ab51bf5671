/**
 * Calls `visit` for each token of a JSON text, in order, until `visit` returns true. A token is a string, a number, a literal, or one of
 * `{ } [ ] : ,`. Checks no grammar, never throws, and takes time linear in the length of the text.
 *
 * @param visit `first` is the first character of the token, which determines its kind; `text.slice(start, end)` is the token.
 */
export function visitTokens(text: string, visit: (first: string, start: number, end: number) => unknown): void {
  for (let start = findMatch(nonSpace, text, 0); start < text.length; ) {
    const first = text[start] as string;
    const end =
      first === '"'
        ? endOfString(text, start)
        : "{}[]:,".includes(first)
          ? start + 1
          : findMatch(scalarEnd, text, start + 1);
    if (visit(first, start, end) === true) return;
    start = findMatch(nonSpace, text, end);
  }
}

// Each pattern matches one character, because a repeated group overflows the stack on very long strings.
const nonSpace = /\S/g;
const scalarEnd = /[\s"{}[\]:,]/g;
const quoteOrEscape = /["\\]/g;

function findMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}

function endOfString(text: string, start: number): number {
  let index = findMatch(quoteOrEscape, text, start + 1);
  while (text[index] === "\\") index = findMatch(quoteOrEscape, text, index + 2);
  return Math.min(index + 1, text.length);
}
