/**
 * Replaces control characters, Unicode line and paragraph separators, and bidirectional embeddings, overrides and isolates with JSON
 * escapes.
 */
export function escapeControls(line: string): string {
  return line.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
