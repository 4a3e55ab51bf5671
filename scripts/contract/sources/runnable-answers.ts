import type { SourceLocation } from "../model/index.ts";
import { assumeForms } from "./mock-form.ts";
import { Sources } from "./sources.ts";
import { mapOf, mapWith, valueOfForm } from "./value-of-form.ts";

/**
 * The answers by question and name. An answer has either the settings with which the mock simulates it, which are empty for the assumed
 * answer, or `cannot`: the reason why the mock cannot simulate it.
 */
export type RunnableAnswers = Readonly<Record<string, Readonly<Record<string, { readonly cannot?: string }>>>>;

const form = mapOf(mapOf({ description: "the settings of the mock, or `cannot` with a reason", type: "object" }));
const reasonForm = mapWith({ cannot: { type: "string", pattern: "^[A-Z][^\\n]+\\.$", maxLength: 130 } });

export function formOfAnswer(answer: SourceLocation, mockControl: SourceLocation | undefined): object {
  return answer.child("cannot").exists ? reasonForm : ((mockControl && assumeForms(mockControl)?.settings) ?? {});
}

/** @throws {UsageError} if the file cannot be read, or an answer has another form. */
export function readRunnableAnswers(sources: Sources = new Sources()): RunnableAnswers {
  const location = sources.location(sources.layout.answers);
  const mockControl = sources.optionalLocation(sources.layout.mockControl);
  const answers = valueOfForm<RunnableAnswers>(location, form);
  for (const [, question] of location.entries())
    for (const [, answer] of question.entries()) valueOfForm(answer, formOfAnswer(answer, mockControl));
  return answers;
}
