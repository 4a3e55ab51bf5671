import { Sources } from "./sources.ts";
import { mapOf, text, valueOfForm } from "./value-of-form.ts";

/**
 * The answers by the id of their question and their name. An answer has `cannot`, the reason why the mock cannot simulate it, or the
 * settings with which the mock simulates it. The settings of the assumed answer are empty.
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

/** @throws {UsageError} if the file cannot be read, or an answer has another form. */
export function readRunnableAnswers(sources: Sources = new Sources()): RunnableAnswers {
  return valueOfForm(sources.location(sources.layout.answers), form);
}
