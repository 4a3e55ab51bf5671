/** Finds parts of a JSON text that `JSON.parse` loses: repeated members, and numbers that a double cannot represent exactly. */

export interface Loss {
  readonly rule: "duplicate-member" | "precision";
  readonly pointer: string;
  /** A description of the number that does not show its digits; empty for a repeated member. */
  readonly seen: string;
}

interface Open {
  readonly names: Set<string> | undefined;
  at: string | number;
}

const mostLosses = 20;

/** @param shown returns the printable form of a name, because a name can be personal data. */
export function lossesIn(text: string, shown: (name: string) => string): Loss[] {
  const losses = new Map<string, Loss>();
  const open: Open[] = [];
  const add = (rule: Loss["rule"], seen: string) => {
    const names = open.map(({ at }) => (typeof at === "number" ? at : shown(at)));
    const key = [rule, ...names.map((name) => (typeof name === "number" ? 0 : name))].join("/");
    if (!losses.has(key)) losses.set(key, { rule, pointer: names.map((name) => `/${name}`).join(""), seen });
  };
  const token = /[^\s:]/g;
  for (let found = token.exec(text); found !== null && losses.size < mostLosses; found = token.exec(text)) {
    const [char] = found;
    const inner = open.at(-1);
    if (char === "{") open.push({ names: new Set(), at: "" });
    else if (char === "[") open.push({ names: undefined, at: 0 });
    else if (char === "}" || char === "]") open.pop();
    else if (char === "," && typeof inner?.at === "number") inner.at += 1;
    else if (char === '"') {
      token.lastIndex = endOfString(text, found.index);
      nameEnd.lastIndex = token.lastIndex;
      if (inner?.names === undefined || !nameEnd.test(text)) continue;
      inner.at = JSON.parse(text.slice(found.index, token.lastIndex)) as string;
      if (inner.names.has(inner.at)) add("duplicate-member", "");
      inner.names.add(inner.at);
    } else if (/[-\d]/.test(char)) {
      numberForm.lastIndex = found.index;
      const [number = char] = numberForm.exec(text) ?? [];
      token.lastIndex = found.index + number.length;
      const seen = lossOf(number);
      if (seen !== undefined) add("precision", seen);
    }
  }
  return [...losses.values()];
}

const numberForm = /-?[\d.]+([eE][-+]?\d+)?/y;

const nameEnd = /\s*:/y;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** A decimal number of up to 15 significant digits is unchanged after conversion to a double and back. */
function lossOf(number: string): string | undefined {
  const digits = number
    .replace(/[eE].*/, "")
    .replace(/\D/g, "")
    .replace(/^0+/, "");
  const value = Number(number);
  if (!Number.isFinite(value) || (value === 0 && digits !== "")) return "one beyond the range of a double";
  const isLong = digits.replace(/0+$/, "").length > 15;
  return isLong ? `one of ${digits.length} digits` : undefined;
}
