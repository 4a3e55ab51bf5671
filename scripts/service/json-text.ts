/** Finds parts of a JSON text that `JSON.parse` loses: repeated members, and numbers that a double cannot represent exactly. */
import { visitTokens } from "../client/src/reading/index.ts";

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

const maxLosses = 20;

/** @param shown returns the printable form of a name, because a name can be personal data. */
export function lossesIn(text: string, shown: (name: string) => string): Loss[] {
  const losses = new Map<string, Loss>();
  const open: Open[] = [];
  const add = (rule: Loss["rule"], seen: string) => {
    const names = open.map(({ at }) => (typeof at === "number" ? at : shown(at)));
    const key = [rule, ...names.map((name) => (typeof name === "number" ? 0 : name))].join("/");
    if (!losses.has(key)) losses.set(key, { rule, pointer: names.map((name) => `/${name}`).join(""), seen });
  };
  visitTokens(text, (first, start, end) => {
    const inner = open.at(-1);
    if (first === "{") open.push({ names: new Set(), at: "" });
    else if (first === "[") open.push({ names: undefined, at: 0 });
    else if (first === "}" || first === "]") open.pop();
    else if (first === "," && typeof inner?.at === "number") inner.at += 1;
    else if (first === '"') {
      nameEnd.lastIndex = end;
      if (inner?.names === undefined || !nameEnd.test(text)) return;
      inner.at = JSON.parse(text.slice(start, end)) as string;
      if (inner.names.has(inner.at)) add("duplicate-member", "");
      inner.names.add(inner.at);
    } else if (/[-\d]/.test(first)) {
      const seen = lossOf(text.slice(start, end));
      if (seen !== undefined) add("precision", seen);
    }
    return losses.size >= maxLosses;
  });
  return [...losses.values()];
}

const nameEnd = /\s*:/y;

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
