/** Copies schemas without most keywords that OpenAPI 3.0 lacks or many code generators cannot read. */
import { omit, UsageError } from "../base/index.ts";
import {
  isRef,
  type JsonSchema,
  type OpenApiDocument,
  pointerOf,
  type Ref,
  valueAt,
  visitObjects,
} from "../model/index.ts";
import { combineSchemas } from "./combine-schemas.ts";
import type { ExampleTypes } from "./inline-examples.ts";
import { openErrorsOf, schemaOfErrors } from "./open-errors.ts";

export interface Context {
  readonly document: OpenApiDocument;
  readonly exampleTypes: ExampleTypes;
  /** The references whose targets are being copied. */
  readonly openReferences?: readonly string[];
}

type Part = Record<string, unknown>;

export function simplify(schema: JsonSchema, context: Context): JsonSchema {
  if (isRef(schema)) return simplifyReference(schema, context);
  const {
    oneOf,
    anyOf: alternatives,
    allOf,
    ...rest
  } = omit(schema as Record<string, JsonSchema[]>, "if", "then", "else");
  const ownBase = simplifyParts(rest as JsonSchema, context);
  // Such alternatives describe one object and differ in the fields that they require.
  const isOneObject = alternatives?.every(({ required }) => required !== undefined);
  const base = isOneObject ? withProperties(ownBase, alternatives ?? [], context) : ownBase;
  const anyOf = isOneObject ? undefined : alternatives;
  if ([oneOf, anyOf, allOf].filter((keyword) => keyword !== undefined).length > 1) {
    const problem =
      "combines two of oneOf, anyOf and allOf, which the OpenAPI 3.0 form cannot express. Keep one of them.";
    throw new UsageError(`${placeOf(schema, context)} ${problem}`);
  }
  const openEnum = base["x-open-enum"];
  if (openEnum !== undefined) return extensibleEnum(base, Object.keys(openEnum));
  if (oneOf?.every((alternative) => isRef(alternative))) {
    const [onlyReference, ...otherReferences] = oneOf.map((alternative) =>
      bareReference((alternative as unknown as Ref).$ref),
    );
    return otherReferences.length === 0 && onlyReference !== undefined
      ? simplifyReference({ ...omit(base, "discriminator", "type"), ...onlyReference } as JsonSchema & Ref, context)
      : ({ ...base, oneOf: [onlyReference, ...otherReferences] } as JsonSchema);
  }
  const errors = openErrorsOf(anyOf);
  if (errors.length > 0) {
    return { ...schemaOfErrors(errors, context.document), ...omit(base, "type") } as JsonSchema;
  }
  // Only request schemas allow a choice between types. A caller needs only one of them, so the first is kept.
  if (anyOf?.[0] !== undefined) {
    const describesObject = base.properties !== undefined || base.required !== undefined;
    return describesObject ? flatten(schema, base, [anyOf[0]], context) : { ...simplify(anyOf[0], context), ...base };
  }
  if (oneOf !== undefined) return simplifyUnion(schema, base, oneOf, context);
  if (allOf !== undefined) return flatten(schema, base, allOf, context);
  return chooseType(schema, base, context);
}

/**
 * Keeps a reference without other keywords. With other keywords, a reference to an object that cannot be null is kept too, because the
 * converter turns it into an `allOf`; any other target is copied.
 */
function simplifyReference({ $ref, ...siblings }: JsonSchema & Ref, context: Context): JsonSchema {
  if (Object.keys(siblings).length === 0) return bareReference($ref);
  const target = targetOf($ref, context);
  const isReferenceKept = target.properties !== undefined && ![target.type].flat().includes("null");
  return isReferenceKept ? ({ $ref, ...siblings } as unknown as JsonSchema) : copySchema(target, siblings);
}

function simplifyUnion(schema: JsonSchema, base: JsonSchema, alternatives: JsonSchema[], context: Context): JsonSchema {
  const values = alternatives.filter(({ type }) => type !== "null").map((alternative) => inlined(alternative, context));
  const chosenValue = values.find(({ type }) => isInExamples(type, schema, context)) ?? values[0];
  const types = [...new Set(values.flatMap(({ type }) => type ?? []))];
  const type = values.length === alternatives.length ? types : [...types, "null"];
  const chosenSchema = copySchema(chosenValue ?? base, { ...base, type: type.length === 1 ? type[0] : type });
  return chooseType(schema, chosenSchema, context);
}

/**
 * Replaces several types besides `null` with one, because most languages cannot express a union: a type that the examples have, otherwise
 * the first. The description names the others.
 */
function chooseType(schema: JsonSchema, base: JsonSchema, context: Context): JsonSchema {
  const types = [base.type ?? []].flat().filter((type) => type !== "null");
  if (types.length < 2) return base;
  const chosenType = types.find((type) => isInExamples(type, schema, context)) ?? types[0];
  const otherTypes = types.filter((type) => type !== chosenType);
  const type = [base.type].flat().includes("null") ? [chosenType, "null"] : chosenType;
  return appendDescription({ ...base, type } as JsonSchema, `It can also be of the type ${otherTypes.join(" or ")}.`);
}

function isInExamples(type: JsonSchema["type"], schema: JsonSchema, { exampleTypes }: Context): boolean {
  return exampleTypes.get(schema)?.has(type === "integer" ? "number" : String(type)) === true;
}

/** @param schema the whole schema, for its place in messages. */
function flatten(schema: JsonSchema, base: JsonSchema, parts: JsonSchema[], context: Context): JsonSchema {
  const combine = (first: JsonSchema, second: JsonSchema) =>
    combineSchemas(first, second, {
      withoutReference: (part) => withoutReference(part, context),
      place: () => placeOf(schema, context),
    });
  const whole = parts.map((part) => copySchema(inlined(part, context), {})).reduce(combine, {} as JsonSchema);
  // The title comes first.
  return { ...base, ...copySchema(whole, combine(whole, base)) };
}

function withProperties(base: JsonSchema, alternatives: JsonSchema[], context: Context): JsonSchema {
  const lists = alternatives.flatMap((part) => simplify(part, context).properties ?? []);
  return lists.length === 0 ? base : { ...base, properties: Object.assign({}, ...lists, base.properties) };
}

function simplifyParts(schema: JsonSchema, context: Context): JsonSchema {
  const { properties, items, additionalProperties, not, examples, ...others } = schema;
  const inner = Object.entries({ items, additionalProperties, not }).flatMap(([keyword, part]) =>
    typeof part === "object" ? [[keyword, simplify(part as JsonSchema, context)]] : [],
  );
  return {
    ...others,
    ...(examples?.[0] !== undefined && { example: examples[0] }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, simplify(part as JsonSchema, context)]),
      ),
    }),
    ...Object.fromEntries(inner),
    ...limitsOf(schema),
  } as JsonSchema;
}

/** An exclusive limit is a mark in OpenAPI 3.0, so only the narrower one of two limits can be written. */
function limitsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): Part {
  const isLowest = typeof exclusiveMinimum === "number" && exclusiveMinimum >= (minimum ?? exclusiveMinimum);
  const isHighest = typeof exclusiveMaximum === "number" && exclusiveMaximum <= (maximum ?? exclusiveMaximum);
  return {
    ...(exclusiveMinimum !== undefined && {
      minimum: isLowest ? exclusiveMinimum : minimum,
      exclusiveMinimum: isLowest,
    }),
    ...(exclusiveMaximum !== undefined && {
      maximum: isHighest ? exclusiveMaximum : maximum,
      exclusiveMaximum: isHighest,
    }),
  };
}

function inlined(schema: JsonSchema, context: Context): JsonSchema {
  return withoutReference(simplify(schema, context), context);
}

/** @param schema a simplified one. */
function withoutReference(schema: JsonSchema, context: Context): JsonSchema {
  if (!isRef(schema)) return schema;
  const { $ref, ...siblings } = schema as JsonSchema & Ref;
  return copySchema(targetOf($ref, context), siblings);
}

/** @throws {UsageError} if the target contains the reference, because a copy of it would have no end. */
function targetOf($ref: string, context: Context): JsonSchema {
  const { document, openReferences = [] } = context;
  if (openReferences.includes($ref)) {
    throw new UsageError(
      `${$ref} refers to itself with keywords beside the reference, which OpenAPI 3.0 cannot express. Remove the keywords.`,
    );
  }
  return inlined(valueAt(document, $ref) as JsonSchema, { ...context, openReferences: [...openReferences, $ref] });
}

function placeOf(schema: JsonSchema, { document }: Context): string {
  let pointer = "";
  visitObjects(document, (object, path) => {
    if (object === schema) pointer = pointerOf(path);
  });
  return pointer;
}

/**
 * Copies a schema without `title`, `x-open-enum`, `x-origin` and `x-since`, which readers find at the component. If `siblings` replaces the
 * description, the known values are appended to it.
 *
 * @param siblings keywords to add to the copy, or to replace in it.
 */
function copySchema(schema: JsonSchema, siblings: Part): JsonSchema {
  const target = omit(schema, "title", "x-open-enum", "x-origin", "x-since");
  const copy = { ...target, ...siblings } as JsonSchema;
  const { "x-extensible-enum": knownValues } = target as { "x-extensible-enum"?: string[] };
  return knownValues === undefined || siblings.description === undefined
    ? copy
    : appendDescription(copy, valuesSentence(knownValues));
}

/** A reference without sibling keywords: the items of a `oneOf` with a discriminator cannot have any. */
function bareReference($ref: string): JsonSchema {
  return { $ref } as unknown as JsonSchema;
}

function extensibleEnum(schema: JsonSchema, values: string[]): JsonSchema {
  return {
    ...appendDescription(schema, valuesSentence(values)),
    type: "string",
    "x-extensible-enum": values,
  } as JsonSchema;
}

function valuesSentence(values: readonly string[]): string {
  return `Known values: ${values.join(", ")}. Others are possible.`;
}

function appendDescription(schema: JsonSchema, sentence: string): JsonSchema {
  return { ...schema, description: [schema.description?.trimEnd(), sentence].filter(Boolean).join(" ") };
}
