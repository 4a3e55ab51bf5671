/** The `Prefer` header (RFC 7240): how a caller chooses the answer of the mock. */
import type { Operation } from "../contract/contract.ts";
import { type Choice, choicesOf, hasCode } from "./choices.ts";

export interface Preferred {
  /** The answer to give; undefined when no preference was honoured. */
  choice: Choice | undefined;
  /** The honoured preferences, as `Preference-Applied` states them. */
  applied: string[];
  /** Whether a `code` or `example` names nothing that is documented. */
  ignored: boolean;
}

/**
 * Reads the preferences `code` (an HTTP status or a P-code) and `example` (the name of a documented example) and looks
 * for the answer that they choose. Each one is honoured on its own or ignored, `code` before `example`; preferences of
 * other names mean nothing to the mock.
 */
export function choosePreferred(header: string | undefined, operation: Operation): Preferred {
  const preferences = parsePrefer(header ?? "");
  const matchers = { code: hasCode, example: (choice: Choice, name: string) => choice.example?.name === name };
  let left = choicesOf(operation);
  const applied: string[] = [];
  let ignored = false;
  for (const [name, matches] of Object.entries(matchers)) {
    const value = preferences.get(name);
    if (value === undefined) continue;
    const matching = left.filter((choice) => matches(choice, value));
    if (matching.length === 0) {
      ignored = true;
    } else {
      left = matching;
      applied.push(`${name}=${value}`);
    }
  }
  return { choice: applied.length > 0 ? left[0] : undefined, applied, ignored };
}

const preference = /([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g;

/**
 * Names and values of the preferences, separated by commas or semicolons. Of repeated ones the first counts, as the RFC
 * has it. What is no preference is passed over.
 */
export function parsePrefer(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const [, name = "", quoted, plain] of header.matchAll(preference)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  return preferences;
}
