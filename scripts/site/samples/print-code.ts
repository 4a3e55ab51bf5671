/** Prints values as code: literals of TypeScript, and words of a shell. */

/** An expression that stands in a value as it is. */
export class Expression {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

/** Characters of a line of code; what is longer is broken where it can be. */
const lineWidth = 84;

/**
 * Prints a value of JSON, which may hold {@link Expression}s, as a literal of TypeScript.
 *
 * @param column of the line's first character: how far the line is indented.
 * @param before number of characters before the value on its line, after the indentation.
 */
export function printValue(value: unknown, column = 0, before = 0): string {
  const marked = (_: string, inner: unknown) => (inner instanceof Expression ? `\u0001${inner.code}\u0001` : inner);
  const text = JSON.stringify(value, marked, 2)
    // Within a text of JSON, no quote stands without a backslash.
    .replace(/"([A-Za-z_$][\w$]*)":/g, "$1:")
    .replace(/"\\u0001(.*?)\\u0001"/g, (_, code) => JSON.parse(`"${code}"`));
  const line = text.replace(/\n\s*/g, " ");
  return column + before + line.length <= lineWidth ? line : text.replaceAll("\n", `\n${" ".repeat(column)}`);
}

/** Prints JSON as a person would write it: a short object on one line, any other with a member on each. */
export function printJson(value: unknown): string {
  const short = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  return short.length <= 72 ? short : JSON.stringify(value, null, 2);
}

/** A word of a POSIX shell that stands for exactly this text; quoted only where it must be. */
export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
