/** The choice of a documented answer: by `Prefer`, or for what a request violates. */
import type { PlanAnswer, PlanOperation } from "../plan/plan.ts";
import type { BodyViolationKind, Violation } from "./violations.ts";

/** Whether the answer has this HTTP status or this P-code. */
function hasCode(answer: PlanAnswer, codeOrStatus: string): boolean {
  return String(answer.status) === codeOrStatus || answer.code === codeOrStatus;
}

function hasExample(answer: PlanAnswer, name: string): boolean {
  return answer.example === name;
}

/** A list of what can be chosen, in the words of the `Prefer` header. */
export function describeChoices({ answers }: PlanOperation): string {
  const names = new Map<number, string[]>(answers.map(({ status }) => [status, []]));
  for (const { status, example } of answers) if (example !== undefined) names.get(status)?.push(example);
  const choices = [...names].map(([status, examples]) =>
    examples.length === 0 ? `code=${status}` : `code=${status} with example=${examples.join("|")}`,
  );
  return `${choices.join("; ")}.`;
}

/** The first answer with the lowest status of a success: what an operation answers that has no state. */
export function firstSuccess({ operationId, answers }: PlanOperation): PlanAnswer {
  const [first] = answers.filter(({ status }) => status < 300).sort((a, b) => a.status - b.status);
  if (first === undefined) throw new Error(`${operationId} documents no success.`);
  return first;
}

/** Names and values of preferences, the names in lower case. */
export type Preferences = ReadonlyMap<string, string>;

interface Preferred {
  /** The answer to give; undefined when no preference was applied. */
  answer: PlanAnswer | undefined;
  /** The applied preferences, as `Preference-Applied` states them. */
  applied: string[];
  /** Whether a `code` or `example` names nothing that is documented. */
  ignored: boolean;
  /** Preferences of Prism that have no effect here. */
  unsupported: string[];
}

/** Preferences that `prism mock` knows and this mock does not apply. */
const preferencesOfPrism = ["dynamic", "seed"];

/**
 * Applies `code` (an HTTP status or a P-code) and `example` (the name of a documented example). Each is applied or ignored
 * by itself, `code` before `example`; other preferences have no effect.
 */
export function choosePreferred(preferences: Preferences, operation: PlanOperation): Preferred {
  let left: readonly PlanAnswer[] = operation.answers;
  const applied: string[] = [];
  let ignored = false;
  for (const [name, matches] of Object.entries({ code: hasCode, example: hasExample })) {
    const value = preferences.get(name);
    if (value === undefined) continue;
    const matching = left.filter((answer) => matches(answer, value));
    if (matching.length === 0) {
      ignored = true;
    } else {
      left = matching;
      applied.push(`${name}=${value}`);
    }
  }
  const unsupported = preferencesOfPrism.filter((name) => preferences.has(name));
  return { answer: applied.length > 0 ? left[0] : undefined, applied, ignored, unsupported };
}

const preference = /([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g;

/**
 * Reads the header `Prefer` (RFC 7240), whose preferences are separated by commas or semicolons. Of several with one name
 * the first counts, as in the RFC. Text that is not a preference is skipped.
 */
export function parsePrefer(header: string): Preferences {
  const preferences = new Map<string, string>();
  for (const [, name = "", quoted, plain] of header.matchAll(preference)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  return preferences;
}

/** The kinds in the order in which the mock answers them. */
const kinds: Violation["kind"][] = [
  "security",
  "parameter",
  "mediaType",
  "tooLarge",
  "alternative",
  "missing",
  "otherwise",
];

interface Refusal {
  answer: PlanAnswer;
  /** Different messages of the violations that have this answer. */
  messages: string[];
}

/**
 * The answer that the contract defines for the violations: 401 for the API key, otherwise that for an invalid request.
 * Of several, the one for the first kind in {@link kinds} is chosen.
 *
 * @returns undefined when the contract defines no answer for any of them.
 */
export function chooseRefusal(operation: PlanOperation, violations: readonly Violation[]): Refusal | undefined {
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
function invalidRequestOf(operation: PlanOperation, violation: Violation): string | undefined {
  if (violation.kind === "security") return "401";
  const named =
    violation.kind === "parameter" ? violation.parameter.invalidRequest : operation.requestBody?.invalidRequest;
  if (typeof named !== "object") return named;
  return named[violation.kind satisfies BodyViolationKind | "parameter"] ?? named.otherwise;
}
