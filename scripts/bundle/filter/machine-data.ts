/** Takes out of links, conditions, effects, triggers and events what is proposed or refers to something that is gone. */
import type { JsonSchema, OperationObject, Provenance, Registers } from "../../contract/index.ts";
import type { Draft } from "./draft.ts";
import { fieldsOf, holds, type Known, knownOf } from "./known.ts";
import { filterLinks } from "./links.ts";
import { operationsOf } from "./parts.ts";

/** What the filter reads besides the document. */
export type FilterRegisters = Pick<Registers, "conditions" | "resources">;

/** Takes out what is proposed or refers to something that is gone, in operations and webhooks. */
export function filterMachineData(draft: Draft, registers: () => FilterRegisters): void {
  const { document } = draft;
  const operations = operationsOf(document.paths);
  const known = new Map(operations.map(([operation, item]) => [operation, knownOf(draft, operation, item)]));
  const byId = new Map([...known].map(([operation, names]) => [operation.operationId ?? "", names]));
  for (const [operation, names] of known) {
    filterLinks(draft, operation, names, byId);
    if (operation["x-requires"] !== undefined) filterConditions(operation, names, registers().conditions);
    if (operation["x-effects"] !== undefined) filterEffects(draft, operation, names, registers());
    filterTriggers(operation);
  }
  for (const [webhook] of operationsOf(document.webhooks)) filterWebhook(draft, webhook, registers);
}

/** A condition goes with its code, and with what it is about. */
function filterConditions(operation: OperationObject, known: Known, conditions: FilterRegisters["conditions"]): void {
  const kept = Object.entries(operation["x-requires"] ?? {}).flatMap(([condition, of]) => {
    const code = conditions[condition]?.code;
    const left = [of].flat().filter((expression) => holds(expression, known));
    if (left.length === 0 || (code !== undefined && !known.codes.has(code))) return [];
    return [[condition, left.length === 1 ? left[0] : left] as [string, string | string[]]];
  });
  if (kept.length === 0) delete operation["x-requires"];
  else operation["x-requires"] = Object.fromEntries(kept);
}

interface Effect {
  creates?: string;
  moves?: string;
  id?: string;
  state?: string;
  to?: string | string[];
  provenance?: Provenance;
}

function filterEffects(draft: Draft, operation: OperationObject, known: Known, registers: FilterRegisters): void {
  const effects = (operation["x-effects"] ?? []) as Effect[];
  const kept = effects.flatMap((effect): Effect[] => {
    if (effect.provenance === "proposed" || !holds(effect.id, known)) return [];
    if (effect.to === undefined) return [effect];
    const removed = removedValuesOf(draft, effect, registers);
    const [first, ...more] = [effect.to].flat().filter((value) => !removed.has(value));
    return first === undefined ? [] : [{ ...effect, to: more.length === 0 ? first : [first, ...more] }];
  });
  if (kept.length === 0) delete operation["x-effects"];
  else operation["x-effects"] = kept;
}

function filterTriggers(operation: OperationObject): void {
  const kept = operation["x-triggers"]?.filter((entry) => {
    return typeof entry === "string" || entry.provenance !== "proposed";
  });
  if (kept === undefined || kept.length === 0) delete operation["x-triggers"];
  else operation["x-triggers"] = kept;
}

/** The values that were taken out of the status of a resource. */
function removedValuesOf(
  draft: Draft,
  named: Effect & { resource?: string },
  { resources }: FilterRegisters,
): Set<string> {
  const name = named.creates ?? named.moves ?? named.resource;
  const states = resources.find((resource) => resource.name === name)?.states ?? [];
  const state = states.find((candidate) => named.state === undefined || candidate.name === named.state);
  const file = typeof state?.place.value === "string" ? state.place.value : "";
  const component = /([^/]+)\.yaml$/.exec(file)?.[1] ?? "";
  const schema = draft.document.components?.schemas?.[component] as JsonSchema | undefined;
  return (schema === undefined ? undefined : draft.removedValues.get(schema)) ?? new Set();
}

interface Event {
  resource?: string;
  state?: string;
  after?: string[];
  body?: Record<string, string>;
  provenance?: Provenance;
}

function filterWebhook(draft: Draft, webhook: OperationObject, registers: () => FilterRegisters): void {
  const fields = fieldsOf(draft, [webhook.requestBody]);
  if (webhook["x-webhook-path"]?.provenance === "proposed") delete webhook["x-webhook-path"];
  if (webhook["x-dedupe-key"]?.some((field) => !fields.has(field))) delete webhook["x-dedupe-key"];
  const event = webhook["x-event"] as Event | undefined;
  if (event === undefined) return;
  if (event.provenance === "proposed" || !filterEvent(event, fields, removedValuesOf(draft, event, registers()))) {
    delete webhook["x-event"];
  }
}

/** Takes removed values and fields out of an event; returns whether it is still sent after anything. */
function filterEvent(event: Event, fields: Set<string>, removed: Set<string>): boolean {
  if (event.after !== undefined) event.after = event.after.filter((value) => !removed.has(value));
  for (const field of Object.keys(event.body ?? {})) if (!fields.has(field)) delete event.body?.[field];
  if (event.body !== undefined && Object.keys(event.body).length === 0) delete event.body;
  return event.after?.length !== 0;
}
