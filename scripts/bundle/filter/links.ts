/** Takes out of links what refers to something that is gone. */
import type { OperationObject, ResponseObject } from "../../contract/index.ts";
import type { Draft } from "./draft.ts";
import { holds, type Known } from "./known.ts";

/**
 * Takes out links to operations that are gone, and of the others what either side does not have any more.
 *
 * @param from what the operation with the links has.
 * @param byId what every operation has, by operationId.
 */
export function filterLinks(draft: Draft, operation: OperationObject, from: Known, byId: Map<string, Known>): void {
  for (const answer of Object.values(operation.responses)) {
    const response = draft.target<ResponseObject>(answer);
    const links = (response?.links ?? {}) as Record<string, Link>;
    for (const [name, link] of Object.entries(links)) {
      const to = byId.get(link.operationId ?? "");
      if (to === undefined || !filterLink(link, from, to)) delete links[name];
    }
    if (response?.links !== undefined && Object.keys(links).length === 0) delete response.links;
  }
}

interface Link {
  operationId?: string;
  parameters?: Record<string, unknown>;
  requestBody?: unknown;
}

/** Takes out of a link what is gone on either side; returns whether it still supplies something. */
function filterLink(link: Link, from: Known, to: Known): boolean {
  const { parameters = {}, requestBody } = link;
  for (const [name, expression] of Object.entries(parameters)) {
    const isThere = to.parameters.has(name.replace(/^(path|query|header)\./, "")) && holds(expression, from);
    if (!isThere) delete parameters[name];
  }
  const fields = (typeof requestBody === "object" && requestBody !== null ? requestBody : {}) as Record<
    string,
    unknown
  >;
  for (const [name, expression] of Object.entries(fields)) {
    if (!to.request.has(name) || !holds(expression, from)) delete fields[name];
  }
  const supplies = Object.keys(parameters).length + Object.keys(fields).length > 0;
  return supplies || (link.parameters === undefined && typeof requestBody !== "object");
}
