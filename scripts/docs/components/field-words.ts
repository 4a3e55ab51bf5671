/** The types and constraints of JSON Schema in words. */

import { isApplicator, type JsonSchema } from "../../contract/index.ts";
import { counted } from "../text/counted.ts";

/** A constraint: words, with values of the interface at their end. */
export interface Fact {
  words: string;
  values: string[];
}

const formats: Record<string, string> = {
  uuid: "UUID",
  "date-time": "date and time",
  date: "date",
  uri: "URI",
  email: "e-mail address",
  binary: "file",
};

/** Keywords that another part of a field shows, or that say nothing to a reader. */
const shownElsewhere = new Set([
  "type",
  "title",
  "description",
  "format",
  "required",
  "examples",
  "example",
  "deprecated",
  "discriminator",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "$ref",
  "$id",
  "$schema",
  "$comment",
]);

const bounds: Record<string, string> = {
  minimum: "at least",
  exclusiveMinimum: "more than",
  maximum: "at most",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
  pattern: "matches",
  const: "always",
  enum: "one of",
  default: "default",
};

/** The type of a single schema object, in words, without null; empty where it does not say one. */
export function typeWords(schema: JsonSchema): string[] {
  const format = schema.format === undefined ? "" : (formats[String(schema.format)] ?? String(schema.format));
  return [schema.type ?? []]
    .flat()
    .filter((type) => type !== "null")
    .map((type) => {
      if (type !== "string" || format === "") return String(type);
      return format === "file" ? format : `string (${format})`;
    });
}

/** What a single schema object demands of a value, in words. A keyword that is not known here is shown as it is. */
export function factsOf(schema: JsonSchema): Fact[] {
  const lengths = rangeFact(schema.minLength, schema.maxLength, "character");
  const sizes = rangeFact(schema.minItems, schema.maxItems, "item");
  const others = Object.entries(schema).flatMap(([keyword, value]): Fact[] => {
    if (keyword === "x-max-bytes") return [{ words: `at most ${bytesWords(Number(value))}`, values: [] }];
    if (keyword.startsWith("x-") || shownElsewhere.has(keyword)) return [];
    if (keyword === "additionalProperties" && value === false) return [{ words: "no other fields", values: [] }];
    if (keyword === "uniqueItems") return value === true ? [{ words: "no item twice", values: [] }] : [];
    if (isApplicator(keyword)) return [];
    return [{ words: bounds[keyword] ?? keyword, values: [value].flat().map(valueText) }];
  });
  return [...lengths, ...sizes, ...others];
}

/** A value as a reader sees it: a text without quotes. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Words as a list: `a, b or c`. */
export function listWords(words: readonly string[], joint: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}

/** A name in camelCase as words: `sepaTransfer` is a SEPA transfer. */
export function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/\b(iban|kyc|sepa)\b/g, (acronym) => acronym.toUpperCase());
}

function rangeFact(least: number | undefined, most: number | undefined, unit: string): Fact[] {
  if (least === undefined && most === undefined) return [];
  const units = (count: number) => counted(count, unit);
  if (most === undefined) return [{ words: least === 1 ? "not empty" : `at least ${units(least ?? 0)}`, values: [] }];
  if (least === undefined) return [{ words: `at most ${units(most)}`, values: [] }];
  return [{ words: least === most ? `exactly ${units(most)}` : `${least} to ${units(most)}`, values: [] }];
}

/** A size in bytes, in MiB where it is a whole number of them. */
function bytesWords(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB (${bytes} bytes)` : `${bytes} bytes`;
}
