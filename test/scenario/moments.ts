/** The steps of the timeline with the bodies that they show. */
import type { Examples, Facts, Step } from "./facts.ts";

/** A step with everything that it shows. */
export interface Moment extends Step {
  /** How problems name it: `timeline 12 (createOrder)`. */
  label: string;
  /** What is sent to the service. */
  sent: unknown;
  /** What the service answers, or sends in a webhook. */
  received: unknown;
}

/** The moments of the scenario, in order. A name that no example has shows nothing: `coverage` reports it. */
export function momentsOf({ scenario, operations, webhooks }: Facts): Moment[] {
  return scenario.timeline.map((step, index) => {
    const { operation: id, webhook: name, event, request, status, example } = step;
    const operation = operations[id ?? ""];
    const events = webhooks[name ?? ""]?.events ?? {};
    const answers = operation?.answers[String(status)] ?? {};
    const named = (examples: Examples, key: string | undefined) => (key === undefined ? undefined : examples[key]);
    return {
      ...step,
      label: `timeline ${index + 1} (${id ?? name ?? event})`,
      sent: id === undefined ? undefined : (step.body ?? named(operation?.requests ?? {}, request)),
      received: id === undefined ? (step.body ?? named(events, example)) : (step.answer ?? named(answers, example)),
    };
  });
}

/** A field of an object; undefined for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Every scalar within a value, as text. */
export function textsOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [String(value)];
}

/** Every object within a value, itself included. */
export function objectsOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsOf);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}
