/** What a text of somebody else may not do to a terminal. */

/** Control characters, and those that change the direction of a text, as JSON writes them. */
export function escapeControls(line: string): string {
  return line.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
