import { type OpenApiDocument, type Registers, readContract } from "../../contract/model/index.ts";
import { checkContract } from "./checks/check-contract.ts";
import { checkNames } from "./checks/check-names.ts";
import { clientsSource } from "./files/clients.ts";
import { codesSource } from "./files/codes.ts";
import { contractSource } from "./files/contract.ts";
import { errorTextsSource } from "./files/error-texts.ts";
import { lifecyclesSource } from "./files/lifecycles.ts";
import { lookupsSource } from "./files/lookups.ts";
import { operationTableSource } from "./files/operation-table.ts";
import { operationsSource } from "./files/operations.ts";
import { responseExamplesSource } from "./files/response-examples.ts";
import { requestSchemasSource, responseSchemasSource, webhookTableSource } from "./files/schemas.ts";
import { statusesSource } from "./files/statuses.ts";
import { webhookExamplesSource, webhooksSource } from "./files/webhooks.ts";
import { generateTypes } from "./types/index.ts";

/**
 * @param document the bundle of the edition `test`, with every `x-` key of the sources.
 * @returns the text of each file by its name.
 * @throws {Refusal} if no correct client can be generated from it.
 */
export async function generateClient(document: OpenApiDocument, registers: Registers): Promise<Record<string, string>> {
  const { questions } = registers;
  const contract = readContract(document, registers);
  checkContract(contract, questions);
  const files = {
    "clients.ts": clientsSource(contract, questions),
    "operations.ts": operationsSource(contract, questions),
    "operation-table.ts": operationTableSource(contract),
    "codes.ts": codesSource(contract),
    "contract.ts": contractSource(contract),
    "error-texts.ts": errorTextsSource(contract),
    "types.ts": await generateTypes(contract, questions),
    "webhooks.ts": webhooksSource(contract, questions),
    "webhook-examples.ts": webhookExamplesSource(contract),
    "webhook-table.ts": webhookTableSource(contract),
    "request-schemas.ts": requestSchemasSource(contract),
    "response-schemas.ts": responseSchemasSource(contract),
    "lifecycles.ts": lifecyclesSource(contract),
    "statuses.ts": statusesSource(contract),
    "lookups.ts": lookupsSource(contract),
    "response-examples.ts": responseExamplesSource(contract),
  };
  checkNames(contract, files);
  return files;
}
