import { omit } from "../../base/index.ts";
import type { JsonSchema } from "../model/index.ts";

/**
 * Copies a schema without `title`, `x-open-enum`, `x-origin` and `x-since`, which readers find at the component. A description in `siblings`
 * gets the sentences that were added to the replaced one.
 *
 * @param siblings keywords to add to the copy, or to replace in it.
 */
export function copySchema(schema: JsonSchema, siblings: Record<string, unknown>): JsonSchema {
  const target = omit(schema, "title", "x-open-enum", "x-origin", "x-since");
  const copy = { ...target, ...siblings } as JsonSchema;
  const [sentences = ""] = addedSentences.exec(schema.description ?? "") ?? [];
  const isReplaced = sentences !== "" && copy.description !== schema.description;
  return isReplaced ? appendDescription(copy, sentences.trim()) : copy;
}

export function extensibleEnum(schema: JsonSchema, values: string[]): JsonSchema {
  return {
    ...appendDescription(schema, valuesSentence(values)),
    type: "string",
    "x-extensible-enum": values,
  } as JsonSchema;
}

function valuesSentence(values: readonly string[]): string {
  return `Known values: ${values.join(", ")}. Others are possible.`;
}

/** What {@link extensibleEnum} and `chooseType` add. */
const addedSentences = /(?:(?:^| )(?:Known values: .+?\. Others are possible|It can also be of the type [a-z ]+)\.)+$/;

export function appendDescription(schema: JsonSchema, sentence: string): JsonSchema {
  return { ...schema, description: [schema.description?.trimEnd(), sentence].filter(Boolean).join(" ") };
}
