/** Some values would change the call, so parameters are checked before openapi-fetch writes them into the URL. */

import { ownProperties } from "../base/own-properties.ts";
import { InvalidRequest } from "../errors/invalid-request.ts";
import type { PathProblemKind } from "../errors/problem-texts.ts";
import { numberProblem } from "./number-problem.ts";

// Servers and proxies may treat separators and control characters as path syntax, even when they are percent-encoded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const unsafeCharacter = /[/\\\u0000-\u001f\u007f]/;

const unpairedSurrogate = /\p{Surrogate}/u;

/**
 * An empty value would address the collection, `.` and `..` would lead to another path (RFC 3986, section 5.2.4), and for a missing value
 * the name of the parameter would be sent.
 *
 * @throws {InvalidRequest} if a value cannot be sent, or the path does not have the parameter.
 */
export function checkPathParameters(
  template: string,
  values: Readonly<Record<string, unknown>>,
  patterns?: Readonly<Record<string, RegExp>>,
): void {
  const names: readonly string[] = template.match(/(?<={)\w+/g) ?? [];
  for (const name of [...Object.keys(values), ...names]) {
    const value = values[name];
    const pattern = patterns?.[name];
    const problem = names.includes(name) ? pathProblem(value, pattern) : "path-absent";
    if (problem !== undefined) throw new InvalidRequest([problem, name, pattern?.source]);
  }
}

function pathProblem(value: unknown, pattern: RegExp | undefined): PathProblemKind | undefined {
  if (value === undefined || value === null) return "path-missing";
  // A number that may have lost digits could address another resource.
  if (typeof value !== "string" && (typeof value !== "number" || numberProblem(value, ""))) return "path-type";
  const text = String(value);
  if (text === "") return "path-empty";
  if (text === "." || text === "..") return "path-relative";
  if (unsafeCharacter.test(text)) return "path-unsafe";
  if (unpairedSurrogate.test(text)) return "path-surrogate";
  return pattern === undefined || pattern.test(text) ? undefined : "path-form";
}

/**
 * Each parameter becomes a list of its values. Inherited properties are left out. Null and undefined items are removed, because
 * openapi-fetch would send them as empty parameters.
 *
 * @throws {InvalidRequest} if a value cannot be sent.
 */
export function checkQueryParameters(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const sentEntries = Object.entries(query).map(([name, value]): [string, unknown] => {
    const items = [value].flat().filter((item) => item !== undefined && item !== null);
    for (const item of items) {
      const problem = numberProblem(item, name);
      if (problem !== undefined) throw new InvalidRequest(problem);
      if (typeof item === "object" || unpairedSurrogate.test(String(item))) throw new InvalidRequest(["query", name]);
    }
    return [name, items];
  });
  return ownProperties(Object.fromEntries(sentEntries));
}
