import { omit, UsageError } from "../base/index.ts";
import {
  generalError,
  isCode,
  isRef,
  type JsonSchema,
  keysOf,
  type OpenApiDocument,
  pointerOf,
  type Ref,
  valueAt,
  visitObjects,
} from "../model/index.ts";
import type { ExampleTypes } from "./inline-examples.ts";

/** The name of the component schema for the errors of a response that can also come without a P-code. */
const errorWithOrWithoutCode = "ErrorWithOrWithoutCode";

type Part = Record<string, unknown>;

/** Copies schemas without most keywords that OpenAPI 3.0 lacks or many code generators cannot read. Leaves the document unchanged. */
export class Simplifier {
  /** Component schemas that the copies refer to and the document does not have. */
  readonly addedSchemas: Record<string, JsonSchema> = {};
  readonly #document: OpenApiDocument;
  readonly #exampleTypes: ExampleTypes;
  /** The references whose targets are being copied. */
  readonly #openReferences = new Set<string>();

  constructor(document: OpenApiDocument, exampleTypes: ExampleTypes) {
    this.#document = document;
    this.#exampleTypes = exampleTypes;
  }

  simplify(schema: JsonSchema): JsonSchema {
    if (isRef(schema)) return this.#simplifyReference(schema);
    const {
      oneOf,
      anyOf: alternatives,
      allOf,
      ...rest
    } = omit(schema as Record<string, JsonSchema[]>, "if", "then", "else");
    const base = this.#simplifyParts(rest as JsonSchema);
    const openEnum = base["x-open-enum"];
    if (openEnum !== undefined) return addKnownValues(base, Object.keys(openEnum));
    // Such alternatives describe one object and differ in the fields that they require.
    const isOneObject = alternatives?.every(({ required }) => required !== undefined);
    const anyOf = isOneObject ? undefined : alternatives;
    if (isOneObject && alternatives?.some(({ properties }) => properties !== undefined)) {
      const ownProperties = base.properties;
      base.properties = Object.assign({}, ...alternatives.map((part) => this.simplify(part).properties), ownProperties);
    }
    if ([oneOf, anyOf, allOf].filter((keyword) => keyword !== undefined).length > 1) {
      throw new UsageError(
        `${this.#pointerOf(schema)} combines two of oneOf, anyOf and allOf, which the OpenAPI 3.0 form cannot express. Keep one of them.`,
      );
    }
    if (oneOf?.every((alternative) => isRef(alternative))) {
      const [onlyReference, ...otherReferences] = oneOf.map((alternative) =>
        bareReference((alternative as unknown as Ref).$ref),
      );
      return otherReferences.length === 0 && onlyReference !== undefined
        ? this.#simplifyReference({ ...omit(base, "discriminator", "type"), ...onlyReference } as JsonSchema & Ref)
        : ({ ...base, oneOf: [onlyReference, ...otherReferences] } as JsonSchema);
    }
    const errors = openErrorsOf(anyOf);
    if (errors.length > 0) return this.#generalErrorOf(errors);
    // Only request schemas allow a choice between types. A caller needs only one of them, so the first is kept.
    if (anyOf?.[0] !== undefined) {
      const describesObject = base.properties !== undefined || base.required !== undefined;
      return describesObject ? this.#flatten(base, [anyOf[0]]) : { ...this.simplify(anyOf[0]), ...base };
    }
    if (oneOf !== undefined) return this.#simplifyUnion(schema, base, oneOf);
    if (allOf !== undefined) return this.#flatten(base, allOf);
    return this.#chooseType(schema, base);
  }

  /**
   * Keeps a reference without other keywords. With other keywords, a reference to an object that cannot be null is kept too, because the
   * converter turns it into an `allOf`; any other target is copied.
   */
  #simplifyReference({ $ref, ...siblings }: JsonSchema & Ref): JsonSchema {
    if (Object.keys(siblings).length === 0) return bareReference($ref);
    const target = this.#target($ref);
    const isReferenceKept = target.properties !== undefined && ![target.type].flat().includes("null");
    return isReferenceKept ? ({ $ref, ...siblings } as unknown as JsonSchema) : copySchema(target, siblings);
  }

  #simplifyUnion(schema: JsonSchema, base: JsonSchema, alternatives: JsonSchema[]): JsonSchema {
    const values = alternatives
      .filter(({ type }) => type !== "null")
      .map((alternative) =>
        isRef(alternative) ? copySchema(this.#target(alternative.$ref), {}) : this.simplify(alternative),
      );
    const isInExamples = ({ type }: JsonSchema) => this.#exampleTypes.get(schema)?.has(String(type));
    const chosenValue = values.find(isInExamples) ?? values[0];
    const types = [...new Set(values.flatMap(({ type }) => type ?? []))];
    const type = values.length === alternatives.length ? types : [...types, "null"];
    return this.#chooseType(
      schema,
      copySchema(chosenValue ?? base, { ...base, type: type.length === 1 ? type[0] : type }),
    );
  }

  /**
   * Replaces several types besides `null` with one, because most languages cannot express a union: a type that the examples have, otherwise
   * the first. The description names the others.
   */
  #chooseType(schema: JsonSchema, base: JsonSchema): JsonSchema {
    const types = [base.type ?? []].flat().filter((type) => type !== "null");
    if (types.length < 2) return base;
    const chosenType =
      types.find((type) => this.#exampleTypes.get(schema)?.has(type === "integer" ? "number" : type)) ?? types[0];
    const otherTypes = types.filter((type) => type !== chosenType);
    const type = [base.type].flat().includes("null") ? [chosenType, "null"] : chosenType;
    return appendDescription({ ...base, type } as JsonSchema, `It can also be of the type ${otherTypes.join(" or ")}.`);
  }

  #flatten(base: JsonSchema, allOf: JsonSchema[]): JsonSchema {
    const parts = allOf.map((part) => (isRef(part) ? this.#target(part.$ref) : this.simplify(part)));
    const [firstPart = {} as JsonSchema] = parts;
    const allParts = [...parts, base];
    const lists = (["required", "x-open-questions"] as const).map((key) => {
      return [key, [...new Set(allParts.flatMap((part) => part[key] ?? []))]] as const;
    });
    const properties = Object.assign({}, ...allParts.map((part) => part.properties));
    // Without its properties, the first part leaves `properties` where `base` has the keyword.
    return {
      ...copySchema(base.properties === undefined ? firstPart : (omit(firstPart, "properties") as JsonSchema), base),
      properties,
      ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
    } as JsonSchema;
  }

  /** Replaces the `anyOf` of an open response, which has no discriminator, with one schema for all its errors. */
  #generalErrorOf(errors: Ref[]): JsonSchema {
    const generalSchema = this.#target(componentRef(generalError));
    const lists = errors.map(({ $ref }) => this.#target($ref).required ?? []);
    const required = generalSchema.required?.filter((field) => lists.every((list) => list.includes(field)));
    if (required?.length === generalSchema.required?.length) return bareReference(componentRef(generalError));
    const [title, description] = ["Error with or without a code", "The error format with any P-code, or without one."];
    this.addedSchemas[errorWithOrWithoutCode] ??= { ...generalSchema, title, description, required } as JsonSchema;
    return bareReference(componentRef(errorWithOrWithoutCode));
  }

  #simplifyParts(schema: JsonSchema): JsonSchema {
    const { properties, items, additionalProperties, examples, ...others } = schema;
    const simplifiedSchema: Part = others;
    if (examples?.[0] !== undefined) simplifiedSchema.example = examples[0];
    if (properties !== undefined) {
      const entries = Object.entries(properties).map(([name, inner]) => [name, this.simplify(inner as JsonSchema)]);
      simplifiedSchema.properties = Object.fromEntries(entries);
    }
    for (const [keyword, inner] of Object.entries({ items, additionalProperties })) {
      if (typeof inner === "object") simplifiedSchema[keyword] = this.simplify(inner as JsonSchema);
    }
    for (const [exclusive, limit] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      if (typeof schema[exclusive] === "number")
        Object.assign(simplifiedSchema, { [limit]: schema[exclusive], [exclusive]: true });
    }
    return simplifiedSchema as JsonSchema;
  }

  #pointerOf(schema: JsonSchema): string {
    let pointer = "";
    visitObjects(this.#document, (object, path) => {
      if (object === schema) pointer = pointerOf(path);
    });
    return pointer;
  }

  /** @throws {UsageError} if the target contains the reference, because a copy of it would have no end. */
  #target($ref: string): JsonSchema {
    if (this.#openReferences.has($ref)) {
      throw new UsageError(
        `${$ref} refers to itself with keywords beside the reference, which OpenAPI 3.0 cannot express. Remove the keywords.`,
      );
    }
    this.#openReferences.add($ref);
    const target = this.simplify(valueAt(this.#document, $ref) as JsonSchema);
    this.#openReferences.delete($ref);
    return target;
  }
}

/** The references of an `anyOf` that lists the errors of an open response; empty for any other `anyOf`. */
export function openErrorsOf(anyOf: readonly JsonSchema[] = []): Ref[] {
  const references = anyOf.filter((alternative) => isRef(alternative));
  const isError = ({ $ref }: Ref) => $ref === componentRef(generalError) || isCode(componentName($ref));
  return references.length === anyOf.length && references.some(isError) ? references : [];
}

export function componentName($ref: string): string {
  return keysOf($ref).at(-1) ?? "";
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

function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

function addKnownValues(schema: JsonSchema, values: string[]): JsonSchema {
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
