import {
  isRef,
  type OpenApiDocument,
  type ParameterObject,
  type RequestBodyObject,
  readContract,
  valueAt,
} from "../model/index.ts";
import type { SampleValues } from "../sources/index.ts";
import { removeUnused } from "./parts.ts";

/** A mock that was started with the scenario refuses values that the scenario has already used. */
export function useSampleValues(document: OpenApiDocument, samples: readonly SampleValues[]): void {
  const { operations } = readContract(document);
  for (const { operation, request, path = {}, body = {} } of samples) {
    const node = operations.find(({ operationId }) => operationId === operation)?.node;
    if (node === undefined) continue;
    for (const [index, parameter] of (node.parameters ?? []).entries()) {
      const target = (isRef(parameter) ? valueAt(document, parameter.$ref) : parameter) as ParameterObject;
      const example = target.in === "path" ? path[target.name] : undefined;
      if (example !== undefined) node.parameters?.splice(index, 1, { ...target, example });
    }
    const { content = {} } = (node.requestBody ?? {}) as Partial<RequestBodyObject>;
    for (const [name, example] of Object.values(content).flatMap(({ examples = {} }) => Object.entries(examples))) {
      if (isRef(example) || (request ?? name) !== name) continue;
      example.value = { ...(example.value as object), ...body };
    }
  }
  if (samples.length > 0) removeUnused(document);
}
