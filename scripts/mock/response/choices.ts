/** The choice of a documented response: by `Prefer`, or for what a request violates. */

import { memoize } from "../memoize.ts";
import type { PlanOperation, PlanResponse } from "../plan/plan.ts";
import type { Violation } from "../request/violations.ts";

/** The first response with the lowest status of a success: what an operation answers that has no state. */
export const firstSuccess: (operation: PlanOperation) => PlanResponse = memoize(({ operationId, responses }) => {
  const [first] = responses.filter(({ status }) => status < 300).sort((a, b) => a.status - b.status);
  if (first === undefined) throw new Error(`${operationId} documents no success.`);
  return first;
});

/** The body of a response: the value of JSON, otherwise its text. */
export const documentedBody: (response: PlanResponse) => unknown = memoize(({ mediaType, body }) =>
  isJson(mediaType) && body !== "" ? JSON.parse(body) : body,
);

/** Whether bodies of a media type are JSON. */
export function isJson(mediaType: string | undefined): boolean {
  return /[/+]json\b/.test(mediaType ?? "");
}

/** What `Prefer` asks for, as far as the operation documents it. */
export interface Preferred {
  /** The response to give; undefined when no preference was applied. */
  readonly response: PlanResponse | undefined;
  /** The applied preferences, as `Preference-Applied` states them. */
  readonly applied: readonly string[];
  /** What was asked for in vain. */
  readonly warnings: readonly string[];
}

/** Preferences that `prism mock` knows and this mock does not apply. */
const preferencesOfPrism = ["dynamic", "seed"];

const matches: Readonly<Record<string, (response: PlanResponse, value: string) => boolean>> = {
  code: hasCode,
  example: ({ example }, value) => example === value,
};

/**
 * Applies `code` (an HTTP status or a P-code) and `example` (the name of a documented example) of a header `Prefer`. Each is
 * applied or ignored by itself, `code` before `example`; other preferences have no effect.
 */
export function choosePreferred(header: string, operation: PlanOperation): Preferred {
  const preferences = parsePrefer(header);
  let left = operation.responses;
  const applied: string[] = [];
  const warnings: string[] = [];
  for (const [name, isMatch] of Object.entries(matches)) {
    const value = preferences.get(name);
    if (value === undefined) continue;
    const matching = left.filter((response) => isMatch(response, value));
    if (matching.length > 0) {
      left = matching;
      applied.push(`${name}=${value}`);
    } else if (warnings.length === 0) {
      warnings.push(`A preference matches no documented response. Choose from: ${describeChoices(operation)}`);
    }
  }
  const unsupported = preferencesOfPrism.filter((name) => preferences.has(name));
  if (unsupported.length > 0) {
    warnings.push(`Without effect in Prefer: ${unsupported.join(", ")}. It knows code and example.`);
  }
  return { response: applied.length > 0 ? left[0] : undefined, applied, warnings };
}

/** Whether the response has this HTTP status or this P-code. */
function hasCode(response: PlanResponse, codeOrStatus: string): boolean {
  return String(response.status) === codeOrStatus || response.code === codeOrStatus;
}

/** A list of what can be chosen, in the words of the `Prefer` header. */
function describeChoices({ responses }: PlanOperation): string {
  const names = new Map<number, string[]>(responses.map(({ status }) => [status, []]));
  for (const { status, example } of responses) if (example !== undefined) names.get(status)?.push(example);
  const choices = [...names].map(([status, examples]) =>
    examples.length === 0 ? `code=${status}` : `code=${status} with example=${examples.join("|")}`,
  );
  return `${choices.join("; ")}.`;
}

const preference = /([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g;

/**
 * Names, in lower case, and values of a header `Prefer` (RFC 7240), whose preferences are separated by commas or semicolons. Of
 * several with one name the first counts, as in the RFC. Text that is not a preference is skipped.
 */
function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [, name = "", quoted, plain] of header.matchAll(preference)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  return preferences;
}

/** The kinds in the order in which the mock answers them. */
const kinds: readonly Violation["kind"][] = [
  "security",
  "parameter",
  "mediaType",
  "tooLarge",
  "alternative",
  "missing",
  "otherwise",
];

export interface RefusedResponse {
  readonly response: PlanResponse;
  /** The different messages of the violations that have this response; undefined where they have none. */
  readonly message: string | undefined;
}

const mostMessages = 5;
const longestMessage = 300;

/**
 * The response that the contract defines for the violations: 401 for the API key, otherwise that for an invalid request.
 * Of several, the one for the first kind in {@link kinds} is chosen.
 *
 * @returns undefined when the contract defines no response for any of them.
 */
export function chooseRefusal(operation: PlanOperation, violations: readonly Violation[]): RefusedResponse | undefined {
  const possible = violations.flatMap((violation) => {
    const codeOrStatus = invalidRequestOf(operation, violation) ?? "";
    const response = operation.responses.find((candidate) => hasCode(candidate, codeOrStatus));
    return response === undefined ? [] : [{ violation, response }];
  });
  const [first] = possible.sort((a, b) => kinds.indexOf(a.violation.kind) - kinds.indexOf(b.violation.kind));
  if (first === undefined) return undefined;
  const same = possible.filter(({ response }) => response === first.response);
  const messages = [...new Set(same.flatMap(({ violation }) => ("message" in violation ? violation.message : [])))];
  const shown = messages.slice(0, mostMessages).map((message) => message.slice(0, longestMessage));
  if (messages.length > mostMessages) shown.push(`and ${messages.length - mostMessages} more`);
  return { response: first.response, message: shown.length === 0 ? undefined : shown.join("; ") };
}

/** The P-code or status of the response that the contract defines for a violation. */
function invalidRequestOf({ requestBody }: PlanOperation, violation: Violation): string | undefined {
  if (violation.kind === "security") return "401";
  const named = violation.kind === "parameter" ? violation.parameter.invalidRequest : requestBody?.invalidRequest;
  return typeof named === "object" ? (named[violation.kind] ?? named.otherwise) : named;
}
