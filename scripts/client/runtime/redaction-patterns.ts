/** Patterns that find a value in the encodings in which a service or a proxy may give it back. */

/** What stands in the place of a sensitive value. */
export const mask = "[redacted]";

/** A number of at least 8 digits (card, phone, account) or an IBAN, also in groups. */
const groupedNumber = /^(?:[a-z]{2})?\d(?:[ -]?[a-z\d]){7,63}$/i;

/** What a service that shortens a value leaves of it is found from this number of characters on. */
const pieceLength = 16;

/** Longer values are compared up to this number of characters. */
const longestCompared = 1024;

/**
 * The source of a pattern that finds a value as it is, JSON-escaped (RFC 8259, section 7), percent-encoded (RFC 3986,
 * section 2.1; `+` for a blank) and HTML-escaped, also where only some of its characters are escaped, or are escaped
 * repeatedly. Numbers of at least 8 digits and IBANs are found with blanks or hyphens between their characters as well.
 *
 * Of a value of more than 16 characters, a beginning of a multiple of 16 characters is found too. Behind the first 1024
 * characters of a longer value, the pattern takes the rest of the text.
 *
 * No text can be matched in two ways, so that the time stays linear: the forms of a character exclude each other, and a
 * run of backslashes belongs to the character behind it.
 *
 * @param value a text that is not empty and does not begin with a backslash.
 * @returns the source of a pattern for the flag `i` without `u`.
 */
export function patternOf(value: string): string {
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
