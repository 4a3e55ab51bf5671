/** Members of a body on the command line: `amount=10.00`, or `currency.network=btc` for a nested member. */
import { ArgumentError, assertDistinct } from "../kit/arguments.ts";

export const memberOperands = "[member=value …]";

/** @throws {ArgumentError} when an operand is not like `amount=10.00`, or a member is given twice. */
export function parseMembers(operands: readonly string[]): readonly (readonly [name: string, text: string])[] {
  const members = operands.map((text) => {
    const equalsIndex = text.indexOf("=");
    if (equalsIndex <= 0) throw new ArgumentError(`${text}: give a member and its value, such as amount=10.00`);
    return [text.slice(0, equalsIndex), text.slice(equalsIndex + 1)] as const;
  });
  assertDistinct(members.map(([name]) => name));
  return members;
}

export function membersOf(body: object): string[] {
  return Object.entries(body).flatMap(([name, part]) =>
    hasMembers(part) ? membersOf(part).map((member) => `${name}.${member}`) : memberText(name, part),
  );
}

function hasMembers(part: unknown): part is object {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

export function memberText(name: string, value: unknown): string {
  return `${name}=${valueText(value)}`;
}

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Selects members, also nested ones. @param isSelected gets the whole name of a member, such as `currency.network`. */
export function selectMembers(
  body: object,
  isSelected: (name: string, value: unknown) => boolean,
  prefix = "",
): object {
  const members = Object.entries(body).flatMap(([name, part]): [name: string, value: unknown][] => {
    if (!hasMembers(part)) return isSelected(`${prefix}${name}`, part) ? [[name, part]] : [];
    const selectedPart = selectMembers(part, isSelected, `${prefix}${name}.`);
    return Object.keys(selectedPart).length === 0 ? [] : [[name, selectedPart]];
  });
  return Object.fromEntries(members);
}

export function throwIfProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new ArgumentError(problem);
}
