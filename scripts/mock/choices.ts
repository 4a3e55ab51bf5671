/** The documented answers of an operation, and the choice of one: by `Prefer`, or for what a request violates. */
import {
  type Answer,
  type Body,
  codeProperty,
  type Example,
  type InvalidRequest,
  type Operation,
  type Parameter,
} from "../contract/index.ts";

/** One documented answer, with one of its named examples when it has any. */
export interface Choice {
  answer: Answer;
  body: Body | undefined;
  example: Example | undefined;
}

/** Everything that an operation can answer, in the order of the contract. */
export function choicesOf(operation: Operation): Choice[] {
  return operation.answers.flatMap((answer) => {
    if (answer.bodies.length === 0) return [{ answer, body: undefined, example: undefined }];
    return answer.bodies.flatMap((body): Choice[] =>
      body.examples.length === 0
        ? [{ answer, body, example: undefined }]
        : body.examples.map((example) => ({ answer, body, example })),
    );
  });
}

/** Whether the choice has this HTTP status or this P-code. */
function hasCode(choice: Choice, codeOrStatus: string): boolean {
  return String(choice.answer.status) === codeOrStatus || errorCodeOf(choice.example?.value) === codeOrStatus;
}

function hasExample(choice: Choice, name: string): boolean {
  return choice.example?.name === name;
}

/** The P-code that a body carries. */
export function errorCodeOf(body: unknown): string | undefined {
  const code = (body as Record<string, unknown> | null | undefined)?.[codeProperty];
  return typeof code === "string" ? code : undefined;
}

/** A list of what can be chosen, in the words of the `Prefer` header. */
export function describeChoices(operation: Operation): string {
  const choices = operation.answers.map(({ status, bodies }) => {
    const names = bodies.flatMap((body) => body.examples.map((example) => example.name));
    return names.length === 0 ? `code=${status}` : `code=${status} with example=${names.join("|")}`;
  });
  return `${choices.join("; ")}.`;
}

interface Preferred {
  /** The answer to give; undefined when no preference was applied. */
  choice: Choice | undefined;
  /** The applied preferences, as `Preference-Applied` states them. */
  applied: string[];
  /** Whether a `code` or `example` names nothing that is documented. */
  ignored: boolean;
}

/**
 * Reads the header `Prefer` (RFC 7240): `code` (an HTTP status or a P-code) and `example` (the name of a documented
 * example). Each is applied or ignored by itself, `code` before `example`; other preferences have no effect.
 */
export function choosePreferred(header: string | undefined, operation: Operation): Preferred {
  const preferences = parsePrefer(header ?? "");
  let left = choicesOf(operation);
  const applied: string[] = [];
  let ignored = false;
  for (const [name, matches] of Object.entries({ code: hasCode, example: hasExample })) {
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
 * Names and values of the preferences, separated by commas or semicolons. Of several with one name the first counts, as
 * in the RFC. Text that is not a preference is skipped.
 */
function parsePrefer(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const [, name = "", quoted, plain] of header.matchAll(preference)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  return preferences;
}

/** How a body violates the contract, as far as `x-invalid-request` distinguishes it. */
export type BodyViolationKind = keyof Extract<InvalidRequest, object>;

/** One way in which a request violates the contract. Messages hold names and rules, and no value that was sent. */
export type Violation =
  | { kind: "security" }
  | { kind: "parameter"; parameter: Parameter; message: string }
  | { kind: BodyViolationKind; message: string };

/** The kinds in the order in which the mock answers them. */
const kinds: Violation["kind"][] = ["security", "parameter", "mediaType", "alternative", "missing", "otherwise"];

interface Refusal {
  choice: Choice;
  /** Messages of all violations that have this answer. */
  messages: string[];
}

/**
 * The answer that the contract defines for the violations: 401 for the API key, otherwise what `x-invalid-request` says.
 * Of several, the one for the first kind in {@link kinds} is chosen.
 *
 * @returns undefined when the contract defines no answer for any of them.
 */
export function chooseRefusal(operation: Operation, violations: Violation[]): Refusal | undefined {
  const choices = choicesOf(operation);
  const possible = violations.flatMap((violation) => {
    const codeOrStatus = invalidRequestOf(operation, violation) ?? "";
    const choice = choices.find((candidate) => hasCode(candidate, codeOrStatus));
    return choice === undefined ? [] : [{ violation, choice }];
  });
  const [first] = possible.sort((a, b) => kinds.indexOf(a.violation.kind) - kinds.indexOf(b.violation.kind));
  if (first === undefined) return undefined;
  const same = possible.filter(({ choice }) => choice === first.choice);
  return {
    choice: first.choice,
    messages: same.flatMap(({ violation }) => ("message" in violation ? violation.message : [])),
  };
}

/** The P-code or status of the answer that the contract defines for a violation. */
function invalidRequestOf(operation: Operation, violation: Violation): string | undefined {
  if (violation.kind === "security") return "401";
  if (violation.kind === "parameter") return violation.parameter.node["x-invalid-request"];
  const named = operation.requestBody?.invalidRequest;
  return typeof named === "object" ? (named[violation.kind] ?? named.otherwise) : named;
}
