import { randomInt, randomUUID } from "node:crypto";
import { didYouMean } from "../../base/index.ts";
import { type Plan, type PlanWebhook, setMember } from "../../mock/plan/index.ts";
import { brokenRules } from "../../mock/request/index.ts";
import { ArgumentError } from "../kit/arguments.ts";
import { throwIfProblem } from "./members.ts";

type JsonObject = Record<string, unknown>;

export interface EventOptions {
  readonly example?: string | undefined;
  /** The members to set. A dot in a name separates levels, as in `currency.network`. */
  readonly members?: readonly (readonly [name: string, text: string])[];
  /** Whether to replace the value of one member by a value of a wrong type. */
  readonly isCorrupt?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly now?: number | undefined;
}

export interface SampleEvent {
  readonly body: string;
  /** Descriptions of deviations from the contract and of unknown members, without their values. */
  readonly notes: readonly string[];
}

export function findWebhook({ webhooks }: Pick<Plan, "webhooks">, name: string): PlanWebhook {
  const foundWebhook = webhooks.find((webhook) => webhook.name === name);
  if (foundWebhook !== undefined) return foundWebhook;
  const names = webhooks.map((webhook) => webhook.name);
  throw new ArgumentError(`There is no webhook ${name}.${didYouMean(name, names)} Webhooks: ${names.join(", ")}.`);
}

export function makeEvent(
  plan: Pick<Plan, "resources">,
  webhook: PlanWebhook,
  options: EventOptions = {},
): SampleEvent {
  const { name, examples, validator } = webhook;
  const { members = [], isCorrupt = false, now = Date.now(), example = Object.keys(examples)[0] ?? "" } = options;
  if (!Object.hasOwn(examples, example)) {
    const names = Object.keys(examples);
    const suggestion = didYouMean(example, names);
    throw new ArgumentError(`${name} has no example ${example}.${suggestion} Examples: ${names.join(", ")}.`);
  }
  const body = freshExample(examples[example] as JsonObject, plan.resources, { webhook, now });
  const allExamples = [examples[example], ...Object.values(examples)] as JsonObject[];
  const knownMembers = [...new Set(allExamples.flatMap(Object.keys))];
  const unknownMembers = members.filter(([member]) => !knownMembers.includes(member.split(".")[0] ?? ""));
  for (const [member, text] of members) {
    const values = allExamples.map((item) => valueAt(item, member)).filter((value) => value != null);
    throwIfProblem(setMember(body, member, text, typeof values[0] === "string" && text !== "null"));
  }
  const notes = unknownMembers.map(
    ([member]) => `No example has a member ${member}.${didYouMean(member, knownMembers)}`,
  );
  const errors = validator(body) ? [] : (validator.errors ?? []);
  for (const { path, rule } of brokenRules(errors)) {
    notes.push(`${path.length === 0 ? "The body" : path.join(".")} ${rule}`);
  }
  if (isCorrupt) {
    const invalidValue = {};
    const member = Object.keys(body).find((candidate) => !validator({ ...body, [candidate]: invalidValue }));
    if (member !== undefined) body[member] = invalidValue;
  }
  return { body: JSON.stringify(body), notes };
}

function valueAt(body: JsonObject, member: string): unknown {
  return member.split(".").reduce((value: unknown, name) => (value as JsonObject | null | undefined)?.[name], body);
}

/**
 * Shifts the times at the top level of the example so that the earliest is `now`. Replaces the identifier of the resource, but not that of
 * a user.
 */
function freshExample(
  example: JsonObject,
  resources: Plan["resources"],
  { webhook, now }: { webhook: PlanWebhook; now: number },
): JsonObject {
  const body = structuredClone(example);
  const isTime = (value: unknown): value is string =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
  const earliestTime = Math.min(...Object.values(body).filter(isTime).map(Date.parse));
  for (const [name, value] of Object.entries(body)) {
    if (isTime(value)) body[name] = new Date(Date.parse(value) + now - earliestTime).toISOString();
  }
  const id = resources[webhook.resource]?.id ?? "";
  const name = Object.keys(webhook.fields).find((field) => webhook.fields[field] === id) ?? id;
  if (typeof body[name] === "string" && id !== resources.user?.id) body[name] = newIdentifier(body[name]);
  return body;
}

/** A new UUID for a UUID; otherwise `id` with random digits in place of its last 8 characters. The checksum of a blockchain address is not recomputed. */
function newIdentifier(id: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return randomUUID();
  return `${id.slice(0, -8)}${Array.from({ length: 8 }, () => randomInt(2, 10)).join("")}`;
}
