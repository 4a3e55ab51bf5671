import { expect } from "vitest";
import type { JsonSchema, OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import type { InProcessMock } from "../../../scripts/mock/host/mock.ts";
import { dereference, violations } from "../../support/schema.ts";

interface Part {
  content?: { "application/json": { schema: JsonSchema; example?: unknown } };
}
interface DescribedOperation {
  operationId: string;
  security?: unknown[];
  requestBody?: Part;
  responses: Record<string, Part>;
}
interface ControlDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
}

const sources = new Sources();

export const document = sources.document(sources.layout.mockControl).parsed as OpenApiDocument;

const { paths } = dereference(document) as unknown as ControlDocument;

export function describedOperations(): { method: string; path: string; operation: DescribedOperation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function problemsOfResponse(method: string, path: string, status: number, body: unknown): string[] {
  const template = Object.keys(paths).find((candidate) =>
    new RegExp(`^${candidate.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  if (template === undefined || [404, 405].includes(status)) return [];
  const part = paths[template]?.[method.toLowerCase()]?.responses[status];
  if (part === undefined) return [`${method} ${path} does not describe ${status}`];
  if (part.content === undefined) return body === undefined ? [] : ["a body that is not described"];
  return violations(part.content["application/json"].schema, body);
}

/**
 * Each call checks that the document describes the response, unless its status is 404 or 405.
 *
 * @param key empty for no API key.
 */
export function controlOf(mock: Pick<InProcessMock, "fetch" | "baseUrl" | "apiKey">, key: string = mock.apiKey) {
  return async (method: string, path: string, body?: unknown) => {
    const headers = key === "" ? {} : { "x-api-key": key };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await mock.fetch(`${mock.baseUrl}/__mock${path}`, init);
    const text = await response.text();
    const reply = text === "" ? undefined : JSON.parse(text);
    const [pathname = ""] = path.split("?");
    expect(problemsOfResponse(method, `/__mock${pathname}`, response.status, reply), `${method} ${path}`).toEqual([]);
    return { status: response.status, body: reply };
  };
}

export function problemsOfRequest({ requestBody }: DescribedOperation, body: unknown): string[] {
  const schema = requestBody?.content?.["application/json"].schema;
  return schema === undefined ? ["no body is described"] : violations(schema, body);
}
