/** Which keywords of a schema the OpenAPI 3.0 form keeps, converts or leaves out. Other keywords are refused. */
import { compositions, isAnnotation, type JsonSchema, type SourceLocation, walkSchema } from "../../model/index.ts";
import { isMark } from "../combine-keywords.ts";
import { refuseSchema } from "./simplification-context.ts";

type Decision = "keep" | "convert" | "leave out";

const keywordsByDecision: Readonly<Record<Decision, readonly string[]>> = {
  keep: [
    ...["type", "enum", "format", "title", "description", "default", "example", "deprecated", "readOnly", "writeOnly"],
    ...["externalDocs", "xml", "discriminator", "required", "minProperties", "maxProperties", "minItems", "maxItems"],
    ...["uniqueItems", "pattern", "minLength", "maxLength", "minimum", "maximum", "multipleOf"],
    ...["properties", "additionalProperties", "items", "not"],
  ],
  convert: ["$ref", ...compositions, "const", "examples", "exclusiveMinimum", "exclusiveMaximum"],
  "leave out": ["if", "then", "else", "dependentRequired", "$comment"],
};

/** @returns undefined for a keyword that is refused. */
export function decisionOn(keyword: string): Decision | undefined {
  if (keyword.startsWith("x-")) return "keep";
  return (["keep", "convert", "leave out"] as const).find((decision) => keywordsByDecision[decision].includes(keyword));
}

/** Alternatives that each have `required` are taken as one object, of which different fields are required. */
export function describeOneObject(alternatives: readonly JsonSchema[]): boolean {
  return alternatives.length > 1 && alternatives.every(({ required }) => required !== undefined);
}

/** The keywords, besides marks, that are permitted in an alternative that is replaced or left out. Others would be lost. */
interface Permitted {
  keywords: readonly string[];
  place: string;
  remedy: string;
}

export const besideReference: Permitted = {
  keywords: ["$ref"],
  place: "beside a reference in a choice",
  remedy: "Write it in the target",
};
export const besideNull: Permitted = {
  keywords: ["type", "title", "description"],
  place: "beside null",
  remedy: "Write it beside the choice",
};
export const amongFields: Permitted = {
  keywords: ["required", "title", "description"],
  place: "in an alternative",
  remedy: "Write it beside the alternatives",
};

export function refuseOtherKeywords(
  alternatives: readonly JsonSchema[],
  { keywords, place, remedy }: Permitted,
  schema: SourceLocation,
): void {
  const allKeywords = alternatives.flatMap(Object.keys);
  const lostKeyword = allKeywords.find((keyword) => !keywords.includes(keyword) && !isMark(keyword));
  if (lostKeyword !== undefined) refuseSchema(`has ${lostKeyword} ${place}`, remedy, schema);
}

/** Leaving out a keyword makes a schema accept more values, but under `not`, fewer. */
export function refuseLossInNot(schema: SourceLocation): void {
  walkSchema(schema.child("not"), ({ value }) => {
    const [lostKeyword] = Object.entries(value as object).find(isLeftOut) ?? [];
    if (lostKeyword !== undefined) refuseSchema(`has ${lostKeyword} under not`, "Describe it in words", schema);
  });
}

function isLeftOut([keyword, value]: [string, unknown]): boolean {
  if (keyword === "oneOf" || keyword === "anyOf") return describeOneObject(value as JsonSchema[]);
  return decisionOn(keyword) === "leave out" && !isAnnotation(keyword);
}
