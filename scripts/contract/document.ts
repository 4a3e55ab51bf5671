/** The parts of an OpenAPI 3.1 document that the toolchain reads, as plain types. */

export type Provenance = "specification" | "reference" | "proposed";
export type JsonSchema = { [keyword: string]: unknown };
export type Ref = { $ref: string };

export interface ExampleObject {
  summary?: string;
  value: unknown;
  "x-provenance"?: Provenance;
  "x-open-questions"?: string[];
}

export interface MediaTypeObject {
  schema: JsonSchema;
  examples?: Record<string, ExampleObject | Ref>;
  encoding?: Record<string, { contentType?: string }>;
}

export interface ParameterObject {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, ExampleObject | Ref>;
  "x-invalid-request"?: string;
}

/** The answers for a request that breaks its schema: a P-code, or a status for an answer without one. */
export type InvalidRequest = string | { missing?: string; mediaType?: string; otherwise: string };

export interface RequestBodyObject {
  required?: boolean;
  content: Record<string, MediaTypeObject>;
  "x-invalid-request"?: InvalidRequest;
}

export interface ResponseObject {
  description: string;
  content?: Record<string, MediaTypeObject>;
  headers?: Record<string, unknown>;
  links?: Record<string, { operationId: string; parameters?: Record<string, string> }>;
}

export interface ServerObject {
  url: string;
  description?: string;
  variables?: Record<string, { default: string; description?: string }>;
  "x-environment"?: "staging" | "production";
}

export interface OperationObject {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: (ParameterObject | Ref)[];
  requestBody?: RequestBodyObject | Ref;
  responses: Record<string, ResponseObject | Ref>;
  security?: Record<string, string[]>[];
  servers?: ServerObject[];
  "x-provenance"?: Provenance;
  "x-open-questions"?: string[];
  "x-requires"?: string[];
  "x-side-effects"?: boolean;
  "x-triggers"?: string[];
  "x-webhook-path"?: string;
  "x-dedupe-key"?: string[];
}

export const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type Method = (typeof methods)[number];

export type PathItemObject = {
  parameters?: (ParameterObject | Ref)[];
  servers?: ServerObject[];
} & { [method in Method]?: OperationObject };

export interface OpenApiDocument {
  openapi: string;
  jsonSchemaDialect?: string;
  info: { title: string; version: string; description?: string; [key: string]: unknown };
  servers: ServerObject[];
  security?: Record<string, string[]>[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItemObject>;
  webhooks?: Record<string, PathItemObject>;
  components?: { [section: string]: Record<string, unknown> };
}

/** Follows `$ref` (within the document) until something that is no reference. */
export function resolve<T extends object>(document: OpenApiDocument, node: T | Ref): T {
  let current: unknown = node;
  while (isRef(current)) {
    current = current.$ref
      .replace(/^#\//, "")
      .split("/")
      .map((part) => decodeURIComponent(part.replaceAll("~1", "/").replaceAll("~0", "~")))
      .reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    if (current === undefined) throw new Error(`${(node as Ref).$ref} points to nothing in this document.`);
  }
  return current as T;
}

/** Whether a node is a reference object. */
export function isRef(node: unknown): node is Ref {
  return typeof node === "object" && node !== null && typeof (node as Ref).$ref === "string";
}
