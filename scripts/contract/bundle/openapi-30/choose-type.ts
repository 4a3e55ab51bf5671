import { omit } from "../../../base/index.ts";
import type { JsonSchema, SourceLocation } from "../../model/index.ts";
import { addSentence } from "./copy-schema.ts";
import { jsonTypeOf, valueTypeOf } from "./inline-examples.ts";
import { type Context, isInExamples, refuseSchema } from "./simplification-context.ts";

const objectProblem = "is a choice between an object and another schema";
const objectRemedy = "Write one object, or a oneOf of references";

/**
 * Replaces several types besides `null` with one, because most languages cannot express a union: a type that the examples show, otherwise
 * a type of the `enum`, otherwise the first. The description names the other types; values of the `enum` with these types are left out.
 */
export function chooseType(schema: SourceLocation, base: JsonSchema, context: Context): JsonSchema {
  if (!Array.isArray(base.type)) return withoutUnfitting("example", base);
  const allTypes = base.type;
  const types = allTypes.filter((type) => type !== "null" && !(type === "integer" && allTypes.includes("number")));
  if (types.length > 1 && types.includes("object")) refuseSchema(objectProblem, objectRemedy, schema);
  const chosenType =
    types.find((type) => isInExamples(type, schema, context)) ??
    types.find((type) => base.enum?.some((value) => jsonTypeOf(value) === valueTypeOf(type))) ??
    types[0];
  const otherTypes = types.filter((type) => type !== chosenType);
  const type = allTypes.includes("null") ? [chosenType, "null"] : chosenType;
  const schemaOfType = withoutUnfitting("example", { ...base, type } as JsonSchema);
  if (otherTypes.length === 0) return schemaOfType;
  const typedSchema = withoutUnfitting("default", schemaOfType);
  const otherValueTypes = otherTypes.map(valueTypeOf);
  const values = base.enum?.filter((value) => !otherValueTypes.includes(jsonTypeOf(value)));
  return addSentence(
    values === undefined ? typedSchema : { ...typedSchema, enum: values },
    `It can also be of the type ${otherTypes.join(" or ")}.`,
  );
}

/** Leaves out a value of another type than the schema, whose type can be that of the examples of bodies. */
function withoutUnfitting(keyword: "example" | "default", schema: JsonSchema): JsonSchema {
  const { [keyword]: value, type = [] } = schema;
  const types = [type].flat().map(valueTypeOf);
  const isFitting = value === undefined || types.length === 0 || types.includes(jsonTypeOf(value));
  return isFitting ? schema : (omit(schema, keyword) as JsonSchema);
}

/**
 * @param alternatives simplified schemas without references. Refused if two have the same type.
 * @returns the alternative that the examples show, otherwise the first, and the types of all alternatives.
 */
export function chooseAlternative(
  schema: SourceLocation,
  alternatives: readonly JsonSchema[],
  context: Context,
): { shown: JsonSchema; types: string[] } {
  const typedAlternatives = alternatives.map((alternative) => ({ ...typeOfFields(alternative), ...alternative }));
  const typeLists = typedAlternatives.map(({ type }) => [type].flat().filter((one) => one !== "null"));
  const types = typeLists.flat().map((type) => (type === "integer" ? "number" : type));
  if (types.length > 1 && types.includes("object")) refuseSchema(objectProblem, objectRemedy, schema);
  if (types.includes(undefined) || new Set(types).size < types.length) {
    refuseSchema("has alternatives that no type distinguishes", "Write one schema for them", schema);
  }
  const shownIndex = typeLists.findIndex((list) => list.some((type) => isInExamples(type, schema, context)));
  return {
    shown: typedAlternatives[Math.max(shownIndex, 0)] ?? {},
    types: typedAlternatives.flatMap(({ type }) => type ?? []),
  };
}

function typeOfFields({ properties }: JsonSchema): JsonSchema {
  return properties === undefined ? {} : { type: "object" };
}
