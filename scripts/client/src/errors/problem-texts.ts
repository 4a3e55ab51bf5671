/** Loaded with `error-texts.ts`, for the first error or `explain`. Other modules import only the types. */

import { childPointer } from "../base/json-pointer.ts";

/** The name of a parameter, or the keys that lead to a value in the body. */
type Subject = string | readonly string[];

function nameOf(subject: Subject): string {
  return typeof subject === "string" ? subject : subject.reduce(childPointer, "") || "The body";
}

type PathText = (name: string, pattern?: string) => string;

const pathText =
  (problem: string): PathText =>
  (name) =>
    `The path parameter "${name}" ${problem}.`;

const textsByKind = {
  text: (text: string): string => text,
  options: (): string => "An option of the call cannot be read.",
  defect: (): string => "The client failed. Report the cause of this error, unless it comes from your code.",
  // A name that does not look like one may be data, so it is not shown.
  "path-absent": ((name) =>
    `This operation has no path parameter${/^[a-z]\w{0,39}$/i.test(name) ? ` "${name}"` : " of this name"}.`) as PathText,
  "path-missing": pathText("is missing") as PathText,
  "path-type": pathText("must be a string") as PathText,
  "path-empty": pathText("is empty") as PathText,
  "path-relative": pathText("must not be a relative path segment") as PathText,
  "path-unsafe": pathText("must not contain a slash, a backslash or a control character") as PathText,
  "path-surrogate": pathText("contains an unpaired surrogate") as PathText,
  "path-form": ((name, pattern) => pathText(`does not match ${pattern}`)(name)) as PathText,
  query: (name: string): string => `The query parameter "${name}" cannot be sent: it must be a string or a number.`,
  "body-missing": (): string => "The body is missing.",
  "body-json": (): string => "The body is no JSON: it holds a BigInt, refers to itself, or cannot be read.",
  "body-value": (): string => "The body must be a JSON value.",
  "body-unread": (): string => "The body cannot be read.",
  checks: (): string => "What the client checks a body with could not be loaded, so the call was not sent.",
  "member-misspelt": (name: string): string =>
    `The body has a member whose name is nearly ${name}. Without ${name} the call means something else: write the name exactly so.`,
  "member-form": (name: string, rule: string, expected: unknown): string =>
    Array.isArray(expected)
      ? `${name} must be one of ${expected.join(", ")}.`
      : rule === "format"
        ? `${name} does not have its format: it must match ${expected}.`
        : `${name} does not keep to the contract: ${rule} ${expected}.`,
  "member-missing": (name: string): string =>
    `${name} has no value. Without it the call means something else: leave the member out where that is meant.`,
  number: (subject: Subject, number: number): string =>
    `${nameOf(subject)} is ${number}, which JSON cannot hold. Check where it is calculated.`,
  digits: (subject: Subject, number: number): string =>
    // A long integer may be a document number, so it is not shown.
    `${nameOf(subject)}${Number.isInteger(number) ? "" : ` is ${number}, which`} has more digits than a number can hold. Round it, or send a decimal string.`,
  "amount-form": (name: string): string =>
    `${name} is not a decimal number such as "250.00": send digits and at most one point, without blanks, commas, leading zeros or an exponent.`,
  "amount-zero": (name: string): string => `${name} is not greater than zero, which this client refuses for safety.`,
  signal: (): string => "signal must be an AbortSignal.",
  absent: (part: "query" | "body"): string => `This operation has no ${part}.`,
  edition: (clientEdition: string, requiredEdition: string | undefined): string =>
    `This operation is proposed, and not in the edition ${clientEdition}: give the client edition: "${requiredEdition}".`,
  deposit: (): string => "depositBaseUrl is missing: give it to the client, or set PARTNER_WALLET_DEPOSIT_BASE_URL.",
  upload: (): string => "What the client sends files with could not be loaded.",
  hook: (): string => "onRequest failed, so the attempt was not made.",
  aborted: (): string => "The call was aborted.",
  timeout: (): string => "No complete response was received in time.",
  size: (maxBytes: number): string => `the body is larger than ${maxBytes} bytes (maxResponseBytes)`,
  redirect: (): string => "redirects are not followed",
  interpretation: (): string => "the response could not be interpreted",
  "no-response": (): string =>
    "fetch returned no Response: check the fetch that the client was given, or what replaces the global one.",
  empty: (): string => "the body is empty",
  json: (): string => "the body is invalid or truncated JSON",
  depth: (maxDepth: number): string => `the body is JSON of more than ${maxDepth} levels`,
  object: (): string => "the body is not a JSON object",
  array: (): string => "the body is not a JSON array",
  "code-missing": (): string => "errorCode is missing",
  "code-type": (): string => "errorCode is not a string",
  "code-success": (code: unknown): string => `it has the errorCode ${code}, which is not documented for a success`,
  fields: (...names: string[]): string =>
    `${names.join(", ")} ${names.length === 1 ? "is" : "are"} missing or malformed`,
  // `mediaType` must be passed without its parameters, because they may contain sensitive data. It is added when the text is made.
  "media-type": (mediaType = ""): string =>
    mediaType === "" ? "the content type is missing" : `the content type is ${mediaType}`,
};

type ProblemKind = keyof typeof textsByKind;

export type PathProblemKind = Extract<ProblemKind, `path-${string}`>;

/** A kind of problem, and the values that its text takes. */
export type Problem = {
  [Kind in ProblemKind]: readonly [kind: Kind, ...values: Parameters<(typeof textsByKind)[Kind]>];
}[ProblemKind];

export function textOf([kind, ...values]: Problem): string {
  return (textsByKind[kind] as (...values: unknown[]) => string)(...values);
}
