/** Removes the values of JSON members by their names, also from broken, nested and HTML-escaped JSON. */
import { mask } from "./redaction-patterns.ts";

/**
 * Replaces the value of every JSON member with one of the names by `"[redacted]"`: strings, numbers, arrays and objects,
 * also when they are cut off. JSON within a JSON string, and in a page (`&quot;`), is treated alike.
 *
 * @param nameList the names, separated by `|`; their case does not matter.
 */
export function maskMembers(text: string, nameList: string): string {
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
