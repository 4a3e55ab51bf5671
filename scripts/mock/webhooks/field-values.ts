/** Reads the values of fields from texts, by what the contract says of the field. */
import { randomUUID } from "node:crypto";
import type { PlanWebhook } from "../plan/plan.ts";

/** The body of an event. */
export type Json = Record<string, unknown>;

export interface Typed {
  readonly field: string;
  readonly value: unknown;
  /** A number with the digits that were given, which a JavaScript number may not hold. */
  readonly digits: string | undefined;
}

const numberForm = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Reads a value: as JSON, or as the text that it is, whichever the contract allows. Where it allows both, the
 * value has the type that it has in the example. `null` is null in any case: the text of that name has to be quoted.
 */
export function readValue(
  field: string,
  text: string,
  { webhook, example }: { webhook: PlanWebhook; example: Json },
): Typed {
  if (text === "null") return { field, value: null, digits: undefined };
  const readings = [...parsed(text), text];
  const shown = [example, ...(Object.values(webhook.examples) as Json[])]
    .map((candidate) => fieldOf(candidate, field))
    .find((value) => value !== undefined && value !== null);
  const isLike = (value: unknown) => typeof value === typeof shown;
  const ordered = [...readings.filter(isLike), ...readings.filter((value) => !isLike(value))];
  const allowed = ordered.find((value) => isAllowed(webhook, example, field, value));
  const value = allowed === undefined ? ordered[0] : allowed;
  return { field, value, digits: typeof value === "number" && numberForm.test(text) ? text : undefined };
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function isAllowed({ validator }: PlanWebhook, example: Json, field: string, value: unknown): boolean {
  const body = structuredClone(example);
  try {
    setField(body, field, value);
  } catch {
    return false;
  }
  return validator(body);
}

/** The value of a field; a point leads into an object. */
export function fieldOf(body: Json, field: string): unknown {
  let value: unknown = body;
  for (const name of field.split(".")) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/**
 * Sets a field; a point leads into an object, which is made where there is none.
 *
 * @throws {RangeError} when something else is there already, or a name cannot be that of a field.
 */
export function setField(body: Json, field: string, value: unknown): void {
  const names = field.split(".");
  if (names.some((name) => name === "" || name === "__proto__"))
    throw new RangeError(`${field} is no name of a field.`);
  const last = names.pop() as string;
  let inner = body;
  for (const name of names) {
    const next: unknown = (Object.hasOwn(inner, name) ? inner[name] : undefined) ?? {};
    if (!isObject(next)) throw new RangeError(`${field} cannot be set: ${name} is no object.`);
    inner[name] = next;
    inner = next;
  }
  inner[last] = value;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The body as JSON, with the digits that were given. */
export function toText(body: Json, typed: readonly Typed[]): string {
  const copy = structuredClone(body);
  const mark = randomUUID();
  for (const { field, value, digits } of typed) {
    // A later value, or a corruption, may have taken its place.
    if (digits !== undefined && fieldOf(copy, field) === value) setField(copy, field, `${mark} ${digits}`);
  }
  return JSON.stringify(copy).replaceAll(new RegExp(`"${mark} ([^"]*)"`, "g"), "$1");
}
