import { type OpenApiDocument, valueAt, visitObjects } from "../../../contract/model/index.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  required?: string[];
  properties?: Record<string, unknown>;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: object;
}

/** Rewrites the schemas of the document to equivalent ones, or wider ones, that openapi-typescript translates correctly. */
export function normalizeSchemas(document: OpenApiDocument): void {
  visitObjects(document, (schema: Schema) => {
    // With a discriminator, openapi-typescript replaces the constants of its property by the names of schemas.
    delete schema.discriminator;
    for (const keyword of ["anyOf", "oneOf"] as const) moveAlternatives(schema, keyword);
    if (schema.allOf !== undefined) mergeRequired(schema, document);
  });
}

/** openapi-typescript adds alternatives to the type beside them instead of restricting it. Moved to `allOf`, they restrict it. */
function moveAlternatives(schema: Schema, keyword: "anyOf" | "oneOf"): void {
  const { [keyword]: alternatives, type, ...otherKeywords } = schema;
  if (alternatives === undefined) return;
  const restrictType = alternatives.every(hasType);
  if (restrictType && !hasType(type === "object" ? otherKeywords : { ...otherKeywords, type })) return;
  delete schema[keyword];
  if (restrictType) schema.allOf = [...(schema.allOf ?? []), { [keyword]: alternatives }];
}

/** openapi-typescript makes a property optional if only another branch requires it, so the property is repeated beside `required`. */
function mergeRequired(schema: Schema, document: OpenApiDocument): void {
  const { allOf = [], required = [] } = schema;
  const parts = schemasUnderAllOf(schema, document);
  const optionalProperties = parts
    .flatMap((part) => part.required ?? [])
    .flatMap((name) => {
      const holders = parts.filter(({ properties = {} }) => Object.hasOwn(properties, name));
      const isRequired = holders.some((holder) => holder.required?.includes(name));
      return isRequired ? [] : holders.slice(0, 1).map((holder) => [name, holder.properties?.[name]] as const);
    });
  const properties = Object.fromEntries(optionalProperties);
  const names = Object.keys(properties);
  if (names.length > 0) {
    allOf.push({ required: names, properties });
    schema.required = required.filter((name) => !names.includes(name));
  }
  const branches = allOf.filter(hasType);
  const branchesWithParts = branches.filter(({ type, ...branch }) => type !== "object" || hasType(branch));
  const isObject = branchesWithParts.length > 0 || schema.properties !== undefined;
  schema.allOf = isObject ? branchesWithParts : branches;
  if (schema.allOf.length === 0) delete schema.allOf;
}

/** The schemas that each value must match. */
function schemasUnderAllOf(schema: Schema, document: OpenApiDocument): Schema[] {
  const targets = schema.$ref === undefined ? [] : [valueAt(document, schema.$ref) as Schema];
  return [schema, ...[...targets, ...(schema.allOf ?? [])].flatMap((part) => schemasUnderAllOf(part, document))];
}

const keywordsWithType = [
  "$ref",
  "type",
  "enum",
  "const",
  "properties",
  "additionalProperties",
  "allOf",
  "anyOf",
  "oneOf",
];

/** Whether openapi-typescript has another type than `unknown` for the schema. */
function hasType(schema: object): boolean {
  return Object.entries(schema).some(([keyword, value]) => keywordsWithType.includes(keyword) && value !== undefined);
}
