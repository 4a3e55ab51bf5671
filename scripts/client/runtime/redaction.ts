/** Removes sensitive values from texts and errors that can be logged. */
import { maskMembers } from "./redaction-members.ts";
import { mask, patternOf } from "./redaction-patterns.ts";

/** Replaces the sensitive values in a text by `[redacted]`. Never throws, takes time linear in the text's length. */
export type Redact = (text: string) => string;

/** What a call sent, as it stood when the call was prepared. */
export interface SentValues {
  readonly apiKey: string;
  /** `path`, `query` and `body` as plain values; a file of an upload is `{ name }`. */
  readonly values: unknown;
}

/**
 * Creates the redaction function of a call. The sent values are collected and their patterns compiled when the first
 * text is redacted, so that a call of which nothing is printed does not pay for it.
 *
 * - JSON members with a sensitive name lose their whole value, whatever was sent.
 * - Sent values of at least 4 characters are replaced wherever they stand, in any case and encoding.
 * - Shorter ones, such as a house number, are replaced only after a sensitive name: `number: 45`, `number=45`.
 * - The API key is replaced everywhere; one of less than 4 characters as a whole word only.
 *
 * @param sensitiveNames names of the properties and parameters that the contract marks with `x-sensitive`.
 * @param sent returns what the call sent.
 * @returns a function that returns `[redacted]` alone for a text that cannot be redacted.
 */
export function createRedactor(sensitiveNames: readonly string[], sent: () => SentValues): Redact {
  let redact: Redact | undefined;
  return (text) =>
    attempt(() => {
      redact ??= compile([...sensitiveNames, "x-api-key"], sent());
      return redact(text);
    }) ?? mask;
}

function compile(names: readonly string[], { apiKey, values }: SentValues): Redact {
  // Longest first: a value is replaced as a whole when it begins with another one.
  const found = [...new Set(collectSensitive(values, names))].sort((a, b) => b.length - a.length);
  const nameList = names.join("|");
  const key = patternOf(apiKey);
  // The mask comes first, so that no value is found in a mask.
  const anywhere = ["\\[redacted]", isLong(apiKey) ? key : `\\b${key}\\b`, ...found.filter(isLong).map(patternOf)];
  const anywherePattern = new RegExp(anywhere.join("|"), "gi");
  const named = found.filter((value) => !isLong(value)).map(patternOf);
  const namedPattern = new RegExp(
    `((?:^|\\W)(?:${nameList})[^\\w.,;]{1,9})(?:${named.join("|")})(?![\\w\\u0080-\\uffff])`,
    "gi",
  );
  return (text) => {
    const redacted = maskMembers(text, nameList).replace(anywherePattern, mask);
    return named.length === 0 ? redacted : redacted.replace(namedPattern, `$1${mask}`);
  };
}

/** Whether a value is searched everywhere. Two characters that are not ASCII can be a whole name. */
function isLong(value: string): boolean {
  return /.{4}|[\u0080-\uffff]{2}/s.test(value);
}

/** Every string and number at any depth below a sensitive name, without blanks around it and backslashes before it. */
function collectSensitive(value: unknown, names: readonly string[], isSensitive = false): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, item]) =>
      collectSensitive(item, names, isSensitive || names.includes(name)),
    );
  }
  if (!isSensitive || !isPlain(value)) return [];
  const text = String(value)
    .replace(/^[\s\\]+/, "")
    .trimEnd();
  // A service may write a phone number without its prefix.
  return text === "" ? [] : [text, ...(/^(?:\+|00)(\d{7,})$/.exec(text)?.slice(1) ?? [])];
}

/** Causes of causes beyond this depth are left out. */
const deepestCause = 5;

/** Errors of an AggregateError beyond this number are left out. */
const mostErrors = 10;

/**
 * Copies what a fetch rejected with, so that the copy is safe to print. An error keeps its name, message, stack, causes
 * and the `errors` of an AggregateError; of its own properties, which may hold the whole request, only `code`, `errno`
 * and `syscall`. Never throws, whatever it is given.
 *
 * @param cause an Error, or anything else that a custom fetch rejects with.
 * @returns the copy, undefined when there is no cause.
 */
export function redactCause(cause: unknown, redact: Redact): Error | undefined {
  return copyOf(cause, redact, new Set(), 0);
}

function copyOf(cause: unknown, redact: Redact, seen: Set<unknown>, depth: number): Error | undefined {
  if (cause === undefined || depth > deepestCause || seen.has(cause)) return undefined;
  seen.add(cause);
  const read = (key: string) => attempt(() => (cause as Record<string, unknown>)[key]);
  const copyInner = (inner: unknown) => copyOf(inner, redact, seen, depth + 1);
  const text = typeof cause === "string" ? cause : read("message");
  const message = typeof text === "string" ? redact(text) : "";
  if (!attempt(() => cause instanceof Error || "stack" in Object(cause))) {
    const problem = `${depth === 0 ? "fetch rejected with " : ""}a value that is no Error`;
    return new Error(message === "" ? problem : `${problem}: ${message}`);
  }
  const inner = copyInner(read("cause"));
  const copy = new Error(message, inner && { cause: inner });
  for (const key of ["name", "stack", "code", "errno", "syscall"]) {
    const value = read(key);
    if (isPlain(value)) Object.assign(copy, { [key]: typeof value === "string" ? redact(value) : value });
  }
  const errors = attempt(() =>
    (read("errors") as unknown[]).slice(0, mostErrors).flatMap((error) => copyInner(error) ?? []),
  );
  if (errors !== undefined) Object.defineProperty(copy, "errors", { value: errors });
  return copy;
}

function isPlain(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** The result of a function, undefined when it throws, as getters and proxies can. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
