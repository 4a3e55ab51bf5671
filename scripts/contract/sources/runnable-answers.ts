import { projectRoot } from "../model/index.ts";
import { readYaml } from "./read-yaml.ts";

/** Each answer by the id of its question: why the mock cannot run it, or the values that the mock takes for it; empty for the assumed one. */
export type RunnableAnswers = Readonly<Record<string, Readonly<Record<string, { readonly cannot?: string }>>>>;

/** @throws {UsageError} if the file cannot be read. */
export function readRunnableAnswers(file = `${projectRoot}/openapi/answers.yaml`): RunnableAnswers {
  return readYaml<RunnableAnswers>(file, "The answers to open questions");
}
