import type { PlanOperation } from "../plan/plan.ts";
import { decodeBody, jsonOf, type MockRequest, parseMediaType } from "../request/body.ts";
import type { Route } from "../request/router.ts";
import { parameterValue, type RequestFacts } from "../request/violations.ts";
import type { AcceptedCall } from "../tenants/act.ts";
import type { MatchedValues } from "../tenants/faults.ts";
import type { SentValues } from "../tenants/scripted.ts";

export type OperationRoute = Extract<Route, { kind: "operation" }>;

export function callOf(operation: PlanOperation, facts: RequestFacts): AcceptedCall {
  const { pathParameters: path, body } = facts;
  const query: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const value = parameter.in === "query" ? parameterValue(parameter, facts) : undefined;
    if (value !== undefined) query[parameter.name] = String(value);
  }
  if (body.kind !== "value") return { operation, path, query, body: undefined, amounts: {}, files: {} };
  const files: Record<string, AcceptedCall["files"][string][number][]> = {};
  for (const { name, contentType, content } of body.files) {
    const type = parseMediaType(contentType)?.essence ?? contentType.toLowerCase();
    files[name] = [...(files[name] ?? []), { contentType: type, size: content.length }];
  }
  return { operation, path, query, body: body.value, amounts: body.amounts ?? {}, files };
}

/** Path and query parameters are texts. The body is parsed; of a form, it holds the files. */
export function scriptValues({ operation, pathParameters: path }: OperationRoute, request: MockRequest): SentValues {
  const query = Object.fromEntries(request.query);
  const decodedBody = operation.requestBody === undefined ? undefined : decodeBody(operation.requestBody, request);
  if (decodedBody?.kind !== "value") return { path, query, body: undefined };
  if (decodedBody.amounts !== undefined) return { path, query, body: decodedBody.value };
  const filesByName = new Map<string, File[]>();
  for (const { name, fileName = "", contentType, content } of decodedBody.files) {
    const file = new File([new Uint8Array(content)], fileName, { type: contentType });
    filesByName.set(name, [...(filesByName.get(name) ?? []), file]);
  }
  const isList = (name: string) => Array.isArray((decodedBody.value as Record<string, unknown>)[name]);
  const filesOrFile: Record<string, File | readonly File[]> = {};
  for (const [name, files] of filesByName) {
    const [onlyFile] = files.length === 1 && !isList(name) ? files : [];
    filesOrFile[name] = onlyFile ?? files;
  }
  return { path, query, body: filesOrFile };
}

/** The values that are compared with the user and the body of a fault. */
export function requestValues(
  { pathParameters }: OperationRoute,
  { query, body: receivedBody }: MockRequest,
): MatchedValues {
  const { value: body } = jsonOf(receivedBody);
  const members = typeof body === "object" ? Object.entries(body ?? {}) : [];
  return { fields: [...Object.entries(pathParameters), ...query, ...members], body };
}
