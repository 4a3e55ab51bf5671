/** The elements of schemas: fields and alternatives. */
import {
  markOn,
  type Provenance,
  type SourceLocation,
  type Subschema,
  subschemasOf,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Element, Facts } from "./element.ts";
import { addKeyword, deprecationOf, knownValues, requiredByBranches, type SchemaStatements } from "./facts.ts";
import { typesOfForms } from "./forms.ts";

export type Scope = Pick<Element, "id" | "subject" | "direction" | "editions" | "provenance">;

export interface SchemaScope extends Scope {
  /** The words for the value in reports: `the request`. */
  readonly title: string;
  /** Whether the value itself is always sent, so that its default is never used. */
  readonly isAlwaysSent?: boolean;
}

/** The last part of the id of an element that is a whole value: a body, parameter, header or error. */
const wholeValue = "(whole)";

/** A field or an alternative while its schemas are read. */
interface Field extends SchemaStatements {
  readonly provenance: Provenance;
}

/** The fields by path, which is empty for the whole value. */
type Fields = Map<string, Field>;

/** The fields and alternatives of a schema. `allOf`, references, and choices between different types are merged into one field. */
export function schemaElements(schema: SourceLocation, scope: SchemaScope): Element[] {
  const fields: Fields = new Map();
  readFields(fields, schema, { path: "", provenance: scope.provenance, ancestorIds: [] });
  const requiredPaths = [...fields].flatMap(([path, { requiredNames }]) =>
    [...requiredNames].map((name) => memberPath(path, name)),
  );
  return [...fields].map(([path, field]) => {
    const { facts, keywords, requiredNames } = field;
    const undescribedNames = [...requiredNames].filter((name) => !fields.has(memberPath(path, name)));
    const isRequired = requiredPaths.includes(path);
    // A field that is always sent never uses its default.
    const { default: _, ...keywordsWithoutDefault } = keywords;
    const isAlwaysSent = path === "" ? scope.isAlwaysSent : isRequired;
    return {
      ...describeField(path, scope),
      provenance: field.provenance,
      ...(isRequired && { required: true }),
      facts: { ...facts, requiredNames: undescribedNames.sort() },
      keywords: isAlwaysSent ? keywordsWithoutDefault : keywords,
      texts: field.texts,
    };
  });
}

function readFields(
  fields: Fields,
  location: SourceLocation,
  holder: { readonly path: string; readonly provenance: Provenance; readonly ancestorIds: readonly string[] },
): void {
  const { path } = holder;
  if (holder.ancestorIds.includes(location.id) || typeof location.value !== "object" || location.value === null) return;
  const provenance = weakestProvenance(holder.provenance, markOn(location));
  const field = fields.get(path) ?? { provenance, facts: {}, keywords: {}, texts: [], requiredNames: new Set() };
  fields.set(path, field);
  for (const keyword of Object.keys(location.value)) addKeyword(field, location.child(keyword));
  field.facts.deprecated ??= deprecationOf(location);
  const inner = { path, provenance, ancestorIds: [...holder.ancestorIds, location.id] };
  if (location.target.id !== location.id) readFields(fields, location.target, inner);
  for (const subschema of subschemasOf(location)) {
    const innerPath = innerPathOf(path, location, subschema);
    if (innerPath !== undefined) readFields(fields, subschema.schema, { ...inner, path: innerPath });
    if (innerPath === path && hasNull(location, subschema.keyword)) permitNull(field.facts);
  }
  for (const keyword of ["oneOf", "anyOf"]) setFormTypes(field.facts, location, keyword);
}

function describeField(path: string, { title, id: root, subject, direction, editions }: SchemaScope) {
  const isAlternative = /\([^()]*\)$/.test(path);
  const field = path.replace(/\([^()]*\)$/, "");
  const fullName = field === "" ? title : `field \`${field}\` of ${title}`;
  const holder = parentOf(path);
  return {
    id: `${root}/${path || wholeValue}`,
    parent: holder === "" ? root : `${root}/${holder}`,
    subject,
    kind: isAlternative ? "alternative" : "field",
    name: isAlternative ? `the alternative \`${path.slice(field.length + 1, -1)}\` of ${fullName}` : fullName,
    direction,
    editions,
  } as const;
}

const memberPath = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** The path of a subschema's element, which can be that of its parent; undefined if the subschema is `null` or only part of a fact. */
function innerPathOf(
  path: string,
  location: SourceLocation,
  { schema: inner, keyword, property }: Subschema,
): string | undefined {
  if (property !== undefined) return memberPath(path, property);
  if (keyword === "allOf") return path;
  if (keyword === "items") return `${path}[]`;
  if (keyword === "additionalProperties") return `${path}.*`;
  if (keyword !== "oneOf" && keyword !== "anyOf") return undefined;
  if (
    isNull(inner) ||
    requiredByBranches(location.child(keyword)) !== undefined ||
    knownValues(location.child(keyword))
  )
    return undefined;
  if (typesOfForms(location.child(keyword)) !== undefined) return path;
  const alternatives = location
    .child(keyword)
    .items()
    .filter((branch) => !isNull(branch));
  if (alternatives.length === 1) return path;
  return `${path}(${nameOfAlternative(inner, alternatives)})`;
}

/**
 * The name of an alternative: that of its component, or its type, which is numbered from the second alternative of the same type on. Titles
 * are not used, because they can change between versions.
 */
function nameOfAlternative(branch: SourceLocation, alternatives: readonly SourceLocation[]): string {
  if (branch.target.id !== branch.id) return branch.target.name;
  const typeOf = ({ value }: SourceLocation): string => String([(value as { type?: unknown }).type ?? "any"].flat());
  const sameTypeBranches = alternatives.filter((each) => each.target.id === each.id && typeOf(each) === typeOf(branch));
  const index = sameTypeBranches.findIndex((each) => each.id === branch.id);
  return index > 0 ? `${typeOf(branch)} ${index + 1}` : typeOf(branch);
}

function parentOf(path: string): string {
  return path.replace(/(\.[^.]*|\[\]|\([^()]*\)|^[^.[(]+)$/, "");
}

const isNull = ({ value }: SourceLocation): boolean => (value as { type?: unknown } | undefined)?.type === "null";
const hasNull = (location: SourceLocation, keyword: string): boolean => location.child(keyword).items().some(isNull);

/** If the alternatives of a value differ in their type, sets the type of the value: all of these types that its own schema permits. */
function setFormTypes(facts: Facts, location: SourceLocation, keyword: string): void {
  const forms = location.child(keyword);
  const types = forms.exists && knownValues(forms) === undefined ? typesOfForms(forms) : undefined;
  const ownTypes = location.child("type").value;
  if (types !== undefined)
    facts.type = types.filter((type) => ownTypes === undefined || [ownTypes].flat().includes(type)).sort();
}

function permitNull(facts: Facts): void {
  if (facts.type !== undefined) facts.type = [...new Set([...facts.type, "null"])].sort();
}
