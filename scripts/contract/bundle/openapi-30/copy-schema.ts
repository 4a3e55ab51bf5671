import { omit } from "../../../base/index.ts";
import type { JsonSchema } from "../../model/index.ts";
import { combineKeywords, sentencesKey } from "../combine-keywords.ts";

/**
 * Copies a schema without `title`, `x-open-enum`, `x-origin` and `x-since`, which readers find at the component.
 *
 * @param siblings keywords to add to the copy, or to replace in it.
 */
export function copySchema(schema: JsonSchema, siblings: JsonSchema): JsonSchema {
  const target = omit(schema, "title", "x-open-enum", "x-origin", "x-since");
  return { ...target, ...siblings, ...combineKeywords(schema, siblings) };
}

export function extensibleEnum(schema: JsonSchema, values: string[]): JsonSchema {
  const sentence = `Known values: ${values.join(", ")}. Others are possible.`;
  return { ...addSentence(schema, sentence), type: "string", "x-extensible-enum": values };
}

export function addSentence(schema: JsonSchema, sentence: string): JsonSchema {
  return { ...schema, [sentencesKey]: [...((schema[sentencesKey] ?? []) as string[]), sentence] };
}

/** Moves the added sentences into the description. Changes `schema`. */
export function writeSentences(schema: JsonSchema): void {
  const sentences = schema[sentencesKey] as string[] | undefined;
  if (sentences === undefined) return;
  schema.description = [schema.description?.trimEnd(), ...sentences].filter(Boolean).join(" ");
  delete schema[sentencesKey];
}
