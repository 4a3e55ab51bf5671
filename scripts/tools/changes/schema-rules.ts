import type { Direction, ValueSet } from "./element.ts";
import { isPermitted } from "./forms.ts";
import { additive, breaking, codeList, inCode, judgeRange, type Rules, type Verdict } from "./verdicts.ts";

export const schemaRules = {
  type: (before = allTypes, after = allTypes, direction) => {
    const wordsOf = (types: readonly string[]): string => (types === allTypes ? "any" : types.join(" or "));
    const change = `is of type ${wordsOf(after)} now (it was ${wordsOf(before)})`;
    const isTighter = !before.every((type) => isPermitted(type, after));
    if (isTighter && !after.every((type) => isPermitted(type, before)))
      return breaking(`${change}. Change your program.`);
    return judgeRange(isTighter, direction, change);
  },
  values: judgeValues,
  requiredNames: (before = [], after = [], direction) => {
    const isTighter = after.some((name) => !before.includes(name));
    return judgeRange(isTighter, direction, `requires ${codeList(after) || "no other field"} now`);
  },
  requiredOneOf: (before = [[]], after = [[]], direction) => {
    const areImplied = (sets: typeof before, otherSets: typeof before): boolean =>
      sets.every((set) => otherSets.some((other) => other.every((name) => set.includes(name))));
    const isTighter = direction === "request" ? !areImplied(before, after) : areImplied(after, before);
    const alternatives = after.map((names) => names.map(inCode).join(" and ") || "nothing").join(", or ");
    return judgeRange(isTighter, direction, `needs ${alternatives} now`);
  },
  discriminator: (before, after) => {
    if (before === undefined || after === undefined) return undefined;
    if (before.propertyName !== after.propertyName)
      return breaking(
        `tells its forms apart by ${inCode(after.propertyName)} now (it was ${inCode(before.propertyName)}). Generate your types anew.`,
      );
    const remappedValues = Object.entries(before.mapping ?? {}).flatMap(([value, schema]) =>
      [undefined, schema].includes(after.mapping?.[value]) ? [] : [value],
    );
    if (remappedValues.length === 0) return undefined;
    return breaking(
      `reads ${codeList(remappedValues)} as another schema now. Generate your types anew, and check what reads them.`,
    );
  },
} satisfies Partial<Rules>;

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

const allTypes: readonly string[] = ["array", "boolean", "null", "number", "object", "string"];
