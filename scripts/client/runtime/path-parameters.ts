/** Writes paths, and rejects path parameters that would address another operation. */
import { InvalidRequest } from "./invalid-request.ts";

// Servers and proxies may treat separators and control characters as path syntax, even when they are percent-encoded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const unsafeCharacter = /[/\\\u0000-\u001f\u007f]/;

/**
 * Writes the path of a call, each parameter percent-encoded (RFC 6570, section 3.2.2).
 *
 * An empty value would address the collection, `.` and `..` another path (RFC 3986, section 5.2.4).
 *
 * @param template path template, for example `/v1/user/{externalUserId}`.
 * @throws {InvalidRequest} naming the first parameter that cannot be sent.
 */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const problem = problemOf(values[name]);
    if (problem !== undefined) throw new InvalidRequest(`The path parameter "${name}" ${problem}.`);
    return encodeURIComponent(String(values[name]));
  });
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
