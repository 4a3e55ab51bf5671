/** Walks JSON Schemas (2020-12): the list of keywords that contain schemas, and the walker over them. */
import type { Provenance } from "./document.ts";
import { markOn, weakest } from "./provenance.ts";
import type { SourceLocation } from "./source-location.ts";

/** What a subschema applies to: the same value, a part of it, or a condition, which only selects other schemas. */
export type Role = "same" | "part" | "condition";

/** Every keyword that contains schemas (JSON Schema 2020-12 core, section 10): its form, and the role of the schemas. */
const applicators: Record<string, { form: "one" | "list" | "map"; role: Role }> = {
  allOf: { form: "list", role: "same" },
  anyOf: { form: "list", role: "same" },
  oneOf: { form: "list", role: "same" },
  dependentSchemas: { form: "map", role: "same" },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { form: "one", role: "same" },
  else: { form: "one", role: "same" },
  prefixItems: { form: "list", role: "part" },
  properties: { form: "map", role: "part" },
  patternProperties: { form: "map", role: "part" },
  items: { form: "one", role: "part" },
  additionalProperties: { form: "one", role: "part" },
  unevaluatedItems: { form: "one", role: "part" },
  unevaluatedProperties: { form: "one", role: "part" },
  propertyNames: { form: "one", role: "part" },
  not: { form: "one", role: "condition" },
  if: { form: "one", role: "condition" },
  contains: { form: "one", role: "condition" },
  $defs: { form: "map", role: "condition" },
};

/** A direct subschema. */
export interface Subschema {
  schema: SourceLocation;
  keyword: string;
  role: Role;
  /** The property name, for `properties` only. */
  property: string | undefined;
}

/** Whether a keyword contains schemas. */
export function isApplicator(keyword: string): boolean {
  return Object.hasOwn(applicators, keyword);
}

/** The form in which a keyword contains schemas; undefined for any other keyword. */
export function formOf(keyword: string): "one" | "list" | "map" | undefined {
  return isApplicator(keyword) ? applicators[keyword]?.form : undefined;
}

/** The direct subschemas; references are not followed. `true` and `false` are left out. */
export function subschemasOf(schema: SourceLocation): Subschema[] {
  const { value } = schema;
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((keyword) => {
    if (!isApplicator(keyword)) return [];
    return subschemasUnder(schema, keyword).filter(({ schema: { value: inner } }) => isSchemaObject(inner));
  });
}

/** The subschemas under a keyword, `true` and `false` included. */
export function subschemasUnder(schema: SourceLocation, keyword: string): Subschema[] {
  const applicator = applicators[keyword];
  const holder = schema.own(keyword);
  if (applicator === undefined || !holder.exists) return [];
  const { form, role } = applicator;
  if (form === "one") return [{ schema: holder, keyword, role, property: undefined }];
  if (form === "list") return holder.items().map((item) => ({ schema: item, keyword, role, property: undefined }));
  return holder.entries().map(([name, item]) => {
    return { schema: item, keyword, role, property: keyword === "properties" ? name : undefined };
  });
}

/** The subschemas that apply to the same value, except those behind a reference. */
export function branchesOf(schema: SourceLocation): SourceLocation[] {
  return subschemasOf(schema)
    .filter(({ role }) => role === "same")
    .map((branch) => branch.schema);
}

/** The context of a visited schema. */
export interface Visit {
  /** The property names from the root; empty for the whole value and its items. */
  path: string[];
  /** The enclosing schemas and references from the root, outermost first. */
  way: SourceLocation[];
  /** The effective provenance of the enclosing element, and of the schema itself: the same, or weaker. */
  enclosing: Provenance;
  provenance: Provenance;
  /** The name of the property, and the keyword that contains the schema; undefined behind a reference. */
  property: string | undefined;
  keyword: string | undefined;
}

/**
 * Visits a schema and every schema below it, each once under each path of properties. A recursive schema is visited once on each path.
 *
 * @param visit may return `false` to skip the schema's subschemas.
 * @param options.follow whether references are followed. Default: true.
 * @param options.conditions whether the schemas of `if`, `not`, `contains` and `$defs` are visited. Default: true.
 * @param options.enclosing the effective provenance of the enclosing element. Default: the strongest.
 */
export function walkSchema(
  schema: SourceLocation,
  // biome-ignore lint/suspicious/noConfusingVoidType: most visitors return nothing
  visit: (schema: SourceLocation, visit: Visit) => void | false,
  options: { follow?: boolean; conditions?: boolean; enclosing?: Provenance } = {},
): void {
  const { follow = true, conditions = true, enclosing: outermost = "specification" } = options;
  const walk = (location: SourceLocation, above: Set<string>, visited: Omit<Visit, "provenance">): void => {
    if (!isSchemaObject(location.value) || above.has(location.id)) return;
    const { path, way, enclosing } = visited;
    const provenance = weakest(enclosing, markOn(location));
    if (visit(location, { ...visited, provenance }) === false) return;
    const within = new Set(above).add(location.id);
    const below = { path, way: [...way, location], enclosing: provenance, property: undefined, keyword: undefined };
    if (follow && location.target.id !== location.id) walk(location.target, within, below);
    for (const { schema: inner, role, property, keyword } of subschemasOf(location)) {
      if (role === "condition" && !conditions) continue;
      walk(inner, within, { ...below, path: property === undefined ? path : [...path, property], property, keyword });
    }
  };
  const start = { path: [], way: [], enclosing: outermost, property: undefined, keyword: undefined };
  walk(schema, new Set(), start);
}

/**
 * The properties of an object schema: its own, and those of its branches and references. Where several define the same property, the first
 * is used.
 */
export function propertiesOf(schema: SourceLocation): Map<string, SourceLocation> {
  const found = new Map<string, SourceLocation>();
  const collect = (location: SourceLocation, above: Set<string>): void => {
    if (above.has(location.id)) return;
    const within = new Set(above).add(location.id);
    for (const [name, property] of location.own("properties").entries())
      if (!found.has(name)) found.set(name, property);
    if (location.target.id !== location.id) collect(location.target, within);
    for (const branch of branchesOf(location)) collect(branch, within);
  };
  collect(schema, new Set());
  return found;
}

function isSchemaObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
