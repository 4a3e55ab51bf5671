/** Path parameters that cannot lead a call to another operation. */

// Separators and control characters have no place in an identifier, and a server or proxy may read them as structure.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unsafeCharacter = /[/\\\u0000-\u001f\u007f]/;

/**
 * Says what is wrong with the path parameters of a call, or returns undefined when all can be sent.
 *
 * An empty value would reach the collection, `.` and `..` the parent path (RFC 3986, section 5.2.4).
 */
export function findUnsafePathParameter(template: string, values: Record<string, unknown>): string | undefined {
  for (const [, name] of template.matchAll(/\{([^}]+)\}/g)) {
    const problem = problemOf(values[name as string]);
    if (problem !== undefined) return `The path parameter "${name}" ${problem}.`;
  }
  return undefined;
}

function problemOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return "is missing";
  if (typeof value !== "string" && typeof value !== "number") return "must be a string";
  const text = String(value);
  if (text === "") return "is empty";
  if (text === "." || text === "..") return "must not be a relative path segment";
  if (unsafeCharacter.test(text)) return "must not hold a slash, a backslash or a control character";
  return isEncodable(text) ? undefined : "holds half of a surrogate pair";
}

function isEncodable(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
