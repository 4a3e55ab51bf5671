import type { JsonSchema, OpenApiDocument } from "../../../scripts/contract/model/index.ts";
import { Sources } from "../../../scripts/contract/sources/index.ts";
import { dereference, violations } from "../../support/schema.ts";

interface Part {
  content?: { "application/json": { schema: JsonSchema; example?: unknown } };
}
interface Described {
  operationId: string;
  security?: unknown[];
  requestBody?: Part;
  responses: Record<string, Part>;
}
interface ControlDocument {
  paths: Record<string, Record<string, Described>>;
}

const sources = new Sources();

export const document = sources.document(sources.layout.mockControl).parsed as OpenApiDocument;

const { paths } = dereference(document) as unknown as ControlDocument;

export function describedOperations(): { method: string; path: string; operation: Described }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export function problemsOfResponse(method: string, path: string, status: number, body: unknown): string[] {
  const part = paths[path]?.[method.toLowerCase()]?.responses[status];
  if (part === undefined) return [`${method} ${path} does not describe ${status}`];
  if (part.content === undefined) return body === undefined ? [] : ["a body that is not described"];
  return violations(part.content["application/json"].schema, body);
}

export function problemsOfRequest({ requestBody }: Described, body: unknown): string[] {
  const schema = requestBody?.content?.["application/json"].schema;
  return schema === undefined ? ["no body is described"] : violations(schema, body);
}
