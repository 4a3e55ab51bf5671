import type { InProcessMock } from "../../../scripts/mock/host/mock.ts";
import type { Plan, PlanOperation } from "../../../scripts/mock/plan/plan.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Call {
  readonly operation: PlanOperation;
  readonly key: string | undefined;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Fields | undefined;
}

export function operationNamed({ operations }: Plan, operationId: string): PlanOperation {
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
  return operation;
}

export function exampleCall(operation: PlanOperation, key: string, values: Fields = {}): Call {
  const parametersIn = (location: string) =>
    operation.parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, example }) => [name, String(values[name] ?? example)]);
  const [body] = operation.requestBody?.bodies ?? [];
  const fields = { ...(Object.values(body?.examples ?? {})[0] as Fields | undefined) };
  for (const name of Object.keys(fields)) if (name in values) fields[name] = values[name];
  for (const name of body?.fileParts ?? []) if (name in fields) fields[name] = values[name] ?? makeFile();
  return {
    operation,
    key,
    path: Object.fromEntries(parametersIn("path")),
    query: Object.fromEntries(parametersIn("query")),
    body: body === undefined ? undefined : fields,
  };
}

export function makeFile(type = "image/png", bytes = 4): File {
  return new File([Buffer.alloc(bytes, "x")], "picture", { type });
}

/** Returns a copy of a call with some parameters and body fields replaced. Null and undefined remove a parameter or field. */
export function withValues(call: Call, values: Fields): Call {
  const changedCall = { path: { ...call.path }, query: { ...call.query }, body: { ...call.body } } as Record<
    string,
    Record<string, unknown>
  >;
  for (const [name, value] of Object.entries(values)) {
    const location = call.operation.parameters.find((parameter) => parameter.name === name)?.in ?? "body";
    const part = changedCall[location] ?? {};
    if (value === null || value === undefined) delete part[name];
    else Object.defineProperty(part, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return { ...call, ...changedCall, body: call.body && changedCall.body } as Call;
}

export function targetOf({ operation, path, query }: Call): string {
  const filledPath = Object.entries(path).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    operation.path,
  );
  return Object.keys(query).length === 0 ? filledPath : `${filledPath}?${new URLSearchParams(query)}`;
}

export type Service = Pick<InProcessMock, "fetch" | "baseUrl" | "depositBaseUrl">;

export function urlOf({ baseUrl, depositBaseUrl }: Omit<Service, "fetch">, call: Call): string {
  return `${call.operation.address === "base_url" ? baseUrl : depositBaseUrl}${targetOf(call)}`;
}

export function send(mock: Service, call: Call, extraHeaders: Record<string, string> = {}): Promise<Response> {
  const { operation, key } = call;
  const isForm = operation.requestBody?.bodies[0]?.mediaType.startsWith("multipart/") ?? false;
  const headers: Record<string, string> = key === undefined ? {} : { [operation.keyHeader ?? ""]: key };
  if (call.body !== undefined && !isForm) headers["content-type"] = "application/json";
  const body = call.body === undefined ? null : isForm ? formOf(call.body) : JSON.stringify(call.body);
  return mock.fetch(urlOf(mock, call), { method: operation.method, headers: { ...headers, ...extraHeaders }, body });
}

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) form.append(name, item as File);
  }
  return form;
}
