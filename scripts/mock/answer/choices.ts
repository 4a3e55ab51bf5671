/** The choice of a documented answer: by `Prefer`, or for what a request violates. */
import type { PlanAnswer, PlanOperation } from "../plan/plan.ts";
import type { Violation } from "../request/violations.ts";

/** The first answer with the lowest status of a success: what an operation answers that has no state. */
export function firstSuccess({ operationId, answers }: PlanOperation): PlanAnswer {
  const [first] = answers.filter(({ status }) => status < 300).sort((a, b) => a.status - b.status);
  if (first === undefined) throw new Error(`${operationId} documents no success.`);
  return first;
}

/** What `Prefer` asks for, as far as the operation documents it. */
export interface Preferred {
  /** The answer to give; undefined when no preference was applied. */
  readonly answer: PlanAnswer | undefined;
  /** The applied preferences, as `Preference-Applied` states them. */
  readonly applied: readonly string[];
  /** What was asked for in vain. */
  readonly warnings: readonly string[];
}

/** Preferences that `prism mock` knows and this mock does not apply. */
const preferencesOfPrism = ["dynamic", "seed"];

const matches: Readonly<Record<string, (answer: PlanAnswer, value: string) => boolean>> = {
  code: hasCode,
  example: ({ example }, value) => example === value,
};

/**
 * Applies `code` (an HTTP status or a P-code) and `example` (the name of a documented example) of a header `Prefer`. Each is
 * applied or ignored by itself, `code` before `example`; other preferences have no effect.
 */
export function choosePreferred(header: string, operation: PlanOperation): Preferred {
  const preferences = parsePrefer(header);
  let left = operation.answers;
  const applied: string[] = [];
  const warnings: string[] = [];
  for (const [name, isMatch] of Object.entries(matches)) {
    const value = preferences.get(name);
    if (value === undefined) continue;
    const matching = left.filter((answer) => isMatch(answer, value));
    if (matching.length > 0) {
      left = matching;
      applied.push(`${name}=${value}`);
    } else if (warnings.length === 0) {
      warnings.push(`A preference matches no documented answer. Choose from: ${describeChoices(operation)}`);
    }
  }
  const unsupported = preferencesOfPrism.filter((name) => preferences.has(name));
  if (unsupported.length > 0) {
    warnings.push(`Without effect in Prefer: ${unsupported.join(", ")}. It knows code and example.`);
  }
  return { answer: applied.length > 0 ? left[0] : undefined, applied, warnings };
}

/** Whether the answer has this HTTP status or this P-code. */
function hasCode(answer: PlanAnswer, codeOrStatus: string): boolean {
  return String(answer.status) === codeOrStatus || answer.code === codeOrStatus;
}

/** A list of what can be chosen, in the words of the `Prefer` header. */
function describeChoices({ answers }: PlanOperation): string {
  const names = new Map<number, string[]>(answers.map(({ status }) => [status, []]));
  for (const { status, example } of answers) if (example !== undefined) names.get(status)?.push(example);
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

export interface RefusedAnswer {
  readonly answer: PlanAnswer;
  /** Different messages of the violations that have this answer. */
  readonly messages: readonly string[];
}

/**
 * The answer that the contract defines for the violations: 401 for the API key, otherwise that for an invalid request.
 * Of several, the one for the first kind in {@link kinds} is chosen.
 *
 * @returns undefined when the contract defines no answer for any of them.
 */
export function chooseRefusal(operation: PlanOperation, violations: readonly Violation[]): RefusedAnswer | undefined {
  const possible = violations.flatMap((violation) => {
    const codeOrStatus = invalidRequestOf(operation, violation) ?? "";
    const answer = operation.answers.find((candidate) => hasCode(candidate, codeOrStatus));
    return answer === undefined ? [] : [{ violation, answer }];
  });
  const [first] = possible.sort((a, b) => kinds.indexOf(a.violation.kind) - kinds.indexOf(b.violation.kind));
  if (first === undefined) return undefined;
  const same = possible.filter(({ answer }) => answer === first.answer);
  const messages = same.flatMap(({ violation }) => ("message" in violation ? violation.message : []));
  return { answer: first.answer, messages: [...new Set(messages)] };
}

/** The P-code or status of the answer that the contract defines for a violation. */
function invalidRequestOf({ requestBody }: PlanOperation, violation: Violation): string | undefined {
  if (violation.kind === "security") return "401";
  const named = violation.kind === "parameter" ? violation.parameter.invalidRequest : requestBody?.invalidRequest;
  return typeof named === "object" ? (named[violation.kind] ?? named.otherwise) : named;
}
