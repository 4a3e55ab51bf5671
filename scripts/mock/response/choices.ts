import { memoize } from "../memoize.ts";
import type { PlanOperation, PlanResponse } from "../plan/plan.ts";
import type { Violation } from "../request/violations.ts";

export const firstSuccess: (operation: PlanOperation) => PlanResponse = memoize(({ operationId, responses }) => {
  const [response] = responses.filter(({ status }) => status < 300).sort((a, b) => a.status - b.status);
  if (response === undefined) throw new Error(`${operationId} documents no success.`);
  return response;
});

export const documentedBody: (response: PlanResponse) => unknown = memoize(({ mediaType, body }) =>
  isJson(mediaType) && body !== "" ? JSON.parse(body) : body,
);

export function isJson(mediaType: string | undefined): boolean {
  return /[/+]json\b/.test(mediaType ?? "");
}

export interface PreferredResponse {
  readonly response: PlanResponse | undefined;
  readonly appliedPreferences: readonly string[];
  readonly warnings: readonly string[];
}

const preferencesOfPrism = ["dynamic", "seed"];

const preferenceMatchers: Readonly<Record<string, (response: PlanResponse, value: string) => boolean>> = {
  code: hasCode,
  example: ({ example }, value) => example === value,
};

/**
 * Chooses a documented response by two preferences of a `Prefer` header: `code` (an HTTP status or a P-code), then `example` (the name of
 * an example). A preference that no response matches is ignored, as are all other preferences.
 */
export function choosePreferred(header: string, operation: PlanOperation): PreferredResponse {
  const preferences = parsePrefer(header);
  let candidates = operation.responses;
  const appliedPreferences: string[] = [];
  const warnings: string[] = [];
  for (const [name, isMatch] of Object.entries(preferenceMatchers)) {
    const value = preferences.get(name);
    if (value === undefined) continue;
    const matchingResponses = candidates.filter((response) => isMatch(response, value));
    if (matchingResponses.length > 0) {
      candidates = matchingResponses;
      appliedPreferences.push(`${name}=${value}`);
    } else if (warnings.length === 0) {
      warnings.push(`A preference matches no documented response. Choose from: ${describeChoices(operation)}`);
    }
  }
  const unsupportedNames = preferencesOfPrism.filter((name) => preferences.has(name));
  if (unsupportedNames.length > 0) {
    warnings.push(`Without effect in Prefer: ${unsupportedNames.join(", ")}. It knows code and example.`);
  }
  return { response: appliedPreferences.length > 0 ? candidates[0] : undefined, appliedPreferences, warnings };
}

function hasCode(response: PlanResponse, codeOrStatus: string): boolean {
  return String(response.status) === codeOrStatus || response.code === codeOrStatus;
}

function describeChoices({ responses }: PlanOperation): string {
  const names = new Map<number, string[]>(responses.map(({ status }) => [status, []]));
  for (const { status, example } of responses) if (example !== undefined) names.get(status)?.push(example);
  const choices = [...names].map(([status, examples]) =>
    examples.length === 0 ? `code=${status}` : `code=${status} with example=${examples.join("|")}`,
  );
  return `${choices.join("; ")}.`;
}

const preferencePattern = /([\w!#$%&'*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g;

/** RFC 7240. Names are in lower case. If a name is repeated, the first value counts. Text that is not a preference is skipped. */
function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [, name = "", quotedValue, unquotedValue] of header.matchAll(preferencePattern)) {
    const value = quotedValue?.replace(/\\(.)/g, "$1") ?? unquotedValue ?? "";
    if (!preferences.has(name.toLowerCase())) preferences.set(name.toLowerCase(), value);
  }
  return preferences;
}

/** In order of precedence. */
const violationKinds: readonly Violation["kind"][] = [
  "security",
  "parameter",
  "mediaType",
  "tooLarge",
  "alternative",
  "missing",
  "otherwise",
];

export interface ChosenRefusal {
  readonly response: PlanResponse;
  readonly message: string | undefined;
}

const maxMessages = 5;
const maxMessageLength = 300;

/**
 * Chooses the response to the violation that comes first in {@link violationKinds} among those with a documented response: 401 for the API
 * key, otherwise the response to an invalid request. @returns undefined when there is none.
 */
export function chooseRefusal(operation: PlanOperation, violations: readonly Violation[]): ChosenRefusal | undefined {
  const possibleRefusals = violations.flatMap((violation) => {
    const codeOrStatus = invalidRequestOf(operation, violation) ?? "";
    const response = operation.responses.find((candidate) => hasCode(candidate, codeOrStatus));
    return response === undefined ? [] : [{ violation, response }];
  });
  const [firstRefusal] = possibleRefusals.sort(
    (a, b) => violationKinds.indexOf(a.violation.kind) - violationKinds.indexOf(b.violation.kind),
  );
  if (firstRefusal === undefined) return undefined;
  const matchingRefusals = possibleRefusals.filter(({ response }) => response === firstRefusal.response);
  const messages = [
    ...new Set(matchingRefusals.flatMap(({ violation }) => ("message" in violation ? violation.message : []))),
  ];
  const shownMessages = messages.slice(0, maxMessages).map((message) => message.slice(0, maxMessageLength));
  if (messages.length > maxMessages) shownMessages.push(`and ${messages.length - maxMessages} more`);
  return {
    response: firstRefusal.response,
    message: shownMessages.length === 0 ? undefined : shownMessages.join("; "),
  };
}

function invalidRequestOf({ requestBody }: PlanOperation, violation: Violation): string | undefined {
  if (violation.kind === "security") return "401";
  const invalidRequest =
    violation.kind === "parameter" ? violation.parameter.invalidRequest : requestBody?.invalidRequest;
  return typeof invalidRequest === "object"
    ? (invalidRequest[violation.kind] ?? invalidRequest.otherwise)
    : invalidRequest;
}
