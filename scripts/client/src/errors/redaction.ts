/** Masks the sensitive values in a text. Never throws. Takes time linear in the length of the text. */
export type Redact = (text: string) => string;

export const mask = "[redacted]";

export interface SentValues {
  /** The headers, including the API key. */
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** `path`, `query` and `body` as plain values; a file of an upload is `{ name }`. */
  readonly values: unknown;
}

/**
 * Creates a function that masks sensitive values in a text:
 *
 * - the value of every JSON member with a sensitive name in upper or lower case, unless the value is true, false or null; including JSON
 *   within a JSON string, and a value that is cut off at the end of the text;
 * - every sent value of a sensitive name, and of every header except {@link plainHeaders}, that has at least 4 characters: literally, or
 *   escaped as in a JSON string or a URL;
 * - everything that has the form of a card number or an IBAN.
 *
 * A value in another spelling (case, spaces, encoding) is not found. Therefore the message and the enumerable members of an error contain
 * no free text of the service.
 */
export function createRedactor(sensitiveNames: readonly string[], getSentValues: () => SentValues): Redact {
  let redact: Redact | undefined;
  return (text) =>
    tryTo(() => {
      redact ??=
        tryTo(() => compile([...sensitiveNames, "x-api-key", "authorization"], getSentValues())) ?? (() => mask);
      return redact(text);
    }) ?? mask;
}

/** Headers whose values are not secret and help to find errors. */
const plainHeaders = /^(?:accept|content-|user-agent$|(?:x-)?(?:request|correlation)-id$|trace)/;

/** Shorter values, such as "45", occur by chance in many texts. */
const minValueLength = 4;
/** Maximum number of characters of a sent value that are searched. No printed text of an error is longer. */
const maxValueLength = 4_000;
/** Maximum number of characters of all searched values together. If they have more, texts are masked completely. */
const maxTotalLength = 100_000;

/** Card numbers of 13 to 19 digits that begin with 2 to 6, and IBANs (ISO 13616) in upper case, also grouped by spaces or hyphens. */
const cardNumberOrIban = /(?<![\w.-])(?:[2-6](?:[ -]?\d){12,18}|[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30})(?![\w-]|\.\d)/g;

function compile(names: readonly string[], { headers, values }: SentValues): Redact {
  const headerValues = [...new Headers(headers)].flatMap(([name, value]) =>
    plainHeaders.test(name) ? [] : [value, ...value.split(/[\s=;,"]+/).filter((part) => part.length >= 8)],
  );
  // Long values are searched in pieces, because a text may be cut within a value.
  const pieces = [...headerValues, ...collectSensitive(values, names)].flatMap(
    (value) =>
      value
        .trim()
        .slice(0, maxValueLength)
        .match(/.{1,500}/gs) ?? [],
  );
  if (pieces.join("").length > maxTotalLength) throw new RangeError("Too much was sent.");
  const spellings = pieces
    .filter((value) => value.length >= minValueLength)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), tryTo(() => encodeURIComponent(value)) ?? value]);
  // Longest first: otherwise a shorter value within a longer one would be masked alone, and the rest of the longer one shown.
  const sortedSpellings = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  const escapedSpellings = sortedSpellings.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  const exactPattern = new RegExp(escapedSpellings.join("|") || "(?!)", "g");
  const memberPattern = new RegExp(`"(?:${names.join("|")})(\\\\*)"\\s*:\\s*(?=["\\\\[{]|-?\\d)`, "gi");
  return (text) => maskMembers(text, memberPattern).replace(exactPattern, mask).replace(cardNumberOrIban, mask);
}

/**
 * @param memberPattern matches a member with a sensitive name. Its group matches the backslashes before the closing quotation mark of the
 * name, which occur in JSON within a JSON string.
 */
function maskMembers(text: string, memberPattern: RegExp): string {
  let maskedText = "";
  let copiedUntil = 0;
  memberPattern.lastIndex = 0;
  for (let member = memberPattern.exec(text); member !== null; member = memberPattern.exec(text)) {
    const slashes = member[1] as string;
    maskedText += `${text.slice(copiedUntil, memberPattern.lastIndex)}${slashes}"${mask}${slashes}"`;
    copiedUntil = endOfValue(text, memberPattern.lastIndex, slashes.length);
    memberPattern.lastIndex = copiedUntil;
  }
  return maskedText + text.slice(copiedUntil);
}

/**
 * Returns the index after the JSON value that begins at `start`.
 *
 * @param level the number of backslashes before each quotation mark: 0, or within JSON strings 1, 3, 7 …
 */
function endOfValue(text: string, start: number, level: number): number {
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

function collectSensitive(value: unknown, names: readonly string[], isSensitive = false): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, item]) =>
      collectSensitive(item, names, isSensitive || names.includes(name)),
    );
  }
  return isSensitive && isStringOrNumber(value) ? [String(value)] : [];
}

/** Number of characters after `maxLength` that are searched too, to find a sensitive value that begins before `maxLength`. */
const searchMargin = 2_000;
/** Number of characters dropped at the end of a cut text, because they may be part of a sensitive value that was not found. */
const maxPartialLength = 1_100;

export function toPrintable(text: string, redact: Redact, maxLength: number): string {
  const searchedText = text.slice(0, maxLength + searchMargin);
  const maskedText = redact(searchedText);
  if (searchedText.length === text.length) return maskedText.slice(0, maxLength);
  return maskedText.slice(0, -maxPartialLength).slice(0, maxLength) || mask;
}

const maxCauseDepth = 5;
const maxErrorsOfAggregate = 10;
const maxCopies = 30;
const maxTextLength = 4_000;

/**
 * Copies an error with its causes, up to the limits above, and masks the texts. Only known properties are copied, because others may
 * contain the whole request. Never throws.
 */
export function redactCause(cause: unknown, redact: Redact): Error | undefined {
  return copyError(cause, redact, new Set(), 0);
}

function copyError(cause: unknown, redact: Redact, visitedCauses: Set<unknown>, depth: number): Error | undefined {
  if (cause === undefined || depth > maxCauseDepth || visitedCauses.size >= maxCopies || visitedCauses.has(cause))
    return undefined;
  visitedCauses.add(cause);
  const readProperty = (key: string) => tryTo(() => (cause as Record<string, unknown>)[key]);
  const copyInner = (inner: unknown) => copyError(inner, redact, visitedCauses, depth + 1);
  const text = typeof cause === "string" ? cause : readProperty("message");
  const message = typeof text === "string" ? toPrintable(text, redact, maxTextLength) : "";
  if (!tryTo(() => cause instanceof Error || "stack" in Object(cause))) {
    return new Error(`a value that is no Error${message === "" ? "" : `: ${message}`}`);
  }
  const innerCause = copyInner(readProperty("cause"));
  const copy = new Error(message, innerCause && { cause: innerCause });
  for (const key of ["name", "stack", "code", "errno", "syscall"]) {
    const value = readProperty(key);
    if (isStringOrNumber(value))
      Object.assign(copy, { [key]: typeof value === "string" ? toPrintable(value, redact, maxTextLength) : value });
  }
  const errors = tryTo(() =>
    (readProperty("errors") as unknown[]).slice(0, maxErrorsOfAggregate).flatMap((error) => copyInner(error) ?? []),
  );
  if (errors !== undefined) Object.defineProperty(copy, "errors", { value: errors });
  return copy;
}

function isStringOrNumber(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function tryTo<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
