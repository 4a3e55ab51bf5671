/** Makes the body of a single event from an example of its webhook: with a fresh identifier and time, and fields of one's own. */

import { randomUUID } from "node:crypto";
import { didYouMean, nearestName } from "../nearest-name.ts";
import type { Plan, PlanWebhook, SchemaError } from "../plan/plan.ts";
import { ruleOf } from "../request/violations.ts";

/** A mistake in what was asked for: what it is, and what is possible. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

export interface SingleEvent {
  /** The name of an example. Default: the first one. */
  readonly example?: string | undefined;
  /** Values as texts by their field; a point leads into an object: `currency.network`. */
  readonly set?: readonly (readonly [field: string, text: string])[];
  /** Whether a value of another type than that of the contract is put in. */
  readonly isCorrupt?: boolean | undefined;
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number | undefined;
  readonly uuid?: (() => string) | undefined;
}

export interface MadeEvent {
  /** The JSON body. */
  readonly body: string;
  /** Where it breaks the contract, without values. */
  readonly findings: readonly string[];
  /** What may be a mistake, such as a field that no example has. */
  readonly notes: readonly string[];
}

/**
 * The webhook of a name, however it is written: `sepaDeposit`, `sepa-deposit`, `SEPA Deposit`.
 *
 * @throws {WebhookError} naming the nearest one when there is none.
 */
export function findWebhook({ webhooks }: Pick<Plan, "webhooks">, name: string): PlanWebhook {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const found =
    webhooks.find((webhook) => webhook.name === name) ??
    webhooks.find((webhook) => plain(webhook.name) === plain(name));
  if (found !== undefined) return found;
  const names = webhooks.map((webhook) => webhook.name);
  throw new WebhookError(
    `There is no webhook ${name}.${didYouMean(plain(name), names)} Webhooks: ${names.join(", ")}.`,
  );
}

/**
 * Makes the body of an event.
 *
 * @throws {WebhookError} when there is no such example, a field cannot be set, or nothing in the body can be corrupted.
 */
export function makeEvent(plan: Pick<Plan, "resources">, webhook: PlanWebhook, event: SingleEvent = {}): MadeEvent {
  const { set = [], isCorrupt = false, now = Date.now(), uuid = randomUUID } = event;
  const example = exampleOf(webhook, event.example);
  const body = fresh(structuredClone(example), { now, uuid, ids: idsOf(plan, webhook) });
  const exact: Typed[] = [];
  for (const [field, text] of set) {
    const typed = readValue(field, text, { webhook, example });
    try {
      setField(body, field, typed.value);
    } catch (error) {
      throw new WebhookError((error as Error).message);
    }
    exact.push(typed);
  }
  const notes = [...set.flatMap(([field]) => noteOn(field, webhook)), ...noteOnState(body, webhook, plan)];
  const findings = webhook.validator(body) ? [] : findingsOf(webhook.validator.errors);
  if (isCorrupt) corrupt(body, webhook);
  return { body: toText(body, exact), findings, notes };
}

function exampleOf({ name, examples }: PlanWebhook, wanted: string | undefined): Json {
  const names = Object.keys(examples);
  const [first] = names;
  const chosen = wanted ?? first;
  if (chosen !== undefined && Object.hasOwn(examples, chosen)) return examples[chosen] as Json;
  const meant = didYouMean(wanted ?? "", names);
  throw new WebhookError(`${name} has no example ${wanted ?? ""}.${meant} Examples: ${names.join(", ")}.`);
}

/** The fields with the identifier of what the event tells of. The identifier of a user is none: users stay. */
function idsOf({ resources }: Pick<Plan, "resources">, { resource, fields }: PlanWebhook): Set<string> {
  const id = resources[resource]?.id;
  const [renamed] = Object.entries(fields).find(([, field]) => field === id) ?? [];
  return new Set([renamed ?? id].filter((name) => name !== undefined && name !== resources.user?.id) as string[]);
}

/** Another address. Its last digits are those that hexadecimal, base 58 and Bech32 have in common; no checksum holds. */
function another(address: string, uuid: string): string {
  const digits = [...uuid.slice(0, 8)].map((digit) => 2 + (Number.parseInt(digit, 16) % 8)).join("");
  return `${address.slice(0, -digits.length)}${digits}`;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Gives the event its own identifier, and moves its times so that the first of them is now. */
function fresh(body: Json, { now, uuid, ids }: { now: number; uuid: () => string; ids: Set<string> }): Json {
  const isTime = (value: unknown): value is string => typeof value === "string" && timeForm.test(value);
  const first = Math.min(...Object.values(body).filter(isTime).map(Date.parse));
  for (const [field, value] of Object.entries(body)) {
    if (ids.has(field) && typeof value === "string")
      body[field] = uuidForm.test(value) ? uuid() : another(value, uuid());
    if (isTime(value)) body[field] = new Date(Date.parse(value) + now - first).toISOString();
  }
  return body;
}

/** The contract leaves every event open for more fields, so that a mistyped name breaks nothing. */
function noteOn(field: string, { examples }: PlanWebhook): string[] {
  const known = Object.values(examples) as Json[];
  if (known.some((example) => fieldOf(example, field) !== undefined)) return [];
  const meant = nearestName(field, [...new Set(known.flatMap((example) => Object.keys(example)))]);
  return [`No example has a field ${field}${meant === undefined ? "" : `; did you mean ${meant}?`}`];
}

/** The contract lets every status be another text as well, so that a mistyped one breaks nothing. */
function noteOnState(
  body: Json,
  { state, resource, fields }: PlanWebhook,
  { resources }: Pick<Plan, "resources">,
): string[] {
  const moves = resources[resource]?.states[state];
  if (moves === undefined) return [];
  const [field] = Object.entries(fields).find(([, name]) => name === state) ?? [state];
  const value = body[field];
  const known = new Set(
    [moves.initial, ...Object.entries(moves.transitions).map(([from, to]) => [from, ...to])].flat(),
  );
  if (typeof value !== "string" || known.has(value)) return [];
  return [`${field} is none of the values that the contract knows: ${[...known].join(", ")}`];
}

/** Puts a value of another type into the first field where the contract notices it. */
function corrupt(body: Json, { name, validator }: PlanWebhook): void {
  const fields = Object.keys(body);
  // The status first: every receiver reads it.
  for (const field of [...fields.filter((candidate) => candidate === "status"), ...fields]) {
    for (const wrong of [{ broken: true }, 0, "broken"]) {
      if (validator({ ...body, [field]: wrong })) continue;
      body[field] = wrong;
      return;
    }
  }
  throw new WebhookError(`Nothing in the event ${name} can be corrupted so that it breaks the contract.`);
}

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

/** What Ajv adds about the parts of a choice, and says better of one of them. */
const ofChoices = ["oneOf", "anyOf", "allOf", "if"];

/**
 * One line for each place, without values.
 *
 * @param errors of a validator.
 */
export function findingsOf(errors: readonly SchemaError[] | null | undefined): string[] {
  const places = new Map<string, SchemaError[]>();
  for (const error of errors ?? []) {
    places.set(error.instancePath, [...(places.get(error.instancePath) ?? []), error]);
  }
  if (places.size === 0) return ["The body breaks the contract."];
  return [...places].map(([path, found]) => {
    const said = found.filter(({ keyword }) => !ofChoices.includes(keyword));
    const texts = new Set((said.length === 0 ? found : said).map(ruleOf));
    return `${path === "" ? "The body" : path.slice(1).replaceAll("/", ".")} ${[...texts].join(" or ")}`;
  });
}
