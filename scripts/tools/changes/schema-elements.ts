import {
  markOn,
  type Provenance,
  type SourceLocation,
  type Subschema,
  subschemasOf,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Element, SchemaRole } from "./element.ts";
import { addKeyword, deprecationOf, knownValues, requiredByBranches, type SchemaStatements } from "./facts.ts";
import { commonTypes, isNull, permittedTypes, typesOfForms } from "./forms.ts";

export type Scope = Pick<Element, "id" | "subject" | "direction" | "editions" | "provenance">;

export interface SchemaScope extends Scope {
  /** The words for the value in reports: `the request`. */
  readonly title: string;
  /** Whether the value itself is always sent. Its default is then never used. */
  readonly isAlwaysSent?: boolean;
}

/** The last part of the id of an element that is a whole value: a body, parameter, header or error. */
const wholeValue = "(whole)";

/** A field or an alternative while its schemas are read. */
interface Field extends Place, SchemaStatements {
  readonly provenance: Provenance;
}

interface Place {
  /** For example `list[].amount`; empty for the whole value. */
  readonly path: string;
  /** The containing field or alternative, and the role in it; undefined for the whole value. */
  readonly inner?: { readonly parent: Field; readonly role: SchemaRole } | undefined;
}

type Fields = Map<string, Field>;

/** `allOf`, references, and choices between different types are merged into one field. */
export function schemaElements(schema: SourceLocation, scope: SchemaScope): Element[] {
  const fields: Fields = new Map();
  readPlace(fields, schema, { path: "" }, { provenance: scope.provenance, ancestorIds: [] });
  return [...fields.values()].map((field) => toElement(field, fields, scope));
}

interface Enclosing {
  readonly provenance: Provenance;
  readonly ancestorIds: readonly string[];
}

/** Several schemas can describe the same place. */
function readPlace(fields: Fields, location: SourceLocation, place: Place, enclosing: Enclosing): void {
  if (typeof location.value !== "object" || location.value === null) return;
  const field = fields.get(place.path) ?? newField(place, weakestProvenance(enclosing.provenance, markOn(location)));
  fields.set(place.path, field);
  field.facts.type = commonTypes(field.facts.type, permittedTypes(location));
  readSchema(fields, location, field, enclosing);
}

function readSchema(fields: Fields, location: SourceLocation, field: Field, enclosing: Enclosing): void {
  if (enclosing.ancestorIds.includes(location.id) || typeof location.value !== "object" || location.value === null)
    return;
  for (const keyword of Object.keys(location.value)) addKeyword(field, location.child(keyword));
  field.facts.deprecated ??= deprecationOf(location);
  const provenance = weakestProvenance(enclosing.provenance, markOn(location));
  const context = { provenance, ancestorIds: [...enclosing.ancestorIds, location.id] };
  if (location.target.id !== location.id) readSchema(fields, location.target, field, context);
  for (const subschema of subschemasOf(location)) {
    const role = roleOf(location, subschema);
    if (role === "same value") readSchema(fields, subschema.schema, field, context);
    else if (role !== undefined) readPlace(fields, subschema.schema, placeIn(field, role), context);
  }
}

function newField(place: Place, provenance: Provenance): Field {
  const { path, inner } = place;
  return { path, inner, provenance, facts: {}, keywords: new Map(), texts: [], requiredNames: new Set() };
}

/**
 * The role of a subschema in the value that the schema at `location` describes; `same value` if it describes that value too; undefined if it
 * is `null` or only part of a fact.
 */
function roleOf(
  location: SourceLocation,
  { schema: inner, keyword, property }: Subschema,
): SchemaRole | "same value" | undefined {
  if (property !== undefined) return { kind: "property", name: property };
  if (keyword === "allOf") return "same value";
  if (keyword === "items" || keyword === "additionalProperties") return { kind: keyword };
  if (keyword !== "oneOf" && keyword !== "anyOf") return undefined;
  const choice = location.child(keyword);
  if (isNull(inner) || requiredByBranches(choice) !== undefined || knownValues(choice)) return undefined;
  if (typesOfForms(choice) !== undefined) return "same value";
  const alternatives = choice.items().filter((branch) => !isNull(branch));
  if (alternatives.length === 1) return "same value";
  return { kind: "alternative", name: nameOfAlternative(inner, alternatives) };
}

function placeIn(parent: Field, role: SchemaRole): Place {
  return { path: pathIn(parent, role), inner: { parent, role } };
}

function pathIn({ path }: Field, role: SchemaRole): string {
  if (role.kind === "items") return `${path}[]`;
  if (role.kind === "additionalProperties") return `${path}.*`;
  if (role.kind === "alternative") return `${path}(${role.name})`;
  // The name "b.c" is quoted, because b.c is the field c of b.
  const name = /[.()[\]*/" ]/.test(role.name) ? JSON.stringify(role.name) : role.name;
  return path === "" ? name : `${path}.${name}`;
}

function toElement(
  field: Field,
  fields: Fields,
  { title, id: root, subject, direction, editions, isAlwaysSent: isWholeValueSent }: SchemaScope,
): Element {
  const { path, inner, facts, requiredNames, provenance, texts } = field;
  const { parent, role } = inner ?? {};
  const isRequired = role?.kind === "property" && parent?.requiredNames.has(role.name);
  const undescribedNames = [...requiredNames].filter((name) => !fields.has(pathIn(field, { kind: "property", name })));
  const keywords = Object.fromEntries(
    [...field.keywords].map(([keyword, values]) => [keyword, values.length === 1 ? values[0] : values]),
  );
  // A field that is always sent never uses its default.
  const { default: _, ...keywordsWithoutDefault } = keywords;
  const isAlwaysSent = inner === undefined ? isWholeValueSent : isRequired;
  return {
    id: `${root}/${path || wholeValue}`,
    parent: parent === undefined || parent.path === "" ? root : `${root}/${parent.path}`,
    subject,
    kind: role?.kind === "alternative" ? "alternative" : "field",
    name: nameOf(field, title),
    direction,
    editions,
    provenance,
    ...(isRequired && { required: true }),
    ...(role && { role, property: propertyOf(field) }),
    facts: { ...facts, requiredNames: undescribedNames.sort() },
    keywords: isAlwaysSent ? keywordsWithoutDefault : keywords,
    texts,
  };
}

/** @param title the words for the whole value. */
function nameOf({ path, inner }: Place, title: string): string {
  if (inner === undefined) return title;
  const { parent, role } = inner;
  if (role.kind !== "alternative") return `field \`${path}\` of ${title}`;
  const parentName = parent.path === "" ? title : `field \`${parent.path}\` of ${title}`;
  return `the alternative \`${role.name}\` of ${parentName}`;
}

/** The name of the property that the place is, or that contains it; undefined if there is none. */
function propertyOf({ inner }: Place): string | undefined {
  if (inner === undefined) return undefined;
  return inner.role.kind === "property" ? inner.role.name : propertyOf(inner.parent);
}

/**
 * The name of an alternative: the name of its component, or its type with a number from the second alternative of this type on. Titles are
 * not used, because they can change between versions.
 */
function nameOfAlternative(branch: SourceLocation, alternatives: readonly SourceLocation[]): string {
  if (branch.target.id !== branch.id) return branch.target.name;
  const typeOf = ({ value }: SourceLocation): string => String([(value as { type?: unknown }).type ?? "any"].flat());
  const sameTypeBranches = alternatives.filter(
    (alternative) => alternative.target.id === alternative.id && typeOf(alternative) === typeOf(branch),
  );
  const index = sameTypeBranches.findIndex((candidate) => candidate.id === branch.id);
  return index > 0 ? `${typeOf(branch)} ${index + 1}` : typeOf(branch);
}
