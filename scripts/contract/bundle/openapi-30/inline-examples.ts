import {
  type ExampleObject,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  SourceLocation,
  type Subschema,
  schemasOfValue,
  subschemasOf,
  valueAt,
  visitObjects,
} from "../../model/index.ts";

/** By the pointer of each schema: the types of its values in examples of bodies and parameters; if there are none, in examples of schemas. */
export type ExampleTypes = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Replaces references to shared examples with the examples, because some validators for OpenAPI 3.0 misread an `id` in a shared example as
 * the keyword `id` of JSON Schema draft 4. Changes `document`.
 */
export function inlineExamples(document: OpenApiDocument): ExampleTypes {
  const root = SourceLocation.ofDocument(document);
  const types = new Map<string, Set<string>>();
  const typesInSchemas = new Map<string, Set<string>>();
  visitObjects(document, (holder, path) => {
    const { example: onlyExample, examples } = holder as Partial<MediaTypeObject>;
    const schema = root.child(...path, "schema");
    if (onlyExample !== undefined) recordTypes(schema, onlyExample, types);
    if (examples === undefined) return;
    if (Array.isArray(examples)) {
      for (const value of examples) recordTypes(root.child(...path), value, typesInSchemas);
      return;
    }
    const entries = Object.entries(examples).map(([name, example]) => {
      return [name, isRef(example) ? (valueAt(document, example.$ref) as ExampleObject) : example] as const;
    });
    for (const [, example] of entries) recordTypes(schema, example.value, types);
    Object.assign(holder, { examples: Object.fromEntries(entries) });
  });
  return new Map([...typesInSchemas, ...types]);
}

function recordTypes(schema: SourceLocation, value: unknown, types: Map<string, Set<string>>): void {
  if (value === null) return;
  for (const location of schemasOfValue(schema)) {
    const { value: node, pointer } = location;
    if (typeof node !== "object" || node === null) continue;
    types.set(pointer, (types.get(pointer) ?? new Set()).add(jsonTypeOf(value)));
    for (const subschema of subschemasOf(location)) {
      for (const member of membersUnder(subschema, value, node as JsonSchema))
        recordTypes(subschema.schema, member, types);
    }
  }
}

/** The items or members of the value that the subschema describes. */
function membersUnder({ keyword, property }: Subschema, value: unknown, { properties = {} }: JsonSchema): unknown[] {
  if (keyword === "items") return Array.isArray(value) ? value : [];
  const members = Object.entries(Object(value));
  const isDescribed = (name: string) =>
    keyword === "additionalProperties" ? !Object.hasOwn(properties, name) : name === property;
  return members.flatMap(([name, member]) => (isDescribed(name) ? [member] : []));
}

/** The name that {@link jsonTypeOf} gives to values of the type. */
export function valueTypeOf(type: JsonSchema["type"]): string {
  return type === "integer" ? "number" : String(type);
}

export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
