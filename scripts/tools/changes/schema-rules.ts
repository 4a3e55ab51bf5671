/** Rules for the facts of schemas: keywords of JSON Schema, and the facts that facts.ts derives from them. */
import type { Direction } from "./element.ts";
import { limits, type ValueSet } from "./facts.ts";
import { isSubsetOf } from "./patterns.ts";
import {
  additive,
  breaking,
  codeList,
  codeText,
  editorial,
  inCode,
  judgeRange,
  type Rule,
  type Verdict,
} from "./verdicts.ts";

export const schemaRules: Readonly<Record<string, Rule>> = {
  type: (before, after, direction) => {
    const [oldValue, newValue] = [before ?? anyType, after ?? anyType] as [string[], string[]];
    const wordsOf = (types: string[]): string => (types === anyType ? "any" : types.join(" or "));
    const change = `is of type ${wordsOf(newValue)} now (it was ${wordsOf(oldValue)})`;
    const isTighter = !oldValue.every((type) => isPermitted(type, newValue));
    if (isTighter && !newValue.every((type) => isPermitted(type, oldValue)))
      return breaking(`${change}. Change your program.`);
    return judgeRange(isTighter, direction, change);
  },
  values: (before, after, direction) =>
    judgeValues(before as ValueSet | undefined, after as ValueSet | undefined, direction),
  requiredNames: (before, after, direction) => {
    const [oldValue, newValue] = [before, after] as [string[], string[]];
    const isTighter = newValue.some((name) => !oldValue.includes(name));
    return judgeRange(isTighter, direction, `requires ${codeList(newValue) || "no other field"} now`);
  },
  requiredOneOf: (before, after, direction) => {
    const [oldValue, newValue] = [before ?? [[]], after ?? [[]]] as [string[][], string[][]];
    const areImplied = (sets: string[][], otherSets: string[][]): boolean =>
      sets.every((set) => otherSets.some((other) => other.every((name) => set.includes(name))));
    const isTighter = direction === "request" ? !areImplied(oldValue, newValue) : areImplied(newValue, oldValue);
    const alternatives = newValue.map((names) => names.map(inCode).join(" and ") || "nothing").join(", or ");
    return judgeRange(isTighter, direction, `needs ${alternatives} now`);
  },
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
  discriminator: (before, after) => {
    const [oldValue, newValue] = [mappingOf(before), mappingOf(after)];
    const [propertyBefore, propertyAfter] = [before, after].map(
      (each) => (each as { propertyName?: string } | undefined)?.propertyName,
    );
    if (propertyBefore !== undefined && propertyAfter !== undefined && propertyBefore !== propertyAfter)
      return breaking(
        `tells its forms apart by ${inCode(propertyAfter)} now (it was ${inCode(propertyBefore)}). Generate your types anew.`,
      );
    const remappedValues = Object.keys(oldValue).filter(
      (value) => newValue[value] !== undefined && newValue[value] !== oldValue[value],
    );
    if (remappedValues.length === 0) return undefined;
    return breaking(
      `reads ${codeList(remappedValues)} as another schema now. Generate your types anew, and check what reads them.`,
    );
  },
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

function judgeValues(before: ValueSet | undefined, after: ValueSet | undefined, direction: Direction): Verdict {
  if (before === undefined || after === undefined) {
    const { isOpen, values } = (before ?? after) as ValueSet;
    const change = before === undefined ? `has the values ${codeList(values)} now` : "no longer lists its values";
    return isOpen ? additive(`${change}.`) : judgeRange(before === undefined, direction, change);
  }
  const removedValues = before.values.filter((value) => !after.values.includes(value));
  const addedValues = after.values.filter((value) => !before.values.includes(value));
  if (before.isOpen && !after.isOpen)
    return breaking(`has only the values ${codeList(after.values)} now; any other one was allowed.`);
  if (removedValues.length > 0) {
    const change = `no longer has the value ${codeList(removedValues)}${addedValues.length > 0 ? `, and can be ${codeList(addedValues)}` : ""}`;
    if (direction === "response" && !before.isOpen && addedValues.length === 0) return additive(`${change}.`);
    const remedy =
      direction === "request"
        ? "What is gone is refused: send another value"
        : "Code that waits for what is gone waits in vain";
    return breaking(`${change}. ${remedy}.`);
  }
  if (!before.isOpen && after.isOpen) return judgeRange(false, direction, "can have values that are not listed now");
  return after.isOpen
    ? additive(`can be ${codeList(addedValues)} as well.`)
    : judgeRange(false, direction, `can be ${codeList(addedValues)} as well`);
}

const mappingOf = (value: unknown): Record<string, string> =>
  (value as { mapping?: Record<string, string> } | undefined)?.mapping ?? {};

export const limitRule =
  (name: string): Rule =>
  (before, after, direction) => {
    const sign = limits[name] as number;
    const [oldValue, newValue] = [before ?? -sign * Infinity, after ?? -sign * Infinity].map(Number) as [
      number,
      number,
    ];
    const change =
      after === undefined
        ? `no longer has the ${name} ${before}`
        : `has ${name} ${after} now${before === undefined ? "" : ` (it was ${before})`}`;
    return judgeRange(Math.sign(newValue - oldValue) === sign, direction, change);
  };

/** Judges facts without a rule of their own. An added fact permits fewer values, a removed fact more; a changed fact is breaking. */
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

const anyType = ["array", "boolean", "null", "number", "object", "string"];
const isPermitted = (type: string, types: string[]): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));
