/** The steps of the timeline with the bodies that they show, and what the checks have in common. */
import { parseExpression } from "../../scripts/contract/index.ts";
import type { Examples, Facts, Step } from "./facts.ts";

/** A step with everything that it shows. */
export interface Moment extends Step {
  /** How problems name it: `timeline 12 (createOrder)`. */
  label: string;
  /** What is sent to the service. */
  sent: unknown;
  /** What the service answers, or sends in a webhook. */
  received: unknown;
  /** The parameters that are given, and the examples of those that are not. */
  parameters: Record<string, unknown>;
}

/** The moments of the story, in order. A name that no example has shows nothing: `coverage` reports it. */
export function momentsOf({ scenario, operations, webhooks }: Facts): Moment[] {
  return scenario.timeline.map((step, index) => {
    const { operation: id, webhook: name, happens, request, status, example } = step;
    const operation = operations[id ?? ""];
    const events = webhooks[name ?? ""]?.events ?? {};
    const answers = operation?.answers[String(status)] ?? {};
    const named = (examples: Examples, key: string | undefined) => (key === undefined ? undefined : examples[key]);
    return {
      ...step,
      label: `timeline ${index + 1} (${id ?? name ?? happens})`,
      sent: id === undefined ? undefined : (step.body ?? named(operation?.requests ?? {}, request)),
      received: id === undefined ? (step.body ?? named(events, example)) : (step.answer ?? named(answers, example)),
      parameters: { ...operation?.parameters, ...step.path, ...step.query },
    };
  });
}

/** What a runtime expression refers to in a moment. */
export function valueAt(moment: Moment, expression: string): unknown {
  const parsed = parseExpression(expression);
  if (parsed === undefined) return undefined;
  const { of, name } = parsed;
  if (of === "path" || of === "query") return moment.parameters[name];
  return fieldOf(of === "request" ? moment.sent : moment.received, name);
}

/** A field of an object; undefined for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A scalar within a value: the key that it stands under, and the keys on the way. */
export interface Leaf {
  key: string;
  path: string;
  value: unknown;
}

/** Every scalar within a value. Items of a list stand under the key of the list. */
export function leavesOf(value: unknown, key = "", path = ""): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ key, path, value }];
  return Object.entries(value).flatMap(([name, inner]) => {
    return leavesOf(inner, Array.isArray(value) ? key : name, `${path}/${name}`);
  });
}

/** Every object within a value, itself included. */
export function objectsOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsOf);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

/** The value of the identifier of a user: `externalUserId`, `sourceExternalUserId`… */
export function isUserKey(key: string): boolean {
  return /^(externalUserId|\w+ExternalUserId)$/.test(key);
}

/** Whether a step shows a success: an operation with a 2xx status. */
export function isSuccess({ status }: Step): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
