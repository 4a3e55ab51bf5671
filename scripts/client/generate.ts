/** Generates the files of `generated/<edition>/client/`. */
import { type Edition, type OpenApiDocument, type OpenQuestions, readContract } from "../contract/index.ts";
import { indexSource, webhookExamplesSource, webhooksSource } from "./entries.ts";
import { answerSchemasSource, webhookSchemasSource } from "./schemas.ts";
import { catalogueSource, operationsSource, sensitiveNamesSource } from "./tables.ts";
import { generateTypes } from "./types.ts";

/**
 * Generates the TypeScript files of the client that are committed. They import the runtime in `scripts/client/runtime/`.
 *
 * @param document the bundle of the edition.
 * @returns the text of each file by its name.
 */
export async function generateClient(
  document: OpenApiDocument,
  edition: Edition,
  questions: OpenQuestions,
): Promise<Record<string, string>> {
  const contract = readContract(document);
  return {
    "index.ts": indexSource(contract, edition, questions),
    "operations.ts": operationsSource(contract),
    "catalogue.ts": catalogueSource(contract, edition),
    "sensitive-names.ts": sensitiveNamesSource(contract),
    "types.ts": await generateTypes(document, questions),
    "webhooks.ts": webhooksSource(contract, questions),
    "webhook-examples.ts": webhookExamplesSource(contract),
    "webhook-schemas.ts": webhookSchemasSource(contract),
    "answer-schemas.ts": answerSchemasSource(contract),
  };
}
