/** Makes a bundle without anything proposed, at any level. */
import type { OpenApiDocument } from "../../contract/index.ts";
import { filterAnswers, filterParameters, openBodies, openEmptiedEvents } from "./bodies.ts";
import { filterCodes, filterResolvers } from "./codes.ts";
import { readSupplies, tellDeadEnds } from "./dead-ends.ts";
import { Draft } from "./draft.ts";
import { filterExamples } from "./examples.ts";
import { filterInvalidRequests } from "./invalid-requests.ts";
import { type FilterRegisters, filterMachineData } from "./machine-data.ts";
import { filterOperations, openWebhooks } from "./operations.ts";
import { partsOf } from "./parts.ts";
import { filterSchemas } from "./schemas.ts";
import { markTexts } from "./texts.ts";

export type { FilterRegisters } from "./machine-data.ts";

/**
 * Takes out everything that is effectively proposed: operations, bodies of webhooks, parameters, answers, P-codes,
 * properties, values of open sets, examples, paths of webhooks, and what refers to any of it. What a text names and the
 * document does not have any more is marked there.
 *
 * @param document a bundle; it is changed in place.
 * @param registers read only where an operation has conditions or effects.
 */
export function leaveOutProposed(document: OpenApiDocument, registers: () => FilterRegisters): void {
  const draft = new Draft(document);
  const supplies = readSupplies(draft);
  filterOperations(draft);
  openWebhooks(draft);
  filterParameters(draft);
  filterAnswers(draft);
  filterCodes(draft);
  filterResolvers(draft);
  openBodies(draft);
  filterSchemas(draft, partsOf(document).schemas);
  filterExamples(draft);
  openEmptiedEvents(draft);
  filterInvalidRequests(draft);
  filterMachineData(draft, registers);
  tellDeadEnds(draft, supplies, registers);
  markTexts(document);
}
