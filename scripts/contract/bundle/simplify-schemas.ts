/** Copies schemas without most keywords that OpenAPI 3.0 lacks or many code generators cannot read. */
import { isDeepStrictEqual } from "node:util";
import { omit } from "../../base/index.ts";
import {
  type compositions,
  formOf,
  isAnnotation,
  isApplicator,
  isRef,
  type JsonSchema,
  keysOf,
  type Ref,
  SourceLocation,
  schemasOfValue,
  valueAt,
} from "../model/index.ts";
import { chooseAlternative, chooseType } from "./choose-type.ts";
import { combineSchemas, excludesFieldsOf } from "./combine-schemas.ts";
import { copySchema, extensibleEnum, withMarksOf } from "./copy-schema.ts";
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
import { type Context, pointerTo, refuseSchema } from "./simplification-context.ts";

type Keywords = Record<string, unknown>;
type Composition = (typeof compositions)[number];

/** @throws {RefusedSchema} if OpenAPI 3.0 cannot express the schema, unless `formNotice` mentions the loss. */
export function simplify(schema: JsonSchema, context: Context): JsonSchema {
  const { $ref, allOf = [], oneOf, anyOf } = schema as Partial<Ref> & { [Keyword in Composition]?: JsonSchema[] };
  const ownKeywords = simplifyKeywords(schema, context);
  const openEnum = ownKeywords["x-open-enum"];
  const listsOfAlternatives = [oneOf, openEnum === undefined ? anyOf : undefined].filter((list) => list !== undefined);
  const base = listsOfAlternatives
    .filter(describeOneObject)
    .reduce((object, alternatives) => withProperties(schema, object, alternatives, context), ownKeywords);
  const choices = listsOfAlternatives.filter((alternatives) => !describeOneObject(alternatives));
  const branches = $ref === undefined ? allOf : [bareReference($ref), ...allOf];
  if ([openEnum, ...choices, branches[0]].filter((keyword) => keyword !== undefined).length > 1) {
    refuseSchema("combines two of oneOf, anyOf, allOf, $ref and x-open-enum", "Keep one of them", schema, context);
  }
  if (openEnum !== undefined) {
    if ((base.type ?? "string") !== "string")
      refuseSchema("has x-open-enum and is no string", "Remove one", schema, context);
    return extensibleEnum(base, Object.keys(openEnum));
  }
  const [choice] = choices;
  if (choice !== undefined) return simplifyChoice(schema, base, choice, context);
  const mergeBranches = $ref === undefined ? flatten : withBranches;
  return chooseType(schema, branches.length === 0 ? base : mergeBranches(schema, base, branches, context), context);
}

/**
 * Writes the branches as one schema. Keeps a single reference that stands alone, or that has only annotations beside it and refers to an
 * object that cannot be null.
 */
function withBranches(schema: JsonSchema, base: JsonSchema, branches: JsonSchema[], context: Context): JsonSchema {
  const [branch, ...otherBranches] = branches;
  const isOnlyReference = isRef(branch) && Object.keys(branch).length === 1 && otherBranches.length === 0;
  if (!isOnlyReference || !Object.keys(base).every(isAnnotation)) return flatten(schema, base, branches, context);
  if (Object.keys(base).length === 0) return branch;
  const isReferenceKept = isObjectWithoutNull(branch.$ref, context);
  return isReferenceKept ? { ...branch, ...base } : copySchema(targetOf(branch.$ref, schema, context), base);
}

/** Reads the target unsimplified, because a property can refer to the schema that contains it. */
function isObjectWithoutNull($ref: string, { document }: Context): boolean {
  const target = SourceLocation.ofDocument(document).child(...keysOf($ref));
  const partsOf = (onlyKeyword?: string) => schemasOfValue(target, onlyKeyword).map(({ value }) => value as JsonSchema);
  const hasProperties = partsOf("allOf").some(({ properties }) => properties !== undefined);
  return hasProperties && !partsOf().some(({ type }) => [type].flat().includes("null"));
}

/** Keeps a `oneOf` of references without null. Writes any other choice as one schema. */
function simplifyChoice(schema: JsonSchema, base: JsonSchema, choice: JsonSchema[], context: Context): JsonSchema {
  const isOneOf = schema.oneOf === choice;
  const errors = isOneOf ? [] : openErrorsOf(choice, context.document);
  if (errors.length > 0) {
    refuseOtherKeywords(choice, besideReference, schema, context);
    const whole = { ...schemaOfErrors(errors, context.document), ...omit(base, "type") } as JsonSchema;
    return withMarksOf(whole, ...choice);
  }
  const values = choice.filter((alternative) => !isNull(alternative));
  const isNullable = values.length < choice.length;
  if (values.length === 1 && !isNullable) {
    return withBranches(schema, omit(base, "discriminator", "type") as JsonSchema, values, context);
  }
  if (isOneOf && !isNullable && values.every((value) => isRef(value))) {
    refuseOtherKeywords(values, besideReference, schema, context);
    return withMarksOf(
      { ...base, oneOf: values.map(({ $ref }) => bareReference($ref as string)) } as JsonSchema,
      ...values,
    );
  }
  return writeAsOneType(schema, base, choice, context);
}

function writeAsOneType(schema: JsonSchema, base: JsonSchema, choice: JsonSchema[], context: Context): JsonSchema {
  const values = choice.filter((alternative) => !isNull(alternative));
  const isNullable = values.length < choice.length;
  const nulls = choice.filter(isNull).map((one) => (one.const === null ? omit(one, "const") : one) as JsonSchema);
  refuseOtherKeywords(nulls, besideNull, schema, context);
  const alternatives = values.map((value) => inlined(value, schema, context));
  const { shown, types } = chooseAlternative(schema, alternatives, context);
  const ownTypes = [base.type ?? []].flat();
  if (ownTypes.length > 0 && !isDeepStrictEqual(new Set(ownTypes), new Set(isNullable ? [...types, "null"] : types)))
    refuseSchema("has other types than its alternatives", "Remove type", schema, context);
  const whole = combine(shown, omit(base, "type") as JsonSchema, schema, context);
  if (isNullable && base.enum?.includes(null) === false)
    refuseSchema("has an enum without null beside a choice with null", "Write it in the alternative", schema, context);
  const enumWithNull = isNullable && whole.enum && { enum: [...new Set([...whole.enum, null])] };
  const type = isNullable ? [...types, "null"] : types;
  const marked = withMarksOf({ ...whole, ...enumWithNull, type } as JsonSchema, ...choice, ...alternatives);
  return chooseType(schema, copySchema(shown, marked), context);
}

function isNull({ type, const: constant }: JsonSchema): boolean {
  return constant === null || [type].flat().every((one) => one === "null");
}

function flatten(schema: JsonSchema, base: JsonSchema, branches: JsonSchema[], context: Context): JsonSchema {
  const whole = branches
    .map((branch) => copySchema(inlined(branch, schema, context), {}))
    .reduce((first, second) => combine(first, second, schema, context), {} as JsonSchema);
  const keywordsInAnyOrder = copySchema(whole, combine(whole, base, schema, context));
  return { ...base, ...keywordsInAnyOrder };
}

function combine(first: JsonSchema, second: JsonSchema, schema: JsonSchema, context: Context): JsonSchema {
  return combineSchemas(first, second, {
    withoutReference: (branch) => withoutReference(branch, schema, context),
    pointer: () => pointerTo(schema, context),
  });
}

/** Adds the fields of the alternatives, but not their `required`. */
function withProperties(
  schema: JsonSchema,
  base: JsonSchema,
  alternatives: JsonSchema[],
  context: Context,
): JsonSchema {
  const fields = new Map<string, JsonSchema>();
  const properties: Record<string, JsonSchema> = {};
  for (const alternative of alternatives) {
    const { type = "object", properties: ownFields = {}, ...others } = simplify(alternative, context);
    if (type !== "object") refuseSchema(`has an alternative of the type ${type}`, "Write one object", schema, context);
    refuseOtherKeywords([others], amongFields, schema, context);
    if (excludesFieldsOf(base, { properties: ownFields })) {
      refuseSchema(
        "has additionalProperties beside the fields of alternatives",
        "List the fields in both",
        schema,
        context,
      );
    }
    for (const [name, field] of Object.entries(ownFields as Record<string, JsonSchema>)) {
      const isSame = base.properties?.[name] !== undefined || isDeepStrictEqual(fields.get(name) ?? field, field);
      if (!isSame)
        refuseSchema(`has alternatives with different fields ${name}`, "Write it beside them", schema, context);
      fields.set(name, field);
      properties[name] = withMarksOf(properties[name] ?? field, others);
    }
  }
  return Object.keys(properties).length === 0 ? base : { ...base, properties: { ...properties, ...base.properties } };
}

/** Leaves out `$ref` and compositions, which the caller writes. */
function simplifyKeywords(schema: JsonSchema, context: Context): JsonSchema {
  const keywords = Object.keys(schema);
  const unknownKeyword = keywords.find((keyword) => decisionOn(keyword) === undefined);
  if (unknownKeyword !== undefined)
    refuseSchema(`has the keyword ${unknownKeyword}`, "Describe it in words", schema, context);
  if (isNull(schema)) refuseSchema("can be null only", "Allow another value", schema, context);
  if (schema.const !== undefined && schema.enum !== undefined)
    refuseSchema("has const and enum", "Keep one of them", schema, context);
  if (schema.not !== undefined) refuseLossInNot(schema, context);
  const keptKeywords = keywords.filter((keyword) => decisionOn(keyword) === "keep");
  const holders = keptKeywords.filter(isApplicator);
  const { examples, const: constant } = schema;
  return {
    ...omit(schema, ...keywords.filter((keyword) => !keptKeywords.includes(keyword) || isApplicator(keyword))),
    ...(examples?.[0] !== undefined && { example: examples[0] }),
    ...Object.fromEntries(holders.map((keyword) => [keyword, simplifyUnder(keyword, schema, context)])),
    ...limitsOf(schema),
    ...(constant !== undefined && { enum: [constant] }),
  } as JsonSchema;
}

function simplifyUnder(keyword: string, schema: JsonSchema, context: Context): unknown {
  const simplifySubschema = (subschema: unknown): unknown => {
    if (typeof subschema === "object") return simplify(subschema as JsonSchema, context);
    if (keyword === "additionalProperties") return subschema;
    return subschema === true
      ? {}
      : refuseSchema(`has false under ${keyword}`, "Describe it in words", schema, context);
  };
  const value = schema[keyword];
  if (formOf(keyword) === "one") return simplifySubschema(value);
  return Object.fromEntries(Object.entries(value as object).map(([name, inner]) => [name, simplifySubschema(inner)]));
}

/** In OpenAPI 3.0, `exclusiveMinimum` is a flag on `minimum`, so only the narrower of the two limits can be written. */
function limitsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): Keywords {
  const isLowest = typeof exclusiveMinimum === "number" && exclusiveMinimum >= (minimum ?? exclusiveMinimum);
  const isHighest = typeof exclusiveMaximum === "number" && exclusiveMaximum <= (maximum ?? exclusiveMaximum);
  return {
    ...(exclusiveMinimum !== undefined && {
      exclusiveMinimum: isLowest,
      minimum: isLowest ? exclusiveMinimum : minimum,
    }),
    ...(exclusiveMaximum !== undefined && {
      exclusiveMaximum: isHighest,
      maximum: isHighest ? exclusiveMaximum : maximum,
    }),
  };
}

/** @param schema contains `part`, or is `part`. */
function inlined(part: JsonSchema, schema: JsonSchema, context: Context): JsonSchema {
  return withoutReference(simplify(part, context), schema, context);
}

/** @param simplified the simplified form of `schema` or of a part of it. */
function withoutReference(simplified: JsonSchema, schema: JsonSchema, context: Context): JsonSchema {
  if (!isRef(simplified)) return simplified;
  const { $ref, ...siblings } = simplified as JsonSchema & Ref;
  return copySchema(targetOf($ref, schema, context), siblings);
}

/** @throws {RefusedSchema} if the target contains the reference: copying it would never end. */
function targetOf($ref: string, schema: JsonSchema, context: Context): JsonSchema {
  const { document, openReferences = [] } = context;
  if (openReferences.includes($ref)) {
    const remedy = "Refer to it without other keywords, and not in a choice";
    refuseSchema("needs a copy of a schema that contains it", remedy, schema, context);
  }
  const target = valueAt(document, $ref) as JsonSchema;
  return inlined(target, target, { ...context, openReferences: [...openReferences, $ref] });
}

/** A reference without sibling keywords: the items of a `oneOf` with a discriminator cannot have any. */
function bareReference($ref: string): JsonSchema {
  return { $ref } as unknown as JsonSchema;
}
