/** Removes sensitive values from texts and errors that can be logged. */

/** Replaces the sensitive values in a text by `[redacted]`. Never throws, takes time linear in the text's length. */
export type Redact = (text: string) => string;

/** What a call sent, as it stood when the call was prepared. */
interface SentValues {
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
 * - Numbers of cards and IBANs, told by their check digits, are replaced wherever they stand.
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
    const redacted = maskNumbers(maskMembers(text, nameList).replace(anywherePattern, mask));
    return named.length === 0 ? redacted : redacted.replace(namedPattern, `$1${mask}`);
  };
}

/** Masks the numbers of cards (Luhn) and IBANs (ISO 13616), which nobody has to have sent. */
function maskNumbers(text: string): string {
  return text
    .replace(/(?<!\w)[2-6]\d{3}(?:[ -]?\d){9,15}(?!\w)/g, (found) => (isCardNumber(found) ? mask : found))
    .replace(/(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}(?!\w)/g, (found) => (isIban(found) ? mask : found));
}

function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "").split("").reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : (digit * 2) % 9 || digit), 0);
  return sum % 10 === 0;
}

function isIban(text: string): boolean {
  const plain = text.replaceAll(" ", "");
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(
    /[A-Z]/g,
    (letter) => `${Number.parseInt(letter, 36)}`,
  );
  return BigInt(digits) % 97n === 1n;
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

/**
 * Replaces the value of every JSON member with one of the names by `"[redacted]"`: strings, numbers, arrays and objects,
 * also when they are cut off. JSON within a JSON string, and in a page (`&quot;`), is treated alike.
 *
 * @param nameList the names, separated by `|`; their case does not matter.
 */
function maskMembers(text: string, nameList: string): string {
  // The name, and a number or the beginning of a string, array or object.
  const members = new RegExp(
    `(("|&(?:quot|#34|#x22);)(?:${nameList})((\\\\*)\\2)\\s*:\\s*)(?!\\[redacted])(?:(-?\\d[\\w.+-]*)|(?=\\3|[[{]))`,
    "gi",
  );
  let masked = "";
  let last = 0;
  for (let member = members.exec(text); member !== null; member = members.exec(text)) {
    const [, name = "", quote = "", closing = "", slashes = "", number] = member;
    masked += text.slice(last, member.index) + name + closing + mask + closing;
    if (number === undefined) members.lastIndex = endOf(text, members.lastIndex, quote, slashes.length);
    last = members.lastIndex;
  }
  return masked + text.slice(last);
}

/**
 * Where a string, array or object ends.
 *
 * @param index where it begins.
 * @param quote the quotation mark.
 * @param level the number of backslashes before each quotation mark: 0, or in a JSON string 1, 3, 7 ...
 */
function endOf(text: string, index: number, quote: string, level: number): number {
  let depth = 0;
  let isInString = false;
  for (let slashes = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === "\\") {
      slashes += 1;
      continue;
    }
    if (text.startsWith(quote, index)) {
      // The end of the JSON string that this stands in.
      if (slashes < level) return index - slashes;
      if (slashes % (2 * level + 2) === level) isInString = !isInString;
      index += quote.length - 1;
    } else if (!isInString) depth += "[{".includes(character) ? 1 : "]}".includes(character) ? -1 : 0;
    if (!isInString && depth === 0) return index + 1;
    slashes = 0;
  }
  return text.length;
}

/** What stands in the place of a sensitive value. */
export const mask = "[redacted]";

/** A number of at least 8 digits (card, phone, account) or an IBAN, also in groups. */
const groupedNumber = /^(?:[a-z]{2})?\d(?:[ -]?[a-z\d]){7,63}$/i;

/** What a service that shortens a value leaves of it is found from this number of characters on. */
const pieceLength = 16;

/** Longer values are compared up to this number of characters. */
const longestCompared = 64;

/**
 * The source of a pattern that finds a value as it is, JSON-escaped (RFC 8259, section 7), percent-encoded (RFC 3986,
 * section 2.1; `+` for a blank) and HTML-escaped, also where only some of its characters are escaped, or are escaped
 * repeatedly. Numbers of at least 8 digits and IBANs are found with blanks or hyphens between their characters as well.
 *
 * Of a value of more than 16 characters, a beginning of a multiple of 16 characters is found too. Behind the first 64
 * characters of a longer value, the pattern takes the rest of the text.
 *
 * No text can be matched in two ways, so that the time stays linear: the forms of a character exclude each other, and a
 * run of backslashes belongs to the character behind it.
 *
 * @param value a text that is not empty and does not begin with a backslash.
 * @returns the source of a pattern for the flag `i` without `u`.
 */
function patternOf(value: string): string {
  const isGrouped = groupedNumber.test(value);
  const separator = isGrouped ? `(?:[^\\S ]|\\\\{0,7}(?:${formsOf([" ", "-"])}))?` : "";
  const tokens = (isGrouped ? value.replace(/[ -]/g, "") : value).match(/\\*[^\\]|\\+/gu) ?? [];
  return tokens.slice(0, longestCompared).reduceRight(
    (rest, token, index) => {
      if (index === 0) return tokenPattern(token) + rest;
      const pattern = separator + tokenPattern(token) + rest;
      return index % pieceLength === 0 ? `(?:${pattern})?` : pattern;
    },
    tokens.length > longestCompared ? "[^]*" : "",
  );
}

/** The pattern of a character with the backslashes before it, or of the backslashes at the end of a value. */
function tokenPattern(token: string): string {
  if (/^[a-z\d]$/i.test(token)) return token;
  const slashes = token.lastIndexOf("\\") + 1;
  const run = `\\\\{${slashes},${8 * slashes + 7}}`;
  const prefix = slashes === 0 ? run : `(?:${run}|(?:${encodingsOf(["\\"])}){${slashes}})`;
  const character = token.slice(slashes);
  if (character === "") return prefix;
  return `${prefix}(?:${formsOf([...new Set([character, character.toLowerCase(), character.toUpperCase()])])})`;
}

/** Each of the texts as it is, as it stands behind a backslash in JSON, and encoded. */
function formsOf(texts: readonly string[]): string {
  const escapes = texts.map((text) => text.split("").map((unit) => `u${hex(unit.charCodeAt(0), 4)}`));
  const literals = escapes.map((units) => `\\${units.join("\\")}`);
  const code = texts[0]?.charCodeAt(0) as number;
  return [
    // A set, because the flag `i` makes a capital the same as its small letter.
    `[${literals.filter((_, index) => texts[index]?.length === 1).join("")}]`,
    ...literals.filter((_, index) => texts[index]?.length !== 1),
    ...escapes.map((units) => units.join("\\\\{1,7}")),
    // A blank in form data; the JSON escapes of the control characters 8 to 13.
    ...(code === 32 ? ["\\+"] : ("btnvfr"[code - 8] ?? [])),
    encodingsOf(texts),
  ].join("|");
}

/** Each of the texts percent-encoded, and the first character of each HTML-escaped, up to four times. */
function encodingsOf(texts: readonly string[]): string {
  const encoder = new TextEncoder();
  const percent = texts.map((text) =>
    Array.from(encoder.encode(text), (byte) => `%(?:25){0,3}${hex(byte, 2)}`).join(""),
  );
  const numbers = texts.map((text) => text.codePointAt(0) as number);
  const entities = numbers.map((code) => `#0{0,5}${code}|#x0{0,5}${hex(code, 1)}`);
  // Any named entity will do: the characters around it decide.
  return `${percent.join("|")}|&(?:amp;){0,3}(?:${entities.join("|")}|[a-z]\\w{1,30});`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
