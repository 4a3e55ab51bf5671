/** Removes sensitive values from texts that can be logged. */

/** Replaces the sensitive values in a text. */
export type Redact = (text: string) => string;

const mask = "[redacted]";

/** Shorter values are replaced as whole words only: "DE" must not be removed from "DENIED". */
const shortestInsideText = 4;

/**
 * Creates the factory of redaction functions of a client. A successful call only collects its sensitive values; the
 * patterns are compiled when the first text is redacted.
 *
 * @param sensitiveNames names of the properties and parameters that the contract marks with `x-sensitive`.
 * @param apiKey the API key of the partner.
 * @returns a function from the `path`, `query` and `body` of a call to the redaction function of this call.
 */
export function createRedactor(sensitiveNames: readonly string[], apiKey: string): (sent: unknown) => Redact {
  const names = new Set(sensitiveNames);
  const namedValue = sensitiveNames.length === 0 ? undefined : namedValuePattern(sensitiveNames);
  return (sent) => {
    // Collected before the call is sent: the caller may change the body while the call is pending.
    const values = [apiKey, ...collectSensitive(sent, names)];
    let patterns: RegExp[] | undefined;
    return (text) => {
      patterns ??= patternsOf(values);
      const named = namedValue === undefined ? text : text.replace(namedValue, `$1"${mask}"`);
      return patterns.reduce((redacted, pattern) => redacted.replace(pattern, mask), named);
    };
  };
}

/** Longest value first, so that a value is replaced as a whole when it contains another one. */
function patternsOf(values: readonly string[]): RegExp[] {
  const distinct = [...new Set(values)].filter((value) => value !== "");
  return distinct.sort((a, b) => b.length - a.length).map(patternOf);
}

/** Every string, number and file name below a sensitive name, at any depth. */
function collectSensitive(value: unknown, names: ReadonlySet<string>, isSensitive = false): string[] {
  if (typeof value === "string" || typeof value === "number") return isSensitive ? [String(value)] : [];
  if (typeof value !== "object" || value === null) return [];
  if (value instanceof Blob) return isSensitive && "name" in value ? [String(value.name)] : [];
  return Object.entries(value).flatMap(([name, item]) => {
    if (isSensitive && name === "data") return [];
    return collectSensitive(item, names, isSensitive || names.has(name));
  });
}

function patternOf(value: string): RegExp {
  const text = value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return value.length >= shortestInsideText ? new RegExp(text, "g") : new RegExp(`(?<![\\w-])${text}(?![\\w-])`, "g");
}

/** A JSON member with a sensitive name; its value may be truncated. */
function namedValuePattern(names: readonly string[]): RegExp {
  return new RegExp(`("(?:${names.join("|")})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|-?\\d[\\d.eE+-]*)`, "g");
}

/**
 * Removes sensitive values from the message, the stack and the causes of an error.
 *
 * @returns the same value when it contains nothing sensitive, otherwise a redacted copy.
 */
export function redactCause(cause: unknown, redact: Redact): unknown {
  if (typeof cause === "string") return redact(cause);
  if (!(cause instanceof Error)) return cause;
  const inner = redactCause(cause.cause, redact);
  const isClean = redact(cause.message) === cause.message && redact(cause.stack ?? "") === (cause.stack ?? "");
  if (isClean && inner === cause.cause) return cause;
  const copy = new Error(redact(cause.message), inner === undefined ? undefined : { cause: inner });
  copy.name = cause.name;
  copy.stack = redact(cause.stack ?? "");
  return copy;
}
