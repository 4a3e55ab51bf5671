import { didYouMean } from "../../base/index.ts";
import { ControlError } from "./error.ts";
import { earliestTime, latestTime, toMilliseconds } from "./time.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function readObject(value: unknown, name: string, allowedMembers?: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ControlError(`${name} must be an object${allowedMembers ? ` with ${allowedMembers.join(", ")}` : ""}.`);
  }
  const unknownMember = Object.keys(value).find(
    (member) => allowedMembers !== undefined && !allowedMembers.includes(member),
  );
  if (unknownMember !== undefined)
    throw new ControlError(unknownMemberMessage(name, unknownMember, allowedMembers ?? []));
  return value as Fields;
}

export function unknownMemberMessage(name: string, member: unknown, allowedMembers: readonly string[]): string {
  const verb = /^The .*s$/.test(name) ? "have" : "has";
  const possibleMembers = allowedMembers.length === 0 ? "" : ` Possible are ${allowedMembers.join(", ")}.`;
  return `${name} ${verb} no ${JSON.stringify(member)}.${didYouMean(String(member), allowedMembers)}${possibleMembers}`;
}

export function assertList(value: unknown, name: string, check: (item: unknown, name: string) => unknown): void {
  if (!Array.isArray(value)) throw new ControlError(`${name} must be a list.`);
  for (const [index, item] of value.entries()) check(item, `${name}.${index}`);
}

export function readText(value: unknown, name: string): string {
  if (typeof value !== "string" || value === "") throw new ControlError(`${name} must be a text that is not empty.`);
  return value;
}

export function assertBoolean(value: unknown, name: string): void {
  if (typeof value !== "boolean") throw new ControlError(`${name} must be true or false.`);
}

export function assertFunction(value: unknown, name: string): void {
  if (typeof value !== "function") throw new ControlError(`${name} must be a function.`);
}

/** @returns milliseconds since 1970. @throws {ControlError} when the value is malformed or out of range. */
export function readTime(value: unknown, name: string): number {
  const isText =
    typeof value === "string" && /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(value);
  const date = isText ? value.slice(0, 10) : "";
  const day = Date.parse(date);
  // V8 turns 31 April into 1 May instead of rejecting it.
  if (!Number.isNaN(day) && !new Date(day).toISOString().startsWith(date)) {
    throw new ControlError(`${name}: there is no ${date}.`);
  }
  const time = value instanceof Date ? value.getTime() : isText ? Date.parse(value) : value;
  if (typeof time === "number" && time >= earliestTime && time <= latestTime) return Math.round(time);
  throw new ControlError(
    `${name} must be a time between 1970 and 9999 such as "2026-04-01T09:00:00Z", or milliseconds since 1970.`,
  );
}

export function readDuration(value: unknown, name: string): number {
  try {
    return toMilliseconds(value as string | number);
  } catch (error) {
    throw new ControlError(`${name}: ${(error as Error).message}`);
  }
}
