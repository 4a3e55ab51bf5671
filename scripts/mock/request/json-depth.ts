/** How deeply a JSON text is nested, found without parsing it. */

/** Whether lists and objects are nested in more levels than the limit, in a text that need not be well-formed. */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (character === "[" || character === "{") {
      depth += 1;
      if (depth > limit) return true;
    } else if (character === "]" || character === "}") {
      depth -= 1;
    }
  }
  return false;
}
