/** Members of a body on the command line: `amount=10.00`, or `currency.network=btc` for a nested one. */
import { ArgumentError } from "../kit/arguments.ts";

/** Placeholder for body members in the usage of a command. */
export const memberOperands = "[member=value …]";

/** The name and the text of a member. @throws {ArgumentError} when it is not written as `member=value`. */
export function readMember(text: string): [name: string, text: string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new ArgumentError(`${text}: give a member and its value, such as amount=10.00`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The members of a body as {@link readMember} takes them, without the braces of nested objects. */
export function membersOf(body: object): string[] {
  return Object.entries(body).flatMap(([name, part]) => {
    if (typeof part === "object" && part !== null && !Array.isArray(part)) {
      return membersOf(part).map((member) => `${name}.${member}`);
    }
    return `${name}=${typeof part === "string" ? part : JSON.stringify(part)}`;
  });
}

/** @throws {ArgumentError} when a member cannot be set. */
export function assertSet(problem: string | undefined): void {
  if (problem !== undefined) throw new ArgumentError(problem);
}
