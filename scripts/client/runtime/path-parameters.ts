/** Rejects path parameters that would address another operation. */

// Servers and proxies may treat separators and control characters as path syntax, even when they are percent-encoded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const unsafeCharacter = /[/\\\u0000-\u001f\u007f]/;

/**
 * Checks the path parameters of a call.
 *
 * An empty value would address the collection, `.` and `..` another path (RFC 3986, section 5.2.4).
 *
 * @param template path template, for example `/v1/user/{externalUserId}`.
 * @returns the first problem, undefined when all values can be sent.
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
  if (unsafeCharacter.test(text)) return "must not contain a slash, a backslash or a control character";
  return isEncodable(text) ? undefined : "contains an unpaired surrogate";
}

function isEncodable(text: string): boolean {
  try {
    encodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
