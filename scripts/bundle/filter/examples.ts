/** Takes out of examples what their schemas do not describe any more. */
import { type ExampleObject, isRef, type JsonSchema } from "../../contract/index.ts";
import { type Draft, innerSchemas } from "./draft.ts";
import { partsOf } from "./parts.ts";

/** A value without what is gone; undefined when it holds a value that was taken out of an open set. */
type Pruned = { value: unknown } | undefined;

interface Holder {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, unknown>;
}

/**
 * Takes proposed examples out, then values of properties that are gone, with objects and lists of which nothing is left.
 * An example that holds a value taken out of an open set, or of which nothing is left, goes as a whole. Where an open set
 * has lost all values, the field goes alone.
 */
export function filterExamples(draft: Draft): void {
  const { parameters, mediaTypes, schemas } = partsOf(draft.document);
  for (const holder of [...parameters, ...mediaTypes] as Holder[]) {
    filterNamed(draft, holder);
    filterValue(draft, holder as Record<string, unknown>, "example", holder.schema);
  }
  const seen = new Set<object>();
  for (const schema of schemas) filterOfSchema(draft, schema, seen);
}

function filterNamed(draft: Draft, holder: Holder): void {
  const { schema, examples } = holder;
  if (examples === undefined) return;
  for (const [name, entry] of Object.entries(examples)) {
    const example = draft.target<ExampleObject>(entry);
    const pruned = draft.isProposed(entry) ? undefined : prune(draft, example?.value, schema);
    if (pruned === undefined) delete examples[name];
    else if (pruned.value === example?.value) continue;
    // An example of several operations loses here only what this one does not describe.
    else examples[name] = { ...(isRef(entry) ? example : (entry as object)), value: pruned.value };
  }
  if (Object.keys(examples).length === 0) delete holder.examples;
}

/** `examples`, `example` and `default` of a schema and of all schemas within. */
function filterOfSchema(draft: Draft, schema: JsonSchema, seen: Set<object>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const key of ["example", "default"]) filterValue(draft, schema, key, schema);
  if (Array.isArray(schema.examples)) {
    const pruned = schema.examples.map((value) => prune(draft, value, schema));
    schema.examples = pruned.flatMap((entry) => (entry === undefined ? [] : [entry.value])) as typeof schema.examples;
    if (schema.examples?.length === 0) delete schema.examples;
  }
  for (const inner of innerSchemas(schema)) filterOfSchema(draft, inner, seen);
}

function filterValue(draft: Draft, holder: Record<string, unknown>, key: string, schema: JsonSchema | undefined): void {
  if (holder[key] === undefined) return;
  const pruned = prune(draft, holder[key], schema);
  if (pruned === undefined) delete holder[key];
  else holder[key] = pruned.value;
}

function prune(draft: Draft, value: unknown, schema: JsonSchema | undefined): Pruned {
  const pruned = pruneValue(draft, value, schema === undefined ? [] : [schema]);
  return pruned !== undefined && isEmptied(value, pruned.value) ? undefined : pruned;
}

/** Whether an object or list held something before and holds nothing any more. */
function isEmptied(before: unknown, after: unknown): boolean {
  return isEmpty(after) && !isEmpty(before);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** @param schemas all schemas that judge the value. */
function pruneValue(draft: Draft, value: unknown, schemas: unknown[]): Pruned {
  const nodes = [...new Set(schemas.flatMap((schema) => draft.composed(schema)))];
  if (Array.isArray(value)) return pruneList(draft, value, nodes);
  if (typeof value === "object" && value !== null) return pruneObject(draft, value, nodes);
  const isRemoved = nodes.some((node) => draft.removedValues.get(node)?.has(String(value)));
  const isKnown = nodes.some((node) => node["x-open-enum"]?.[String(value)] !== undefined);
  return isRemoved && !isKnown ? undefined : { value };
}

function pruneList(draft: Draft, list: unknown[], nodes: JsonSchema[]): Pruned {
  const kept: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const judging = nodes.flatMap(({ items, prefixItems }) => [
      (prefixItems as unknown[] | undefined)?.[index] ?? items,
    ]);
    const described = judging.filter((schema) => schema !== undefined);
    if (described.length === 0) continue;
    const pruned = pruneValue(draft, item, described);
    if (pruned === undefined) return undefined;
    if (!isEmptied(item, pruned.value)) kept.push(pruned.value);
  }
  return { value: isSame(kept, list) ? list : kept };
}

function pruneObject(draft: Draft, object: object, nodes: JsonSchema[]): Pruned {
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(object)) {
    const described = nodes.flatMap((node) => schemasOfKey(node, key));
    if (described.length === 0) continue;
    const pruned = pruneValue(draft, item, described);
    const saysNothing = pruned === undefined ? isLostSet(draft, described) : isEmptied(item, pruned.value);
    if (saysNothing && !nodes.some(({ required }) => required?.includes(key))) continue;
    if (pruned === undefined) return undefined;
    kept[key] = pruned.value;
  }
  return { value: isSame(kept, object) ? object : kept };
}

/** Whether a set has lost all of its values: nobody knows what stands there, which says nothing against the rest. */
function isLostSet(draft: Draft, schemas: unknown[]): boolean {
  const nodes = schemas.flatMap((schema) => draft.composed(schema));
  return (
    nodes.some((node) => draft.removedValues.has(node)) && nodes.every((node) => node["x-open-enum"] === undefined)
  );
}

/** What a schema says of a property: under its name, by a pattern, or of all others. */
function schemasOfKey(schema: JsonSchema, key: string): unknown[] {
  const own = (schema.properties as Record<string, unknown> | undefined)?.[key];
  if (own !== undefined) return [own];
  const patterns = Object.entries((schema.patternProperties ?? {}) as object).filter(([pattern]) => {
    return new RegExp(pattern, "u").test(key);
  });
  if (patterns.length > 0) return patterns.map(([, inner]) => inner);
  const others = schema.additionalProperties ?? schema.unevaluatedProperties;
  return others === undefined || others === false ? [] : [others];
}

function isSame(a: object, b: object): boolean {
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key) => a[key as never] === b[key as never]);
}
