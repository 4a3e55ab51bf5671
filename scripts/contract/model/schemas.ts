import type { Provenance } from "./document.ts";
import { markOn, weakestProvenance } from "./provenance.ts";
import { isMap, type SourceLocation } from "./source-location.ts";

/** `in-place`: the subschema describes the same value. `child`: a member or item. `condition`: under `if`, `not`, `contains` or `$defs`. */
export type Role = "in-place" | "child" | "condition";

/** The keywords that combine schemas of the same value. */
export const compositions = ["allOf", "anyOf", "oneOf"] as const;

/** The keywords of JSON Schema 2020-12 core that contain schemas (sections 8, 10 and 11). */
const applicators: Record<string, { form: "one" | "list" | "map"; role: Role }> = {
  ...Object.fromEntries(compositions.map((keyword) => [keyword, { form: "list", role: "in-place" }] as const)),
  dependentSchemas: { form: "map", role: "in-place" },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { form: "one", role: "in-place" },
  else: { form: "one", role: "in-place" },
  prefixItems: { form: "list", role: "child" },
  properties: { form: "map", role: "child" },
  patternProperties: { form: "map", role: "child" },
  items: { form: "one", role: "child" },
  additionalProperties: { form: "one", role: "child" },
  unevaluatedItems: { form: "one", role: "child" },
  unevaluatedProperties: { form: "one", role: "child" },
  propertyNames: { form: "one", role: "child" },
  not: { form: "one", role: "condition" },
  if: { form: "one", role: "condition" },
  contains: { form: "one", role: "condition" },
  $defs: { form: "map", role: "condition" },
};

/** Keywords without effect on validity. */
const annotations = [
  ...["$comment", "title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"],
];

export function isAnnotation(keyword: string): boolean {
  return annotations.includes(keyword) || keyword.startsWith("x-");
}

export interface Subschema {
  schema: SourceLocation;
  keyword: string;
  role: Role;
  property: string | undefined;
}

export function isApplicator(keyword: string): boolean {
  return Object.hasOwn(applicators, keyword);
}

/** Whether the keyword contains one schema, a list or a map of schemas. */
export function arityOf(keyword: string): "one" | "list" | "map" | undefined {
  return isApplicator(keyword) ? applicators[keyword]?.form : undefined;
}

/** The direct subschemas, except `true` and `false`. Does not follow references. */
export function subschemasOf(schema: SourceLocation): Subschema[] {
  const { value } = schema;
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((keyword) => {
    if (!isApplicator(keyword)) return [];
    return subschemasUnder(schema, keyword).filter(({ schema: { value: inner } }) => isMap(inner));
  });
}

/** The subschemas under a keyword, including `true` and `false`. Empty if the keyword contains no schemas. */
export function subschemasUnder(schema: SourceLocation, keyword: string): Subschema[] {
  const applicator = applicators[keyword];
  const holder = schema.child(keyword);
  if (applicator === undefined || !holder.exists) return [];
  const { form, role } = applicator;
  if (form === "one") return [{ schema: holder, keyword, role, property: undefined }];
  if (form === "list") return holder.items().map((item) => ({ schema: item, keyword, role, property: undefined }));
  return holder.entries().map(([name, item]) => {
    return { schema: item, keyword, role, property: keyword === "properties" ? name : undefined };
  });
}

/** The subschemas that apply to the same value. Does not follow references. @param onlyKeyword leaves out the other keywords. */
export function branchesOf(schema: SourceLocation, onlyKeyword?: string): SourceLocation[] {
  return subschemasOf(schema)
    .filter(({ role, keyword }) => role === "in-place" && (onlyKeyword ?? keyword) === keyword)
    .map((branch) => branch.schema);
}

/** The schemas of one value: the schema, the targets of its references, and the branches of all of them, each schema once. */
export function schemasOfValue(schema: SourceLocation, onlyKeyword?: string): SourceLocation[] {
  const schemas = new Map<string, SourceLocation>();
  const collect = (location: SourceLocation): void => {
    if (schemas.has(location.id)) return;
    schemas.set(location.id, location);
    for (const inner of [location.nextTarget, ...branchesOf(location, onlyKeyword)]) collect(inner);
  };
  collect(schema);
  return [...schemas.values()];
}

export interface Visit {
  /** Property names from the root. Empty for the root value and its items. */
  path: string[];
  /** The schemas that contain the visited one or refer to it, the outermost first. */
  ancestors: SourceLocation[];
  /** The effective provenance of the enclosing element. */
  enclosingProvenance: Provenance;
  provenance: Provenance;
  property: string | undefined;
  /** The keyword that contains the schema; undefined for the first schema and for the target of a reference. */
  keyword: string | undefined;
}

/**
 * Visits a schema and all its subschemas, except `true` and `false`. The target of several references is visited once for each reference. A
 * recursive schema is not visited again inside itself.
 *
 * @param visit returns `false` to skip the subschemas of the visited schema and the target of its reference.
 * @param options.followsReferences whether to visit the targets of references.
 * @param options.includesConditions whether to visit the schemas under `if`, `not`, `contains` and `$defs`.
 */
export function walkSchema(
  schema: SourceLocation,
  // biome-ignore lint/suspicious/noConfusingVoidType: most visitors return nothing
  visit: (schema: SourceLocation, visit: Visit) => void | false,
  options: { followsReferences?: boolean; includesConditions?: boolean; enclosingProvenance?: Provenance } = {},
): void {
  const {
    followsReferences = true,
    includesConditions = true,
    enclosingProvenance: outermostProvenance = "specification",
  } = options;
  const enclosingIds = new Set<string>();
  const walk = (location: SourceLocation, partialVisit: Omit<Visit, "provenance">): void => {
    const { id, nextTarget } = location;
    if (!isMap(location.value) || enclosingIds.has(id)) return;
    const { path, ancestors, enclosingProvenance, property: ownProperty, keyword: ownKeyword } = partialVisit;
    const provenance = weakestProvenance(enclosingProvenance, markOn(location));
    const own = { path, ancestors, enclosingProvenance, provenance, property: ownProperty, keyword: ownKeyword };
    if (visit(location, own) === false) return;
    enclosingIds.add(id);
    // A spread stands last: an object whose literal begins with a spread takes several times as long to make.
    const inner = { ancestors: [...ancestors, location], enclosingProvenance: provenance };
    if (followsReferences && nextTarget.id !== id)
      walk(nextTarget, { path, property: undefined, keyword: undefined, ...inner });
    for (const { schema: innerSchema, role, property, keyword } of subschemasOf(location)) {
      if (role === "condition" && !includesConditions) continue;
      walk(innerSchema, { path: property === undefined ? path : [...path, property], property, keyword, ...inner });
    }
    enclosingIds.delete(id);
  };
  const rootVisit = {
    path: [],
    ancestors: [],
    enclosingProvenance: outermostProvenance,
    property: undefined,
    keyword: undefined,
  };
  walk(schema, rootVisit);
}

/** All properties of a schema, its branches and the targets of its references. The first definition of a property is used. */
export function propertiesOf(schema: SourceLocation): Map<string, SourceLocation> {
  const properties = new Map<string, SourceLocation>();
  for (const location of schemasOfValue(schema))
    for (const [name, property] of location.child("properties").entries())
      if (!properties.has(name)) properties.set(name, property);
  return properties;
}
