/** Finds what `JSON.parse` loses of a JSON text: repeated members, and numbers that a double cannot represent exactly. */
import { visitTokens } from "../client/src/reading/index.ts";

export interface Loss {
  readonly rule: "duplicate-member" | "precision";
  readonly pointer: string;
  /** A description of the number, without its digits; empty for a repeated member. */
  readonly seen: string;
}

interface OpenValue {
  readonly names: Set<string> | undefined;
  key: string | number;
}

const maxLosses = 20;

/** Finds at most {@link maxLosses} losses. @param printableName masks the name of a member, because a name can be personal data. */
export function findLosses(text: string, printableName: (name: string) => string): Loss[] {
  const losses = new Map<string, Loss>();
  const open: OpenValue[] = [];
  const add = (rule: Loss["rule"], seen: string) => {
    const names = open.map(({ key }) => (typeof key === "number" ? key : printableName(key)));
    const key = [rule, ...names.map((name) => (typeof name === "number" ? 0 : name))].join("/");
    if (!losses.has(key)) losses.set(key, { rule, pointer: names.map((name) => `/${name}`).join(""), seen });
  };
  visitTokens(text, (first, start, end) => {
    const inner = open.at(-1);
    if (first === "{") open.push({ names: new Set(), key: "" });
    else if (first === "[") open.push({ names: undefined, key: 0 });
    else if (first === "}" || first === "]") open.pop();
    else if (first === "," && typeof inner?.key === "number") inner.key += 1;
    else if (first === '"') {
      nameEnd.lastIndex = end;
      if (inner?.names === undefined || !nameEnd.test(text)) return;
      inner.key = JSON.parse(text.slice(start, end)) as string;
      if (inner.names.has(inner.key)) add("duplicate-member", "");
      inner.names.add(inner.key);
    } else if (/[-\d]/.test(first)) {
      const seen = lossOf(text.slice(start, end));
      if (seen !== undefined) add("precision", seen);
    }
    return losses.size >= maxLosses;
  });
  return [...losses.values()];
}

const nameEnd = /\s*:/y;

/** Describes what a double loses of a number; undefined if nothing. A number of up to 15 significant digits loses nothing. */
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
