import { defaultValues, limits } from "./facts.ts";
import { isSubsetOf } from "./patterns.ts";
import { additive, breaking, codeText, editorial, judgeRange, type Rule } from "./verdicts.ts";

const keywordRules: Readonly<Record<string, Rule>> = {
  default: (before, after, direction) => {
    if (before === undefined) return editorial(`has its default ${codeText(after)} documented now.`);
    const remedy =
      direction === "request" ? "Send the value that you mean" : "Check what you take for it when it is missing";
    return breaking(`has the default ${codeText(after)} now (it was ${codeText(before)}). ${remedy}.`);
  },
  pattern: (before, after, direction) => {
    if (typeof before !== "string" || typeof after !== "string") return otherRule("pattern")(before, after, direction);
    const [isWider, isNarrower] = [isSubsetOf(before, after), isSubsetOf(after, before)];
    const change = `has the pattern ${codeText(after)} now (it was ${codeText(before)})`;
    if (isWider && isNarrower) return editorial(`${change}, which accepts the same.`);
    if (isWider || isNarrower) return judgeRange(isNarrower === true, direction, change);
    return breaking(`${change}. Check what you send and read.`);
  },
  additionalProperties: (_, after, direction) =>
    judgeRange(after === false, direction, after === false ? "takes no other fields now" : "can have other fields now"),
  // Requests do not contain read-only fields, and responses do not contain write-only fields.
  readOnly: (_, after, direction) => {
    if (direction === "response") return undefined;
    return after ? breaking("can only be read now. Stop sending it.") : additive("can be sent now.");
  },
  writeOnly: (_, after, direction) => {
    if (direction === "request") return undefined;
    return after ? breaking("is only sent now. Stop reading it: its value is missing.") : additive("is returned now.");
  },
  "x-sensitive": (_, after) =>
    after
      ? additive("is marked as sensitive now: the client keeps it out of logs.")
      : breaking("is no longer marked as sensitive: the client no longer keeps it out of logs. Redact it yourself."),
};

export function ruleOfKeyword(keyword: string): Rule {
  const ownRule = Object.hasOwn(keywordRules, keyword) ? keywordRules[keyword] : undefined;
  return ownRule ?? (Object.hasOwn(limits, keyword) ? limitRule(keyword) : otherRule(keyword));
}

const limitRule =
  (name: string): Rule =>
  (before, after, direction) => {
    const sign = limits[name] as number;
    const absentValue = defaultValues[name] ?? -sign * Infinity;
    const [oldValue, newValue] = [before ?? absentValue, after ?? absentValue].map(Number) as [number, number];
    const change =
      after === undefined
        ? `no longer has the ${name} ${before}`
        : `has ${name} ${after} now${before === undefined ? "" : ` (it was ${before})`}`;
    return judgeRange(Math.sign(newValue - oldValue) === sign, direction, change);
  };

/** For facts and keywords without another rule: an added one permits fewer values, a removed one more; a changed one is breaking. */
export const otherRule =
  (name: string): Rule =>
  (before, after, direction) => {
    // An unknown `x-` key is editorial, because only the programs that read it know its meaning.
    if (name.startsWith("x-"))
      return editorial(`has another ${name}: ${codeText(after)} (it was ${codeText(before)}).`);
    if (before === undefined) return judgeRange(true, direction, `has the ${name} ${codeText(after)} now`);
    if (after === undefined) return judgeRange(false, direction, `no longer has the ${name} ${codeText(before)}`);
    return breaking(
      `has the ${name} ${codeText(after)} now (it was ${codeText(before)}). Check what you send and read.`,
    );
  };
