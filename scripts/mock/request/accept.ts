/** A request that fulfils the contract, as a call. */
import type { AcceptedCall } from "../answer/act.ts";
import type { Preferences } from "../answer/choices.ts";
import { type RequestFacts, sentValue } from "../answer/violations.ts";
import type { UploadedFile } from "../behaviours/behaviour.ts";
import type { PlanOperation } from "../plan/plan.ts";
import { type DecodedBody, parseMediaType } from "./body.ts";

/** The call of a request without violations. */
export function accept(operation: PlanOperation, request: RequestFacts, preferences: Preferences): AcceptedCall {
  const { keyHeader, parameters } = operation;
  const query = parameters.flatMap((parameter): [string, string][] => {
    const value = parameter.in === "query" ? sentValue(parameter, request) : undefined;
    return value === undefined ? [] : [[parameter.name, String(value)]];
  });
  const body = request.body.kind === "value" ? request.body : undefined;
  return {
    operation,
    key: keyHeader === undefined ? "" : (request.headers[keyHeader] ?? ""),
    path: request.pathParameters,
    query: Object.fromEntries(query),
    body: body?.value,
    text: body?.text,
    files: filesOf(request.body),
    preferences,
  };
}

function filesOf(body: DecodedBody): Record<string, UploadedFile[]> {
  const files = new Map<string, UploadedFile[]>();
  for (const { name, fileName = "", contentType, content } of body.kind === "value" ? body.files : []) {
    const type = parseMediaType(contentType)?.essence ?? contentType.toLowerCase();
    files.set(name, [...(files.get(name) ?? []), { fileName, contentType: type, size: content.length }]);
  }
  return Object.fromEntries(files);
}
