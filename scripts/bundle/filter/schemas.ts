/** Takes what is proposed out of schemas: properties, items, branches, values of open sets, lifecycles. */
import { formOf, isRef, type JsonSchema, type Lifecycle } from "../../contract/index.ts";
import { type Draft, innerSchemas, note } from "./draft.ts";

/** Said of an object or list of which nothing is left. */
const fieldsNotShown = "Its fields are not shown.";
const elementsNotShown = "What an element holds is not shown.";

/**
 * Takes what is proposed out of the schemas and out of all schemas within. What is required and what is a condition
 * follows, once all properties are gone.
 *
 * @param schemas every schema that stands in the document itself; references are not followed.
 */
export function filterSchemas(draft: Draft, schemas: JsonSchema[]): void {
  const all = new Set<JsonSchema>();
  const visit = (schema: JsonSchema): void => {
    if (all.has(schema)) return;
    all.add(schema);
    filterApplicators(draft, schema);
    filterValues(draft, schema);
    for (const inner of innerSchemas(schema)) visit(inner);
  };
  for (const schema of schemas) visit(schema);
  for (const schema of all) filterRequirements(draft, schema);
}

function filterApplicators(draft: Draft, schema: JsonSchema): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const form = formOf(keyword);
    if (form === "one" && draft.isProposed(value)) removeKeyword(schema, keyword);
    if (form === "map") filterMap(draft, schema, keyword, value as Record<string, unknown>);
    if (form === "list") filterList(draft, schema, keyword, value as unknown[]);
  }
}

function removeKeyword(schema: JsonSchema, keyword: string): void {
  delete schema[keyword];
  // What depends on a condition that nobody knows is not known either.
  if (keyword === "if") for (const dependent of ["then", "else"]) delete schema[dependent];
  if (keyword === "items") say(schema, elementsNotShown);
}

function filterMap(draft: Draft, schema: JsonSchema, keyword: string, map: Record<string, unknown>): void {
  const names = Object.keys(map).filter((name) => draft.isProposed(map[name]));
  for (const name of names) {
    delete map[name];
    if (keyword === "properties") note(draft.removedProperties, schema, name);
  }
  if (names.length === 0 || Object.keys(map).length > 0) return;
  delete schema[keyword];
  if (keyword === "properties" && schema.allOf === undefined) say(schema, fieldsNotShown);
}

/** A choice that has lost all but null is none: the value can still be what was taken out. */
function filterList(draft: Draft, schema: JsonSchema, keyword: string, list: unknown[]): void {
  if (keyword === "prefixItems") {
    schema[keyword] = list.map((item) => (draft.isProposed(item) ? {} : item)) as JsonSchema[];
    return;
  }
  const removed = list.filter((branch) => draft.isProposed(branch));
  if (removed.length === 0) return;
  const kept = list.filter((branch) => !removed.includes(branch));
  const isChoice = keyword !== "allOf";
  if (kept.length === 0 || (isChoice && kept.every((branch) => (branch as JsonSchema).type === "null"))) {
    delete schema[keyword];
    delete schema.discriminator;
    return;
  }
  schema[keyword] = kept;
  for (const [name, target] of Object.entries(schema.discriminator?.mapping ?? {})) {
    if (removed.some((branch) => isRef(branch) && branch.$ref === target)) delete schema.discriminator?.mapping?.[name];
  }
}

function filterValues(draft: Draft, schema: JsonSchema): void {
  const values = schema["x-open-enum"] ?? {};
  for (const [value, { provenance }] of Object.entries(values)) {
    if (provenance !== "proposed") continue;
    delete values[value];
    note(draft.removedValues, schema, value);
  }
  if (schema["x-open-enum"] !== undefined && Object.keys(values).length === 0) delete schema["x-open-enum"];
  const lifecycle = schema["x-lifecycle"];
  if (lifecycle === undefined) return;
  const kept = filterLifecycle(lifecycle, Object.keys(values));
  if (kept === undefined) delete schema["x-lifecycle"];
  else schema["x-lifecycle"] = kept;
}

/** What is left of a lifecycle with the values that are left; undefined where it starts nowhere. */
function filterLifecycle(lifecycle: Lifecycle, values: string[]): Lifecycle | undefined {
  const known = (list: string[]) => list.filter((value) => values.includes(value));
  const transitions = Object.entries(lifecycle.transitions)
    .map(([from, to]) => [from, known(to)] as const)
    .filter(([from, to]) => values.includes(from) && to.length > 0);
  const initial = known(lifecycle.initial);
  if (lifecycle.provenance === "proposed" || initial.length === 0) return undefined;
  return { ...lifecycle, initial, final: known(lifecycle.final), transitions: Object.fromEntries(transitions) };
}

/** Requires nothing that is gone, or that nobody has stated to be required. */
function filterRequirements(draft: Draft, schema: JsonSchema): void {
  if (schema["x-required-provenance"] === "proposed") {
    delete schema.required;
    delete schema["x-required-provenance"];
  }
  const composed = draft.composed(schema);
  const removed = composed.flatMap((part) => [...(draft.removedProperties.get(part) ?? [])]);
  if (removed.length === 0) return;
  const described = draft.propertyNames(schema, { conditional: false });
  const gone = new Set(removed.filter((name) => !described.has(name)));
  for (const part of composed) {
    // Where a property is described a second time, under a condition, it has no mark of its own.
    for (const name of gone) delete part.properties?.[name];
    const condition = part.if as JsonSchema | undefined;
    const names = [...(condition?.required ?? []), ...Object.keys(condition?.properties ?? {})];
    if (names.some((name) => gone.has(name))) removeKeyword(part, "if");
    for (const [name, dependents] of Object.entries(part.dependentRequired ?? {})) {
      const kept = (dependents as string[]).filter((dependent) => !gone.has(dependent));
      if (gone.has(name) || kept.length === 0) delete (part.dependentRequired as object)[name as never];
      else Object.assign(part.dependentRequired as object, { [name]: kept });
    }
    const required = part.required?.filter((name) => !gone.has(name));
    if (required === undefined) continue;
    part.required = required;
    if (required.length > 0) continue;
    delete part.required;
    delete part["x-required-provenance"];
  }
}

/** Adds a sentence to the description of a schema. */
function say(schema: JsonSchema, sentence: string): void {
  const before = schema.description?.trim() ?? "";
  schema.description = before === "" ? sentence : `${before} ${sentence}`;
}
