import { isRef, type OpenApiDocument, type Ref, readContract, valueAt } from "../model/index.ts";
import type { SampleValues } from "../sources/index.ts";
import { removeUnused } from "./components.ts";

/**
 * Replaces examples with the values of the samples: a mock that was started with the scenario refuses values that the scenario has used.
 * Changes copies of examples that other operations share. Lint reports a sample for an unknown operation or request.
 */
export function useSampleValues(document: OpenApiDocument, samples: readonly SampleValues[]): void {
  const { operations } = readContract(document);
  const resolved = <Value>(node: Value | Ref): Value => (isRef(node) ? (valueAt(document, node.$ref) as Value) : node);
  for (const { operation: operationId, request, path = {}, body } of samples) {
    const operation = operations.find((candidate) => candidate.operationId === operationId);
    // The edition `latest` lacks the proposed operations.
    if (operation === undefined) continue;
    const { node, parameters } = operation;
    for (const { node: parameter } of parameters) {
      const { name } = parameter;
      if (parameter.in !== "path" || path[name] === undefined) continue;
      node.parameters ??= [];
      const index = node.parameters.map(resolved).findIndex((own) => own.in === "path" && own.name === name);
      node.parameters.splice(index < 0 ? node.parameters.length : index, 1, { ...parameter, example: path[name] });
    }
    if (node.requestBody === undefined || body === undefined) continue;
    node.requestBody = structuredClone(resolved(node.requestBody));
    for (const { examples = {} } of Object.values(node.requestBody.content)) {
      for (const [name, example] of Object.entries(examples)) {
        if ((request ?? name) !== name) continue;
        const ownExample = resolved(example);
        examples[name] = { ...ownExample, value: { ...(ownExample.value as object), ...body } };
      }
    }
  }
  if (samples.length > 0) removeUnused(document);
}
