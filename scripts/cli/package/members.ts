/** Members of a body on the command line: `amount=10.00`, or `currency.network=btc` for a nested member. */
import { ArgumentError } from "../kit/arguments.ts";

export const memberOperands = "[member=value …]";

export function parseMember(text: string): [name: string, text: string] {
  const equalsIndex = text.indexOf("=");
  if (equalsIndex <= 0) throw new ArgumentError(`${text}: give a member and its value, such as amount=10.00`);
  return [text.slice(0, equalsIndex), text.slice(equalsIndex + 1)];
}

export function membersOf(body: object): string[] {
  return Object.entries(body).flatMap(([name, part]) => {
    if (typeof part === "object" && part !== null && !Array.isArray(part)) {
      return membersOf(part).map((member) => `${name}.${member}`);
    }
    return `${name}=${typeof part === "string" ? part : JSON.stringify(part)}`;
  });
}

export function throwIfProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new ArgumentError(problem);
}
