import { Sources } from "./sources.ts";
import { mapOf, text, valueOfForm } from "./value-of-form.ts";

/**
 * The answers by question and name. An answer has either the settings with which the mock simulates it, which are empty for the assumed
 * answer, or `cannot`: the reason why the mock cannot simulate it.
 */
export type RunnableAnswers = Readonly<Record<string, Readonly<Record<string, { readonly cannot?: string }>>>>;

const form = mapOf(
  mapOf({
    description: "the settings of the mock, or `cannot` with a reason",
    type: "object",
    properties: { cannot: text },
    dependentSchemas: { cannot: { maxProperties: 1 } },
  }),
);

/** @throws {UsageError} if the file cannot be read, or an answer is malformed. */
export function readRunnableAnswers(sources: Sources = new Sources()): RunnableAnswers {
  return valueOfForm(sources.location(sources.layout.answers), form);
}
