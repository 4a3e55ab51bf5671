/** What `JSON.parse` loses: repeated members, and numbers that a double may not preserve. */
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
  const openValues: OpenValue[] = [];
  const nameEnd = /\s*:/y;
  const addLoss = (rule: Loss["rule"], seen: string) => {
    const names = openValues.map(({ key }) => (typeof key === "number" ? key : printableName(key)));
    const key = [rule, ...names.map((name) => (typeof name === "number" ? 0 : name))].join("/");
    if (!losses.has(key)) losses.set(key, { rule, pointer: names.map((name) => `/${name}`).join(""), seen });
  };
  visitTokens(text, (firstCharacter, start, end) => {
    const innermostValue = openValues.at(-1);
    if (firstCharacter === "{") openValues.push({ names: new Set(), key: "" });
    else if (firstCharacter === "[") openValues.push({ names: undefined, key: 0 });
    else if (firstCharacter === "}" || firstCharacter === "]") openValues.pop();
    else if (firstCharacter === "," && typeof innermostValue?.key === "number") innermostValue.key += 1;
    else if (firstCharacter === '"') {
      nameEnd.lastIndex = end;
      if (innermostValue?.names === undefined || !nameEnd.test(text)) return;
      const name = String(JSON.parse(text.slice(start, end)));
      innermostValue.key = name;
      if (innermostValue.names.has(name)) addLoss("duplicate-member", "");
      innermostValue.names.add(name);
    } else if (/[-\d]/.test(firstCharacter)) {
      const seen = lossOf(text.slice(start, end));
      if (seen !== undefined) addLoss("precision", seen);
    }
    return losses.size >= maxLosses;
  });
  return [...losses.values()];
}

/** Undefined unless the number is beyond the range of a double, or has more than 15 significant digits. */
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
