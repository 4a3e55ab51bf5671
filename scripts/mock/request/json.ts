/** The digits of amounts in a JSON text, which a JavaScript number does not keep. */

const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const number = /[-\d][\d.eE+-]*/y;
const quoteOrEscape = /["\\]/g;

/**
 * The numbers and decimal strings at the top level of a JSON object, with the digits that were sent, by name. Of several
 * members with one name the last counts, as for `JSON.parse`. Any other value has none.
 *
 * @param text well-formed JSON.
 */
export function amountsOf(text: string): Record<string, string> {
  const amounts = new Map<string, string>();
  let depth = 0;
  let isName = false;
  let name = "";
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    let end = at + 1;
    if (character === "{" || character === "[") {
      depth += 1;
      if (depth === 1 && character === "[") return {};
      isName = character === "{";
    } else if (character === "}" || character === "]") depth -= 1;
    else if (character === ",") isName = depth === 1;
    else if (character === ":") isName = false;
    else if (character === '"') end = endOfString(text, at);
    else if (isNumberStart(character)) end = endOfNumber(text, at);
    if (depth === 1 && (character === '"' || isNumberStart(character))) {
      const value = character === '"' ? (JSON.parse(text.slice(at, end)) as string) : text.slice(at, end);
      if (isName) {
        name = value;
        amounts.delete(name);
      } else if (decimal.test(value)) amounts.set(name, value);
    }
    at = end;
  }
  return Object.fromEntries(amounts);
}

function isNumberStart(character: string): boolean {
  return character === "-" || (character >= "0" && character <= "9");
}

function endOfNumber(text: string, start: number): number {
  number.lastIndex = start;
  return number.test(text) ? number.lastIndex : start + 1;
}

/** The index after the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    quoteOrEscape.lastIndex = at;
    if (!quoteOrEscape.test(text)) return text.length;
    at = quoteOrEscape.lastIndex;
    if (text[at - 1] === '"') return at;
    at += 1;
  }
}
