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
  const line = printOnOneLine(value);
  if (column + before + line.length <= lineWidth || typeof value !== "object" || value === null) return line;
  if (value instanceof Expression) return line;
  const indent = " ".repeat(column + 2);
  const close = `\n${" ".repeat(column)}`;
  if (Array.isArray(value)) {
    return `[${value.map((item) => `\n${indent}${printValue(item, column + 2)},`).join("")}${close}]`;
  }
  const members = Object.entries(value).map(([name, member]) => {
    const key = printKey(name);
    return `\n${indent}${key}: ${printValue(member, column + 2, key.length + 2)},`;
  });
  return `{${members.join("")}${close}}`;
}

function printOnOneLine(value: unknown): string {
  if (value instanceof Expression) return value.code;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(printOnOneLine).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${printKey(name)}: ${printOnOneLine(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
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
