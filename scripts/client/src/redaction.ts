/** Removes sensitive values from texts and errors that can be logged. */

/** Replaces the sensitive values in a text by `[redacted]`. Never throws, takes time linear in the text's length. */
export type Redact = (text: string) => string;

/** What stands in the place of a sensitive value. */
export const mask = "[redacted]";

/** What a call sent. */
export interface SentValues {
  /** The API key among them. */
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** `path`, `query` and `body` as plain values; a file of an upload is `{ name }`. */
  readonly values: unknown;
}

/**
 * Creates the redaction function of a call. The sent values are collected when the first text is redacted, so that a call of
 * which nothing is printed does not pay for it. It replaces:
 *
 * - the value of every JSON member with a sensitive name, also of JSON in a JSON string, and where the text is cut;
 * - every sent value of a sensitive name, and of every header but for {@link plainHeaders}, that has at least 4 characters: exactly
 *   as it was sent, or written as in a JSON string or a URL;
 * - everything that has the form of a card number or an IBAN.
 *
 * A value that is spelled otherwise (another case, other blanks, another encoding) is not found: what the service says is kept out of
 * the message and the enumerable members of an error for that reason.
 *
 * @param sensitiveNames names of the properties and parameters that the contract marks with `x-sensitive`.
 * @param sent returns what the call sent.
 * @returns a function that returns `[redacted]` alone for a text that cannot be redacted.
 */
export function createRedactor(sensitiveNames: readonly string[], sent: () => SentValues): Redact {
  let redact: Redact | undefined;
  return (text) =>
    attempt(() => {
      redact ??= attempt(() => compile([...sensitiveNames, "x-api-key", "authorization"], sent())) ?? (() => mask);
      return redact(text);
    }) ?? mask;
}

/** Headers whose values are no secret, and help to find out what a message is about. */
const plainHeaders = /^(?:accept|content-|user-agent$|(?:x-)?(?:request|correlation)-id$|trace)/;

/** Shorter values are found by the name of their member only: "45" stands in many texts. */
const shortest = 4;
/** So many characters of a value are searched: as many as are printed of a text. */
const longestSearched = 4_000;
/** When all values together have more characters than this, no text is printed. */
const mostSearched = 100_000;

/** 13 to 19 digits of a card, and IBANs (ISO 13616), also in groups with blanks or hyphens in between. */
const numbers = /(?<![\w.-])(?:[2-6](?:[ -]?\d){12,18}|[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30})(?![\w-]|\.\d)/g;

function compile(names: readonly string[], { headers, values }: SentValues): Redact {
  const ofHeaders = [...new Headers(headers)].flatMap(([name, value]) =>
    plainHeaders.test(name) ? [] : [value, ...value.split(/[\s=;,"]+/).filter((part) => part.length >= 8)],
  );
  // Of a long value, each piece is searched, since a text may be cut within it.
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
  // The longest first, so that no rest of it is left where a shorter one is a part of it.
  const searched = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  const escaped = searched.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const exact = new RegExp(escaped.join("|") || "(?!)", "g");
  const members = new RegExp(`"(?:${names.join("|")})(\\\\*)"\\s*:\\s*(?=["\\\\[{]|-?\\d)`, "gi");
  return (text) => maskMembers(text, members).replace(exact, mask).replace(numbers, mask);
}

/**
 * Replaces the values of JSON members, also where the text ends within one.
 *
 * @param members finds the name and the colon of a member, and the backslashes before its quotation mark: in a JSON string, there are some.
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
 * Where a JSON value ends that begins at an index: a string, a number, or an array or object with all that is in it.
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
      // The end of the JSON string that this stands in.
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

/** How much more than is printed of a text is redacted, so that a value is found which its end cuts. */
const margin = 2_000;
/** What is left out at the end of a text that was cut: half of a value may stand there. */
const longestHalf = 1_100;

/**
 * The beginning of a text, without sensitive values.
 *
 * @param limit maximum number of characters.
 */
export function printable(text: string, redact: Redact | undefined, limit: number): string {
  const start = text.slice(0, limit + margin);
  const shown = redact?.(start) ?? start;
  return (start.length < text.length ? shown.slice(0, -longestHalf) : shown).slice(0, limit);
}

/** Causes of causes beyond this depth are left out. */
const deepestCause = 5;

/** Errors of an AggregateError beyond this number are left out. */
const mostErrors = 10;

/** All errors beyond this number are left out. */
const mostCauses = 30;

/** Maximum number of characters of each text of an error. */
const longestText = 4_000;

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

/** The result of a function, undefined when it throws, as getters and proxies can. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
