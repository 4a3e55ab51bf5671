/** Writes paths, and rejects path parameters that would address another operation. */
import { InvalidRequest } from "./invalid-request.ts";

// Servers and proxies may treat separators and control characters as path syntax, even when they are percent-encoded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const unsafeCharacter = /[/\\\u0000-\u001f\u007f]/;

const unpairedSurrogate = /\p{Surrogate}/u;

/**
 * Writes the path of a call, each parameter percent-encoded (RFC 6570, section 3.2.2).
 *
 * An empty value would address the collection, `.` and `..` another path (RFC 3986, section 5.2.4).
 *
 * @param template path template, for example `/v1/user/{externalUserId}`.
 * @throws {InvalidRequest} naming the first parameter that cannot be sent.
 */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
  // Every second part is the name of a parameter.
  const parts = template.split(/[{}]/);
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] as string;
    const text = String(values[name]);
    const problem = problemOf(values[name], text);
    if (problem !== undefined) throw new InvalidRequest(`The path parameter "${name}" ${problem}.`);
    parts[index] = encodeURIComponent(text);
  }
  return parts.join("");
}

function problemOf(value: unknown, text: string): string | undefined {
  if (value === undefined || value === null) return "is missing";
  if (typeof value !== "string" && typeof value !== "number") return "must be a string";
  if (text === "") return "is empty";
  if (text === "." || text === "..") return "must not be a relative path segment";
  if (unsafeCharacter.test(text)) return "must not contain a slash, a backslash or a control character";
  return unpairedSurrogate.test(text) ? "contains an unpaired surrogate" : undefined;
}
