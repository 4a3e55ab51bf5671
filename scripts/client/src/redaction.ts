/** Removes sensitive values from texts and errors that can be logged. */
/** Replaces the sensitive values in a text by `[redacted]`. Never throws, takes time linear in the text's length. */
export type Redact = (text: string) => string;

/** What stands in the place of a sensitive value. */
export const mask = "[redacted]";

/** What a call sent. */
export interface SentValues {
  /** The API key among them. */
  readonly headers: HeadersInit;
  /** `path`, `query` and `body` as plain values; a file of an upload is `{ name }`. */
  readonly values: unknown;
}

/**
 * Creates the redaction function of a call. The sent values are collected when the first text is redacted, so that a call of
 * which nothing is printed does not pay for it.
 *
 * - JSON members with a sensitive name lose their whole value, whatever was sent.
 * - Sent values of at least 4 characters, and 16 successive letters and digits of a longer one, are replaced wherever they stand,
 *   in any case, encoding and Unicode normalisation form; from 6 letters and digits on, with any blanks and punctuation between
 *   them. Telephone numbers are also found in their national form, dates with the day or the month first.
 * - Shorter ones, such as a house number, are replaced only after a sensitive name: `number: 45`, `number=45`.
 * - Numbers of cards and IBANs, told by their check digits, are replaced wherever they stand.
 * - Values of headers but for {@link plainHeaders}, and their parts of at least 8 characters, are treated as sent values; those
 *   of less than 4 characters are replaced as whole words.
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

/** From so many letters and digits on, a value is found with other blanks and punctuation. */
const compactLength = 6;
/** What is left of a value that was shortened is found from so many letters and digits on. */
const pieceLength = 16;
/** So many characters of a value are searched: as many as are printed of a text. */
const longestSearched = 4_000;
/** When all values have more characters than this, no text is printed. */
const mostSearched = 100_000;

function compile(names: readonly string[], { headers, values }: SentValues): Redact {
  const ofHeaders = [...new Headers(headers)].flatMap(([name, value]) =>
    plainHeaders.test(name) ? [] : [value, ...value.split(/[\s=;,"]+/).filter((part) => part.length >= 8)],
  );
  const nameList = names.join("|");
  const plainPieces: Pieces = new Map();
  const compactPieces: Pieces = new Map();
  let size = 0;
  /** Collects what to search for. @returns patterns of the values that are too short to be found everywhere. */
  const collect = (found: readonly string[]) =>
    [...new Set(found)].flatMap((value) => {
      const start = value.trim().slice(0, longestSearched);
      const [{ text: plain }, { text: compact }] = fold(spellingOf(start));
      size += plain.length;
      if (size > mostSearched) throw new RangeError("Too much was sent.");
      if (compact.length >= compactLength) for (const form of formsOf(start, compact)) addPieces(compactPieces, form);
      else if (isLong(start) && isLong(plain)) addPieces(plainPieces, plain);
      else if (plain !== "") return plain.replace(/[!-/:-@[-`{-~]/g, "\\$&");
      return [];
    });
  const words = collect(ofHeaders);
  const named = collect(collectSensitive(values, names));
  const short = new RegExp(
    `((?:^|\\W)(?:${nameList})[^\\w.,;]{1,9})(?:${named.join("|") || "(?!)"})(?![\\w\\u0080-\\uffff])|\\b(?:${words.join("|") || "(?!)"})\\b`,
    "gi",
  );
  return (text) =>
    maskMembers(text, nameList, (part) => {
      const isHidden = new Uint8Array(part.length);
      const hide = ({ from, to }: Spelling, index: number, end: number) => isHidden.fill(1, from[index], to[end - 1]);
      for (const spelling of spellingsOf(part)) {
        const [plain, compact] = fold(spelling);
        hidePieces(plain, plainPieces, hide);
        hidePieces(compact, compactPieces, hide);
        for (const { 0: found, 1: before = "", index } of plain.text.matchAll(short)) {
          hide(plain, index + before.length, index + found.length);
        }
        hideNumbers(spelling, hide);
      }
      let shown = "";
      for (let index = 0, end = 0; index < part.length; index = end) {
        const state = isHidden[index] as number;
        end = isHidden.indexOf(1 - state, index);
        if (end < 0) end = part.length;
        shown += state === 1 ? mask : part.slice(index, end);
      }
      return shown;
    });
}

/** Hides what stands from one index of a spelling to another. */
type Hide = (spelling: Spelling, index: number, end: number) => void;

/** Texts to search for, by their length. */
type Pieces = Map<number, Set<string>>;

/** Adds a value, or where it is long, each piece of it. */
function addPieces(pieces: Pieces, value: string): void {
  const length = Math.min(value.length, pieceLength);
  const ofLength = pieces.get(length) ?? new Set();
  pieces.set(length, ofLength);
  for (let index = 0; index + length <= value.length; index += 1) ofLength.add(value.slice(index, index + length));
}

function hidePieces(spelling: Spelling, pieces: Pieces, hide: Hide): void {
  for (const [length, ofLength] of pieces) {
    for (let index = 0; index + length <= spelling.text.length; index += 1) {
      if (ofLength.has(spelling.text.slice(index, index + length))) hide(spelling, index, index + length);
    }
  }
}

/** The forms in which a service may write a date, or a telephone number without its prefix, by their digits. */
function formsOf(value: string, compact: string): string[] {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? [];
  if (day !== undefined) return [compact, `${year}${month}${day}`, `${day}${month}${year}`, `${month}${day}${year}`];
  if (compact.length >= pieceLength || !/^[+(]?\d[\d\s()./-]{7,}$/.test(value)) return [compact];
  const number = compact.replace(/^0+/, "");
  // A country code has one to three digits.
  const national = [1, 2, 3].map((length) => number.slice(length)).filter((rest) => rest.length >= compactLength);
  return [compact, number, ...national, ...national.map((rest) => `0${rest}`)];
}

/** Numbers of cards (Luhn) and IBANs (ISO 13616), which nobody has to have sent. */
const numbers: [pattern: RegExp, isValid: (found: string) => boolean][] = [
  [/(?<!\w)[2-6]\d{3}(?:[ \u00a0\u202f-]?\d){9,15}(?!\w)/g, isCardNumber],
  [/(?<!\w)[A-Z]{2}\d{2}(?:[ \u00a0\u202f]?[A-Z\d]){11,30}(?!\w)/g, isIban],
];

function hideNumbers(spelling: Spelling, hide: Hide): void {
  for (const [pattern, isValid] of numbers) {
    for (let match = pattern.exec(spelling.text); match !== null; match = pattern.exec(spelling.text)) {
      let [found] = match;
      // The last groups may be what follows the number.
      while (found !== "" && !isValid(found)) found = found.replace(/(?:^|[^A-Z\d])[A-Z\d]*$/, "");
      if (found !== "") hide(spelling, match.index, match.index + found.length);
      pattern.lastIndex = match.index + Math.max(found.length, 4);
    }
  }
}

function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "").split("").reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : (digit * 2) % 9 || digit), 0);
  return digits.length >= 13 && sum % 10 === 0;
}

function isIban(text: string): boolean {
  const plain = text.replace(/[^A-Z\d]/g, "");
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(
    /[A-Z]/g,
    (letter) => `${Number.parseInt(letter, 36)}`,
  );
  return plain.length >= 15 && BigInt(digits) % 97n === 1n;
}

/** Whether a value is searched everywhere. Two characters that are not ASCII can be a whole name. */
function isLong(value: string): boolean {
  return /.{4}|[\u0080-\uffff]{2}/s.test(value);
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

/** A text in another spelling, and where each of its characters begins and ends in the text that it was made of. */
interface Spelling {
  text: string;
  readonly from: number[];
  readonly to: number[];
}

function spellingOf(text: string): Spelling {
  const from = Array.from({ length: text.length }, (_, index) => index);
  return { text, from, to: from.map((index) => index + 1) };
}

/** Appends characters in the place of those from one index of another spelling to another. */
function append(made: Spelling, written: string, { from, to }: Spelling, index: number, end: number): void {
  made.text += written;
  for (let count = 0; count < written.length; count += 1) {
    made.from.push(from[index] as number);
    made.to.push(to[end - 1] as number);
  }
}

/**
 * A text in small letters without accents and backslashes, `ß` as `ss`, each kind of blank and `+` as a blank; and only the letters
 * and digits of that. So all forms of Unicode normalisation, and upper and lower case, are spelt alike.
 */
function fold(spelling: Spelling): [plain: Spelling, compact: Spelling] {
  const plain = spellingOf("");
  const compact = spellingOf("");
  let index = 0;
  for (const character of spelling.text) {
    const end = index + character.length;
    const letters = character > "\x7f" ? baseOf(character) : character;
    const written = /^[\0- +]/.test(letters) ? " " : letters === "\\" ? "" : letters.toLowerCase();
    append(plain, written, spelling, index, end);
    if (/[\p{L}\p{N}]/u.test(written)) append(compact, written, spelling, index, end);
    // An accent belongs to the letter before it.
    for (const { to } of letters === "" ? [plain, compact] : []) {
      if (to.at(-1) === spelling.from[index]) to[to.length - 1] = spelling.to[end - 1] as number;
    }
    index = end;
  }
  return [plain, compact];
}

/** At most 4 letters, because one character can stand for 18 (U+FDFA). */
function baseOf(character: string): string {
  return character.toLowerCase().toUpperCase().normalize("NFKD").replace(/\p{M}/gu, "").slice(0, 4);
}

/** How often an encoding in an encoding is undone. */
const mostDecoded = 4;

/** A text, and what it is when it is decoded again and again. */
function spellingsOf(text: string): Spelling[] {
  const spellings = [spellingOf(text)];
  for (let times = 0; times < mostDecoded; times += 1) {
    const decoded = decode(spellings[times] as Spelling);
    if (decoded === undefined) break;
    spellings.push(decoded);
  }
  return spellings;
}

/** A character in JSON (RFC 8259, section 7), percent-encoded in UTF-8 (RFC 3986, section 2.1), and in HTML. */
const escapes =
  /\\(?:u([\da-f]{4})|([^&%]))|%(?:[0-7]|[cd][\da-f]%[89ab]|e[\da-f]%[89ab][\da-f]%[89ab]|f[0-4](?:%[89ab][\da-f]){2}%[89ab])[\da-f]|&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(?:uml|acute|grave|circ|tilde|ring|cedil|caron)|([a-z]{2,5}));/gi;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  szlig: "ß",
  aelig: "æ",
};

/** Undoes one level of encoding; undefined where there is none. */
function decode(spelling: Spelling): Spelling | undefined {
  const { text } = spelling;
  const decoded = spellingOf("");
  let last = 0;
  const copyTo = (end: number) => {
    for (; last < end; last += 1) append(decoded, text[last] as string, spelling, last, last + 1);
  };
  for (const match of text.matchAll(escapes)) {
    copyTo(match.index);
    last += match[0].length;
    append(decoded, attempt(() => decodedOf(match)) ?? match[0], spelling, match.index, last);
  }
  if (last === 0) return undefined;
  copyTo(text.length);
  return decoded;
}

/** @throws where the characters are no encoding. */
function decodedOf([found, unit, escaped, decimal, hexadecimal, letter, name]: RegExpExecArray): string | undefined {
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (escaped !== undefined) return /[bfnrtv]/i.test(escaped) ? " " : escaped;
  if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
  if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
  return found.startsWith("%") ? decodeURIComponent(found) : (letter ?? entities[name?.toLowerCase() ?? ""]);
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

/**
 * Replaces the value of every JSON member with one of the names by `"[redacted]"`: strings, numbers, arrays and objects,
 * also when they are cut off. JSON within a JSON string, and in a page (`&quot;`), is treated alike.
 *
 * @param nameList the names, separated by `|`; their case does not matter.
 * @param redact is called with each part of the text between the members.
 */
function maskMembers(text: string, nameList: string, redact: Redact): string {
  // The name, and a number or the beginning of a string, array or object.
  const members = new RegExp(
    `(("|&(?:quot|#34|#x22);)(?:${nameList})((\\\\*)\\2)\\s*:\\s*)(?!\\[redacted])(?:(-?\\d[\\w.+-]*)|(?=\\3|[[{]))`,
    "gi",
  );
  let masked = "";
  let last = 0;
  for (let member = members.exec(text); member !== null; member = members.exec(text)) {
    const [, name = "", quote = "", closing = "", slashes = "", number] = member;
    masked += redact(text.slice(last, member.index)) + name + closing + mask + closing;
    if (number === undefined) members.lastIndex = endOf(text, members.lastIndex, quote, slashes.length);
    last = members.lastIndex;
  }
  return masked + redact(text.slice(last));
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
