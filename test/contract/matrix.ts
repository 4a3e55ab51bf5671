import {
  type Contract,
  codeProperty,
  type DocumentedResponse,
  type OpenApiDocument,
  type Operation,
} from "../../scripts/contract/model/index.ts";
import { type AnyCall, type AnyResult, exampleCalls } from "../support/clients.ts";
import { dereference, violations } from "../support/schema.ts";

export interface Cell {
  operation: Operation;
  response: DocumentedResponse;
  example: string;
  code: string | undefined;
  value: unknown;
}

export function cellsOf(contract: Contract): Cell[] {
  return contract.operations.flatMap((operation) =>
    operation.responses.flatMap((response) =>
      response.bodies.flatMap(({ examples }) =>
        examples.map(({ name, value }) => ({
          operation,
          response,
          example: name,
          code: (value as Record<string, string>)[codeProperty],
          value,
        })),
      ),
    ),
  );
}

export async function runCell(
  cell: Cell,
  client: Record<string, AnyCall>,
  document: OpenApiDocument,
): Promise<string[]> {
  const { operation, response, example } = cell;
  const call = client[operation.operationId];
  if (call === undefined) return [`the client has no function ${operation.operationId}`];
  const result = await call({
    ...exampleCalls(operation)[0]?.options,
    headers: { prefer: `code=${response.status}, example=${example}` },
    retries: 0,
  });
  if (result.status !== response.status) {
    return [`the status is ${result.status ?? result.error?.message} instead of ${response.status}`];
  }
  return response.status < 300 ? successProblems(cell, result, document) : failureProblems(cell, result);
}

export type RawRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Uses the plain openapi-fetch client. @returns how the response differs from the documented example; empty if it does not. */
export async function runRawCell(
  { operation, response, example, value }: Cell,
  request: RawRequest,
): Promise<string[]> {
  const { path, query, body } = exampleCalls(operation)[0]?.options ?? {};
  const isUpload = operation.requestBody?.bodies[0]?.mediaType.startsWith("multipart/") ?? false;
  const isPage = response.bodies[0]?.mediaType === "text/html";
  const { data, error, ...received } = await request(operation.method, operation.path, {
    params: { path, query },
    body: isUpload ? toForm(body as Record<string, unknown>) : body,
    headers: { prefer: `code=${response.status}, example=${example}` },
    ...(isPage ? { parseAs: "text" } : {}),
  });
  const name = `${operation.operationId} ${response.status} ${example}`;
  const { status } = received.response;
  if (status !== response.status) return [`${name}: the status is ${status}`];
  return JSON.stringify(data ?? error) === JSON.stringify(value) ? [] : [`${name}: the body is not the example`];
}

function toForm(files: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(files)) for (const file of [value].flat()) form.append(name, file as File);
  return form;
}

function successProblems(cell: Cell, result: AnyResult, bundle: OpenApiDocument): string[] {
  if (result.error !== undefined) return [`the client reports ${result.error.message}`];
  const responses = dereference(bundle).paths[cell.operation.path]?.[cell.operation.method]?.responses ?? {};
  const response = responses[cell.response.status];
  const media = response !== undefined && "content" in response ? Object.values(response.content ?? {})[0] : undefined;
  const isSame = JSON.stringify(result.data) === JSON.stringify(cell.value);
  return [
    ...(isSame ? [] : [`the data is not the example ${cell.example}`]),
    ...(media === undefined ? ["no schema is documented"] : violations(media.schema, result.data)),
  ];
}

function failureProblems(cell: Cell, { error, data }: AnyResult): string[] {
  if (error === undefined) return ["the client reports no error"];
  const expectedKind = cell.code === undefined ? "no-code" : "code";
  return [
    ...(data === undefined ? [] : ["there is data besides the error"]),
    ...(error.documented ? [] : ["the client does not know that it is documented"]),
    ...(error.kind === expectedKind ? [] : [`the kind is ${error.kind} instead of ${expectedKind}`]),
    ...(error.errorCode === cell.code ? [] : [`the code is ${error.errorCode} instead of ${cell.code}`]),
    ...(cell.code === undefined || error.meaning !== undefined ? [] : ["the error has no meaning"]),
  ];
}
