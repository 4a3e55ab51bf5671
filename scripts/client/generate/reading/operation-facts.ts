/** What several generated files say about an operation. */
import {
  bodyOf,
  type DocumentedResponse,
  type Operation,
  provenanceAt,
  type Sourced,
} from "../../../contract/model/index.ts";

export function typeName({ operationId }: Operation): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}

export function isProposed({ provenance }: Operation): boolean {
  return provenance === "proposed";
}

export function needsOptions({ requestBody, parameters }: Operation): boolean {
  const requiredParameters = parameters.filter(
    ({ in: group, required }) => required && (group === "path" || group === "query"),
  );
  return requestBody !== undefined || requiredParameters.length > 0;
}

export function proposedMark(operation: Operation, response: DocumentedResponse, part?: Sourced): string {
  const body = bodyOf(response);
  const bodyProvenance =
    body === undefined ? response.effectiveProvenance : provenanceAt(body.schema, response.effectiveProvenance);
  const isPartProposed = (part?.effectiveProvenance ?? bodyProvenance) === "proposed";
  return isPartProposed && !isProposed(operation) ? " (proposed)" : "";
}
