import { Sources } from "./sources.ts";

/**
 * The answers by the id of their question and their name. An answer has `cannot`, the reason why the mock cannot simulate it, or the
 * settings with which the mock simulates it. The settings of the assumed answer are empty.
 */
export type RunnableAnswers = Readonly<Record<string, Readonly<Record<string, { readonly cannot?: string }>>>>;

/** @throws {UsageError} if the file cannot be read or parsed. */
export function readRunnableAnswers(sources: Sources = new Sources()): RunnableAnswers {
  return sources.read<RunnableAnswers>(sources.layout.answers);
}
