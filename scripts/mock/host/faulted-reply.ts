import type { MockRequest } from "../request/body.ts";
import { documentedReply, type MockReply } from "../response/replies.ts";
import type { AppliedFault } from "../tenants/faults.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { type OperationRoute, requestValues } from "./request-values.ts";

/**
 * Undefined if the fault sets no response. If the response has a P-code of the catalogue, its message names the identifiers of the request.
 */
export function faultReply(
  { response }: AppliedFault,
  matchedRoute: OperationRoute,
  request: MockRequest,
  { world }: Tenant,
): MockReply | undefined {
  const { operation } = matchedRoute;
  if (response === undefined) return undefined;
  const { code } = response;
  const identifiers = requestValues(matchedRoute, request).fields.flatMap(([name, value]) =>
    /Id$/.test(name) && typeof value === "string" ? `${name} ${value}` : [],
  );
  // A fault can set a P-code that is not in the catalogue.
  const meaning = world.plan.codes[code ?? ""]?.meaning;
  const message = meaning !== undefined && identifiers.length > 0 ? `${meaning}: ${identifiers.join(", ")}` : undefined;
  const notes = [`Chosen by a fault${code === undefined ? "" : ` with ${code}`}.`];
  return { ...documentedReply(operation, response, { message, time: world.clock.now }), notes };
}

/** Says in the log of requests what a fault did. */
export function effectNotes(fault: AppliedFault, decidedReply: MockReply | undefined): string[] {
  const { isLost, isCut, isCarriedOut, response, effectDelay } = fault;
  const changeText = changeOfResponse(fault);
  if (changeText === undefined || (response !== undefined && !isCarriedOut && !isCut)) return [];
  if (isLost && !isCarriedOut) return ["Lost by a fault."];
  if (!isCarriedOut) return [`Not carried out; the response was ${changeText} by a fault.`];
  const { status, code } = decidedReply ?? {};
  const isRefused = typeof status === "number" && status >= 400;
  const executionText = effectDelay > 0 ? `Takes effect after ${effectDelay / 1000} s` : "Carried out";
  const effect = isRefused ? `Refused with ${code ?? status}, without an effect` : executionText;
  return [`${effect}; the response was ${changeText} by a fault.`];
}

function changeOfResponse({ isLost, isCut, response }: AppliedFault): string | undefined {
  if (isLost) return "lost";
  if (isCut) return "cut in its body";
  return response === undefined ? undefined : "replaced";
}
