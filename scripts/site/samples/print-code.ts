export class Expression {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

const lineWidth = 84;

/**
 * @param column the indentation of the line, in characters.
 * @param precedingLength the number of characters between the indentation and the value.
 */
export function printValue(value: unknown, column = 0, precedingLength = 0): string {
  const markExpression = (_: string, memberValue: unknown) =>
    memberValue instanceof Expression ? `\u0001${memberValue.code}\u0001` : memberValue;
  const text = JSON.stringify(value, markExpression, 2)
    // JSON escapes every quote in a string, so this pattern matches only keys.
    .replace(/"([A-Za-z_$][\w$]*)":/g, "$1:")
    .replace(/"\\u0001(.*?)\\u0001"/g, (_, code) => JSON.parse(`"${code}"`));
  const line = text.replace(/\n\s*/g, " ");
  return column + precedingLength + line.length <= lineWidth ? line : text.replaceAll("\n", `\n${" ".repeat(column)}`);
}

export function printJson(value: unknown): string {
  const singleLine = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  return singleLine.length <= 72 ? singleLine : JSON.stringify(value, null, 2);
}

export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The options of a client function as an object literal, without empty options; an empty string if all options are empty. */
export function optionsCode(options: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(options)
    .filter(([, value]) => Object.keys(Object(value)).length > 0)
    .map(([name, value]) => {
      return `  ${name}: ${printValue(value, 2, name.length + 2)},${name === "headers" ? " // for the mock" : ""}\n`;
    });
  return lines.length === 0 ? "" : `{\n${lines.join("")}}`;
}
