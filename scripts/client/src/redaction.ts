/** Masks sensitive values in texts and errors that can be logged. */

/** Replaces the sensitive values in a text by `[redacted]`. Never throws. Takes time linear in the text's length. */
export type Redact = (text: string) => string;

export const mask = "[redacted]";

export interface SentValues {
  /** Including the API key. */
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** `path`, `query` and `body` as plain values; a file of an upload is `{ name }`. */
  readonly values: unknown;
}

/**
 * Creates the redaction function of a call. The sent values are collected when the first text is masked, so that a call whose texts are
 * never read has no cost. It replaces:
 *
 * - the value of every JSON member with a sensitive name, including JSON within a JSON string, and a value that is cut off at the end of
 *   the text;
 * - every sent value of a sensitive name, and of every header except {@link plainHeaders}, that has at least 4 characters: literally, or
 *   escaped as in a JSON string or a URL;
 * - everything that has the form of a card number or an IBAN.
 *
 * A value in another spelling (case, spaces, encoding) is not found. Therefore the message and the enumerable members of an error contain
 * no text of the service.
 *
 * @param sensitiveNames names of the properties and parameters that the contract marks with `x-sensitive`.
 * @param sent returns the sent values.
 * @returns a function that returns only `[redacted]` for a text that cannot be searched.
 */
export function createRedactor(sensitiveNames: readonly string[], sent: () => SentValues): Redact {
  let redact: Redact | undefined;
  return (text) =>
    attempt(() => {
      redact ??= attempt(() => compile([...sensitiveNames, "x-api-key", "authorization"], sent())) ?? (() => mask);
      return redact(text);
    }) ?? mask;
}

/** Headers whose values are not secret and help to find errors. */
const plainHeaders = /^(?:accept|content-|user-agent$|(?:x-)?(?:request|correlation)-id$|trace)/;

/** Minimum number of characters of a searched value. Shorter values, such as "45", occur by chance in many texts. */
const shortest = 4;
/** Maximum number of characters of a searched value. Printed texts are not longer. */
const longestSearched = 4_000;
/** Maximum number of characters of all searched values together. Above this limit, texts are masked completely. */
const mostSearched = 100_000;

/** Card numbers of 13 to 19 digits that begin with 2 to 6, and IBANs (ISO 13616) in upper case, also grouped by spaces or hyphens. */
const numbers = /(?<![\w.-])(?:[2-6](?:[ -]?\d){12,18}|[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30})(?![\w-]|\.\d)/g;

function compile(names: readonly string[], { headers, values }: SentValues): Redact {
  const ofHeaders = [...new Headers(headers)].flatMap(([name, value]) =>
    plainHeaders.test(name) ? [] : [value, ...value.split(/[\s=;,"]+/).filter((part) => part.length >= 8)],
  );
  // Long values are searched in pieces, because a text may be cut within a value.
  const found = [...ofHeaders, ...collectSensitive(values, names)].flatMap(
    (value) =>
      value
        .trim()
        .slice(0, longestSearched)
        .match(/.{1,500}/gs) ?? [],
  );
  if (found.join("").length > mostSearched) throw new RangeError("Too much was sent.");
  const spellings = found
    .filter((value) => value.length >= shortest)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), attempt(() => encodeURIComponent(value)) ?? value]);
  // Longest first: otherwise a shorter value within a longer one would be masked alone, and the rest of the longer one shown.
  const searched = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  const escaped = searched.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const exact = new RegExp(escaped.join("|") || "(?!)", "g");
  const members = new RegExp(`"(?:${names.join("|")})(\\\\*)"\\s*:\\s*(?=["\\\\[{]|-?\\d)`, "gi");
  return (text) => maskMembers(text, members).replace(exact, mask).replace(numbers, mask);
}

/**
 * Masks the values of JSON members, including a value that is cut off at the end of the text.
 *
 * @param members matches a sensitive name in quotation marks, and the colon after it. Its group is the backslashes before the closing
 * quotation mark, which occur inside a JSON string.
 */
function maskMembers(text: string, members: RegExp): string {
  let masked = "";
  let last = 0;
  members.lastIndex = 0;
  for (let member = members.exec(text); member !== null; member = members.exec(text)) {
    const slashes = member[1] as string;
    masked += `${text.slice(last, members.lastIndex)}${slashes}"${mask}${slashes}"`;
    last = endOf(text, members.lastIndex, slashes.length);
    members.lastIndex = last;
  }
  return masked + text.slice(last);
}

/**
 * The end index of the JSON value that begins at an index: a string, a number, or an array or object.
 *
 * @param level the number of backslashes before each quotation mark: 0, or in a JSON string 1, 3, 7 …
 */
function endOf(text: string, start: number, level: number): number {
  const number = /-?\d[\w.+-]*/y;
  number.lastIndex = start;
  if (number.test(text)) return number.lastIndex;
  let depth = 0;
  let isInString = false;
  for (let index = start, slashes = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === "\\") {
      slashes += 1;
      continue;
    }
    if (character === '"') {
      // The enclosing JSON string ends here.
      if (slashes < level) return index - slashes;
      if (slashes % (2 * level + 2) === level) isInString = !isInString;
    } else if (!isInString) depth += "[{".includes(character) ? 1 : "]}".includes(character) ? -1 : 0;
    if (!isInString && depth <= 0) return index + 1;
    slashes = 0;
  }
  return text.length;
}

/** Every string and number at any depth below a sensitive name. */
function collectSensitive(value: unknown, names: readonly string[], isSensitive = false): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, item]) =>
      collectSensitive(item, names, isSensitive || names.includes(name)),
    );
  }
  return isSensitive && isPlain(value) ? [String(value)] : [];
}

/** Number of characters after the limit that are searched too, to find a value that the limit divides. */
const margin = 2_000;
/** Number of characters dropped at the end of a cut text, because they may be a part of a value. */
const longestHalf = 1_100;

/**
 * The beginning of a text, masked.
 *
 * @param limit maximum number of characters.
 */
export function printable(text: string, redact: Redact | undefined, limit: number): string {
  const start = text.slice(0, limit + margin);
  const shown = redact?.(start) ?? start;
  return (start.length < text.length ? shown.slice(0, -longestHalf) : shown).slice(0, limit);
}

/** Maximum depth of nested causes. */
const deepestCause = 5;

/** Maximum number of errors of an AggregateError. */
const mostErrors = 10;

/** Maximum number of copied errors in total. */
const mostCauses = 30;

/** Maximum number of characters of each text of an error. */
const longestText = 4_000;

/**
 * Makes a copy of a rejection that is safe to print: its name, message, stack, causes and the `errors` of an AggregateError. Other
 * properties may hold the whole request, so only `code`, `errno` and `syscall` are copied. Never throws.
 *
 * @param cause an Error, or any other rejection of a custom fetch.
 * @returns the copy; undefined without a cause.
 */
export function redactCause(cause: unknown, redact: Redact): Error | undefined {
  return copyOf(cause, redact, new Set(), 0);
}

function copyOf(cause: unknown, redact: Redact, seen: Set<unknown>, depth: number): Error | undefined {
  if (cause === undefined || depth > deepestCause || seen.size >= mostCauses || seen.has(cause)) return undefined;
  seen.add(cause);
  const read = (key: string) => attempt(() => (cause as Record<string, unknown>)[key]);
  const copyInner = (inner: unknown) => copyOf(inner, redact, seen, depth + 1);
  const text = typeof cause === "string" ? cause : read("message");
  const message = typeof text === "string" ? printable(text, redact, longestText) : "";
  if (!attempt(() => cause instanceof Error || "stack" in Object(cause))) {
    const problem = `${depth === 0 ? "fetch rejected with " : ""}a value that is no Error`;
    return new Error(message === "" ? problem : `${problem}: ${message}`);
  }
  const inner = copyInner(read("cause"));
  const copy = new Error(message, inner && { cause: inner });
  for (const key of ["name", "stack", "code", "errno", "syscall"]) {
    const value = read(key);
    if (isPlain(value))
      Object.assign(copy, { [key]: typeof value === "string" ? printable(value, redact, longestText) : value });
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

/** Calls a function. Returns undefined when it throws, as getters and proxies can. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
