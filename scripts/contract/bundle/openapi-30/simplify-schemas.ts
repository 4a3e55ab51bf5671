/** Copies schemas without most keywords that OpenAPI 3.0 lacks or many code generators cannot read. */
import { isDeepStrictEqual } from "node:util";
import { omit } from "../../../base/index.ts";
import {
  arityOf,
  type compositions,
  isAnnotation,
  isApplicator,
  isRef,
  type JsonSchema,
  keysOf,
  type OpenApiDocument,
  type Ref,
  type SourceLocation,
  schemasOfValue,
} from "../../model/index.ts";
import { withMarksOf } from "../combine-keywords.ts";
import { chooseAlternative, chooseType } from "./choose-type.ts";
import { combineSchemas, excludesFieldsOf } from "./combine-schemas.ts";
import { copySchema, extensibleEnum } from "./copy-schema.ts";
import {
  amongFields,
  besideNull,
  besideReference,
  decisionOn,
  describeOneObject,
  refuseLossInNot,
  refuseOtherKeywords,
} from "./kept-keywords.ts";
import { openErrorsOf, schemaOfErrors } from "./open-errors.ts";
import { type Context, refuseSchema } from "./simplification-context.ts";

type Keywords = Record<string, unknown>;
type Composition = (typeof compositions)[number];
type Choice = "oneOf" | "anyOf";

/** @throws {RefusedSchema} if OpenAPI 3.0 cannot express the schema, unless `formNotice` mentions the loss. */
export function simplify(schema: SourceLocation, context: Context): JsonSchema {
  const {
    $ref,
    allOf = [],
    oneOf,
    anyOf,
  } = schemaAt(schema) as { [Keyword in Composition]?: JsonSchema[] } & Partial<Ref>;
  const ownKeywords = simplifyKeywords(schema, context);
  const openEnum = ownKeywords["x-open-enum"];
  const choices: Choice[] = [
    ...(oneOf === undefined ? [] : ["oneOf" as const]),
    ...(anyOf === undefined || openEnum !== undefined ? [] : ["anyOf" as const]),
  ];
  const describesOneObject = (choice: Choice) => describeOneObject(schemasAt(schema, choice));
  const base = choices
    .filter(describesOneObject)
    .reduce((object, choice) => withProperties(schema, object, choice, context), ownKeywords);
  const [choice, ...otherChoices] = choices.filter((keyword) => !describesOneObject(keyword));
  const combined = [openEnum, choice, ...otherChoices, $ref ?? allOf[0]].filter((keyword) => keyword !== undefined);
  if (combined.length > 1) {
    refuseSchema("combines two of oneOf, anyOf, allOf, $ref and x-open-enum", "Keep one of them", schema);
  }
  if (openEnum !== undefined) {
    if ((base.type ?? "string") !== "string") refuseSchema("has x-open-enum and is no string", "Remove one", schema);
    return extensibleEnum(base, Object.keys(openEnum));
  }
  if (choice !== undefined) return simplifyChoice(schema, base, choice, context);
  const branches = schema
    .child("allOf")
    .items()
    .map((branch) => simplify(branch, context));
  if ($ref !== undefined) {
    return chooseType(schema, withBranches(schema, base, [bareReference($ref), ...branches], context), context);
  }
  return chooseType(schema, branches.length === 0 ? base : flatten(schema, base, branches, context), context);
}

function schemaAt(schema: SourceLocation): JsonSchema {
  return schema.value as JsonSchema;
}

function schemasAt(schema: SourceLocation, keyword: Composition): JsonSchema[] {
  return schema.child(keyword).items().map(schemaAt);
}

/**
 * Writes the branches as one schema. Keeps a single reference that stands alone, or that has only annotations beside it and refers to an
 * object that cannot be null.
 *
 * @param branches simplified schemas.
 */
function withBranches(schema: SourceLocation, base: JsonSchema, branches: JsonSchema[], context: Context): JsonSchema {
  const [branch, ...otherBranches] = branches;
  const isOnlyReference = isRef(branch) && Object.keys(branch).length === 1 && otherBranches.length === 0;
  if (!isOnlyReference || !Object.keys(base).every(isAnnotation)) return flatten(schema, base, branches, context);
  if (Object.keys(base).length === 0) return branch;
  const isReferenceKept = isObjectWithoutNull(branch.$ref, context);
  return isReferenceKept ? { ...branch, ...base } : copySchema(targetOf(branch.$ref, schema, context), base);
}

/** Reads the target unsimplified, because a property can refer to the schema that contains it. */
function isObjectWithoutNull($ref: string, { root }: Context): boolean {
  const target = root.child(...keysOf($ref));
  const partsOf = (onlyKeyword?: string) => schemasOfValue(target, onlyKeyword).map(schemaAt);
  const hasProperties = partsOf("allOf").some(({ properties }) => properties !== undefined);
  return hasProperties && !partsOf().some(({ type }) => [type].flat().includes("null"));
}

/** Keeps a `oneOf` of references without null. Writes any other choice as one schema. */
function simplifyChoice(schema: SourceLocation, base: JsonSchema, choice: Choice, context: Context): JsonSchema {
  const alternatives = schemasAt(schema, choice);
  const document = context.root.value as OpenApiDocument;
  const errors = choice === "anyOf" ? openErrorsOf(alternatives, document) : [];
  if (errors.length > 0) {
    refuseOtherKeywords(alternatives, besideReference, schema);
    const whole = { ...schemaOfErrors(errors, document), ...omit(base, "type") } as JsonSchema;
    return withMarksOf(whole, ...alternatives);
  }
  const isNullable = alternatives.some(isNull);
  const [onlyAlternative] = schema.child(choice).items();
  if (alternatives.length === 1 && onlyAlternative !== undefined && !isNullable) {
    const branches = [simplify(onlyAlternative, context)];
    return withBranches(schema, omit(base, "discriminator", "type") as JsonSchema, branches, context);
  }
  if (choice === "oneOf" && !isNullable && alternatives.every((alternative) => isRef(alternative))) {
    refuseOtherKeywords(alternatives, besideReference, schema);
    const oneOf = alternatives.map(({ $ref }) => bareReference($ref as string));
    return withMarksOf({ ...base, oneOf } as JsonSchema, ...alternatives);
  }
  return writeAsOneType(schema, base, choice, context);
}

function writeAsOneType(schema: SourceLocation, base: JsonSchema, choice: Choice, context: Context): JsonSchema {
  const nulls = schemasAt(schema, choice).filter(isNull);
  const isNullable = nulls.length > 0;
  const nullsByType = nulls.map((one) => (one.const === null ? omit(one, "const") : one) as JsonSchema);
  refuseOtherKeywords(nullsByType, besideNull, schema);
  const values = schema
    .child(choice)
    .items()
    .filter((alternative) => !isNull(schemaAt(alternative)));
  const alternatives = values.map((value) => withoutReference(simplify(value, context), schema, context));
  const { shown, types } = chooseAlternative(schema, alternatives, context);
  const ownTypes = [base.type ?? []].flat();
  if (ownTypes.length > 0 && !isDeepStrictEqual(new Set(ownTypes), new Set(isNullable ? [...types, "null"] : types)))
    refuseSchema("has other types than its alternatives", "Remove type", schema);
  const whole = combine(shown, omit(base, "type") as JsonSchema, schema, context);
  if (isNullable && base.enum?.includes(null) === false)
    refuseSchema("has an enum without null beside a choice with null", "Write it in the alternative", schema);
  const enumWithNull = isNullable && whole.enum && { enum: [...new Set([...whole.enum, null])] };
  const type = isNullable ? [...types, "null"] : types;
  const marked = withMarksOf(
    { ...whole, ...enumWithNull, type } as JsonSchema,
    ...schemasAt(schema, choice),
    ...alternatives,
  );
  return chooseType(schema, copySchema(shown, marked), context);
}

function isNull({ type, const: constant }: JsonSchema): boolean {
  return constant === null || [type].flat().every((one) => one === "null");
}

/** @param branches simplified schemas. */
function flatten(schema: SourceLocation, base: JsonSchema, branches: JsonSchema[], context: Context): JsonSchema {
  const whole = branches
    .map((branch) => copySchema(withoutReference(branch, schema, context), {}))
    .reduce((first, second) => combine(first, second, schema, context), {} as JsonSchema);
  const keywordsInAnyOrder = copySchema(whole, combine(whole, base, schema, context));
  return { ...base, ...keywordsInAnyOrder };
}

function combine(first: JsonSchema, second: JsonSchema, schema: SourceLocation, context: Context): JsonSchema {
  return combineSchemas(first, second, {
    withoutReference: (branch) => withoutReference(branch, schema, context),
    pointer: schema.pointer,
  });
}

/** Adds the fields of the alternatives, but not their `required`. */
function withProperties(schema: SourceLocation, base: JsonSchema, choice: Choice, context: Context): JsonSchema {
  const fields = new Map<string, JsonSchema>();
  const properties: Record<string, JsonSchema> = {};
  for (const alternative of schema.child(choice).items()) {
    const { type = "object", properties: ownFields = {}, ...others } = simplify(alternative, context);
    if (type !== "object") refuseSchema(`has an alternative of the type ${type}`, "Write one object", schema);
    refuseOtherKeywords([others], amongFields, schema);
    if (excludesFieldsOf(base, { properties: ownFields })) {
      refuseSchema("has additionalProperties beside the fields of alternatives", "List the fields in both", schema);
    }
    for (const [name, field] of Object.entries(ownFields as Record<string, JsonSchema>)) {
      const isSame = isDeepStrictEqual(base.properties?.[name] ?? fields.get(name) ?? field, field);
      if (!isSame) refuseSchema(`has alternatives with different fields ${name}`, "Write it beside them", schema);
      fields.set(name, field);
      properties[name] = withMarksOf(properties[name] ?? field, others);
    }
  }
  return Object.keys(properties).length === 0 ? base : { ...base, properties: { ...properties, ...base.properties } };
}

/** Leaves out `$ref` and compositions, which the caller writes. */
function simplifyKeywords(schema: SourceLocation, context: Context): JsonSchema {
  const value = schemaAt(schema);
  const keywords = Object.keys(value);
  const unknownKeyword = keywords.find((keyword) => decisionOn(keyword) === undefined);
  if (unknownKeyword !== undefined) refuseSchema(`has the keyword ${unknownKeyword}`, "Describe it in words", schema);
  if (isNull(value)) refuseSchema("can be null only", "Allow another value", schema);
  const { examples, const: constant } = value;
  if (constant !== undefined && value.enum !== undefined)
    refuseSchema("has const and enum", "Keep one of them", schema);
  if (value.not !== undefined) refuseLossInNot(schema);
  const keptKeywords = keywords.filter((keyword) => decisionOn(keyword) === "keep");
  const keptApplicators = keptKeywords.filter(isApplicator);
  return {
    ...omit(value, ...keywords.filter((keyword) => !keptKeywords.includes(keyword) || isApplicator(keyword))),
    ...(examples?.[0] !== undefined && { example: examples[0] }),
    ...Object.fromEntries(keptApplicators.map((keyword) => [keyword, simplifyUnder(keyword, schema, context)])),
    ...limitsOf(value),
    ...(constant !== undefined && { enum: [constant] }),
  } as JsonSchema;
}

function simplifyUnder(keyword: string, schema: SourceLocation, context: Context): unknown {
  const simplifySubschema = (subschema: SourceLocation): unknown => {
    if (typeof subschema.value === "object") return simplify(subschema, context);
    if (keyword === "additionalProperties") return subschema.value;
    return subschema.value === true ? {} : refuseSchema(`has false under ${keyword}`, "Describe it in words", schema);
  };
  const holder = schema.child(keyword);
  if (arityOf(keyword) === "one") return simplifySubschema(holder);
  return Object.fromEntries(holder.children().map(([name, inner]) => [name, simplifySubschema(inner)]));
}

/** In OpenAPI 3.0, `exclusiveMinimum` is a flag on `minimum`, so only the narrower of the two limits can be written. */
function limitsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): Keywords {
  const isMinimumExclusive = typeof exclusiveMinimum === "number" && exclusiveMinimum >= (minimum ?? exclusiveMinimum);
  const isMaximumExclusive = typeof exclusiveMaximum === "number" && exclusiveMaximum <= (maximum ?? exclusiveMaximum);
  return {
    ...(exclusiveMinimum !== undefined && {
      exclusiveMinimum: isMinimumExclusive,
      minimum: isMinimumExclusive ? exclusiveMinimum : minimum,
    }),
    ...(exclusiveMaximum !== undefined && {
      exclusiveMaximum: isMaximumExclusive,
      maximum: isMaximumExclusive ? exclusiveMaximum : maximum,
    }),
  };
}

/** @param simplified the simplified form of `schema` or of a part of it. */
function withoutReference(simplified: JsonSchema, schema: SourceLocation, context: Context): JsonSchema {
  if (!isRef(simplified)) return simplified;
  const { $ref, ...siblings } = simplified as JsonSchema & Ref;
  return copySchema(targetOf($ref, schema, context), siblings);
}

/** @throws {RefusedSchema} if the target contains the reference: copying it would never end. */
function targetOf($ref: string, schema: SourceLocation, context: Context): JsonSchema {
  const { root, openReferences = [] } = context;
  if (openReferences.includes($ref)) {
    const remedy = "Refer to it without other keywords, and not in a choice";
    refuseSchema("needs a copy of a schema that contains it", remedy, schema);
  }
  const target = root.child(...keysOf($ref));
  const targetContext = { ...context, openReferences: [...openReferences, $ref] };
  return withoutReference(simplify(target, targetContext), target, targetContext);
}

/** A reference without sibling keywords: the items of a `oneOf` with a discriminator cannot have any. */
function bareReference($ref: string): JsonSchema {
  return { $ref } as unknown as JsonSchema;
}
