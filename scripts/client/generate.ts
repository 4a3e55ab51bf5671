/** Generates the files of `generated/client/`. */
import { type OpenApiDocument, type Registers, readContract } from "../contract/index.ts";
import { helpersSource } from "./helpers-entry.ts";
import { indexSource, operationsSource } from "./operation-entry.ts";
import { answerSchemasSource, webhookSchemasSource } from "./schemas.ts";
import {
  catalogueSource,
  contractSource,
  operationTableSource,
  sensitiveNamesSource,
  wholeCatalogueSource,
} from "./tables.ts";
import { answerExamplesSource, testingSource } from "./testing-entry.ts";
import { generateTypes } from "./types.ts";
import { webhookExamplesSource, webhooksSource } from "./webhook-entry.ts";

/**
 * Generates the TypeScript files of the client that are committed. They import the runtime in `scripts/client/runtime/`.
 *
 * @param document the bundle of the edition that has everything, with every `x-` key of the sources.
 * @returns the text of each file by its name.
 */
export async function generateClient(document: OpenApiDocument, registers: Registers): Promise<Record<string, string>> {
  const { questions } = registers;
  const contract = readContract(document, registers);
  return {
    "index.ts": indexSource(contract, questions),
    "operations.ts": operationsSource(contract, questions),
    "operation-table.ts": operationTableSource(contract),
    "contract.ts": contractSource(),
    "catalogue.ts": catalogueSource(contract),
    "whole-catalogue.ts": wholeCatalogueSource(contract),
    "sensitive-names.ts": sensitiveNamesSource(contract),
    "types.ts": await generateTypes(document, questions),
    "webhooks.ts": webhooksSource(contract, questions),
    "webhook-examples.ts": webhookExamplesSource(contract),
    "webhook-schemas.ts": webhookSchemasSource(contract),
    "answer-schemas.ts": answerSchemasSource(contract),
    "helpers.ts": helpersSource(contract),
    "testing.ts": testingSource(contract),
    "answer-examples.ts": answerExamplesSource(contract),
  };
}
