/** Keeps what the contract marks as sensitive out of everything that can be printed. */

/** Replaces sensitive text. */
export type Redact = (text: string) => string;

const mask = "[redacted]";

/** Shorter values are only replaced where they stand alone: "DE" must not be cut out of "DENIED". */
const shortestInsideText = 4;

/**
 * Makes what gives every call the function that redacts its texts. It is made once for a client, and a call that succeeds
 * pays only for the collection of its sensitive values: patterns are made when the first text has to be redacted.
 *
 * @param sensitiveNames names of the properties and parameters that the contract marks with `x-sensitive`.
 * @param apiKey the key of the partner.
 * @returns takes what the call sends: path, query and body.
 */
export function createRedactor(sensitiveNames: readonly string[], apiKey: string): (sent: unknown) => Redact {
  const names = new Set(sensitiveNames);
  const namedValue = sensitiveNames.length === 0 ? undefined : namedValuePattern(sensitiveNames);
  return (sent) => {
    // Collected at once: the caller may change the body while the call is on its way.
    const values = [apiKey, ...collectSensitive(sent, names)];
    let patterns: RegExp[] | undefined;
    return (text) => {
      patterns ??= patternsOf(values);
      const named = namedValue === undefined ? text : text.replace(namedValue, `$1"${mask}"`);
      return patterns.reduce((redacted, pattern) => redacted.replace(pattern, mask), named);
    };
  };
}

/** The longest first, so that no rest of a value stays when another one is a part of it. */
function patternsOf(values: readonly string[]): RegExp[] {
  const distinct = [...new Set(values)].filter((value) => value !== "");
  return distinct.sort((a, b) => b.length - a.length).map(patternOf);
}

/** Every text, number and file name that stands under a sensitive name, at any depth. */
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

/** A JSON member with a sensitive name, its text possibly cut short. */
function namedValuePattern(names: readonly string[]): RegExp {
  return new RegExp(`("(?:${names.join("|")})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|-?\\d[\\d.eE+-]*)`, "g");
}

/**
 * An error whose text, stack and causes hold nothing sensitive: the very same one when they hold nothing anyway, a copy of
 * its texts otherwise.
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
