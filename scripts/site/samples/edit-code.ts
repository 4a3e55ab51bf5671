/** A part that the code must have, and its replacement. A text, or a pattern without the flag `g`, stands for its first occurrence. */
export type Edit = readonly [part: string | RegExp, replacement: string | ((match: string, group?: string) => string)];

/**
 * Edits are applied one after the other.
 *
 * @throws {Error} if the code lacks a part, for example because a new version of the snippet library writes other code.
 */
export function editCode(code: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [part, replacement]) => {
    const editedText = text.replace(part, (match, group) => {
      return typeof replacement === "string" ? replacement : replacement(match, group);
    });
    if (typeof part === "string" ? text.includes(part) : text.search(part) >= 0) return editedText;
    throw new Error(
      `@scalar/snippetz did not write ${part}, which scripts/site/samples/library-snippets.ts replaces. Adapt it to this code:\n${text}`,
    );
  }, code);
}
