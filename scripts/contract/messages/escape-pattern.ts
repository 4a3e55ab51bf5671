/** Escapes the special characters of regular expressions, so that a pattern matches the text itself. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
