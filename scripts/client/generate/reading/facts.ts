/** What several generated files need to know about operations, webhooks and resources. */
import {
  type Body,
  type DocumentedResponse,
  type Operation,
  provenanceAt,
  type Resource,
  resultsOf,
  type Sourced,
  stateOf,
  type Webhook,
} from "../../../contract/model/index.ts";
import { bodyOf, jsonBodyOf } from "./bodies.ts";
import { demandValue } from "./refusal.ts";

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

export function eventBodyOf({ location, requestBody }: Webhook): Body {
  return demandValue(
    requestBody && jsonBodyOf(requestBody),
    location,
    "The webhook has no JSON body",
    "Add requestBody",
  );
}

/** Undefined if the resource has several states or none, or no success values. */
export function resultsIn(resource: Resource): Record<string, boolean> | undefined {
  const onlyState = stateOf(resource, undefined);
  return onlyState && resultsOf(onlyState);
}
