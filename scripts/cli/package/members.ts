/** Members of a body, as a command line gives them: `amount=10.00`, or `currency.network=btc` for one of an object. */
import { readJson } from "../../mock/request/body.ts";
import { ArgumentError } from "../kit/arguments.ts";

type Body = Record<string, unknown>;

/** The name and the text of a member. @throws {ArgumentError} when it is not written as `member=value`. */
export function readMember(text: string): [name: string, text: string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new ArgumentError(`${text}: give a member and its value, such as amount=10.00`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Sets a member; a point leads into an object, which is made where there is none.
 *
 * @param isText whether the text is the value; otherwise it is read as JSON, where it is some.
 * @throws {ArgumentError} when something else than an object is there already, or a name cannot be that of a member.
 */
export function setMember(body: Body, name: string, text: string, isText: boolean): void {
  const names = name.split(".");
  if (names.some((part) => part === "" || part === "__proto__")) {
    throw new ArgumentError(`${name} is not the name of a member.`);
  }
  const last = names.pop() as string;
  let inner = body;
  for (const part of names) {
    const next: unknown = (Object.hasOwn(inner, part) ? inner[part] : undefined) ?? {};
    if (typeof next !== "object" || Array.isArray(next)) {
      throw new ArgumentError(`${name} cannot be set: ${part} is not an object.`);
    }
    inner[part] = next;
    inner = next as Body;
  }
  const value = isText ? text : readJson(text).value;
  inner[last] = value === undefined ? text : value;
}
