/** A bundled document as the toolchain thinks of it: operations, their answers, webhooks and P-codes. */
import {
  type InvalidRequest,
  type JsonSchema,
  type Method,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type Provenance,
  type RequestBodyObject,
  type ResponseObject,
  resolve,
} from "./document.ts";

/** Which of the two server variables an operation is reached under. */
export type Address = "base_url" | "deposit_base_url";

export interface Example {
  name: string;
  summary: string | undefined;
  value: unknown;
}

export interface Body {
  mediaType: string;
  schema: JsonSchema;
  examples: Example[];
  /** Accepted content types by part, for multipart bodies. */
  partTypes: Record<string, string[]>;
}

export interface RequestBody {
  required: boolean;
  bodies: Body[];
  invalidRequest: InvalidRequest | undefined;
}

/** One documented answer: a status with its bodies and, for an answer with P-codes, exactly the codes it can carry. */
export interface Answer {
  status: number;
  description: string;
  codes: string[];
  bodies: Body[];
}

export interface Operation {
  operationId: string;
  method: Method;
  path: string;
  address: Address;
  summary: string;
  description: string;
  tag: string;
  deprecated: boolean;
  provenance: Provenance;
  openQuestions: string[];
  requires: string[];
  /** Whether a GET changes something all the same. */
  sideEffects: boolean;
  parameters: ParameterObject[];
  requestBody: RequestBody | undefined;
  answers: Answer[];
}

export interface Webhook {
  name: string;
  path: string;
  summary: string;
  description: string;
  tag: string;
  provenance: Provenance;
  openQuestions: string[];
  /** Fields that together tell one event from another. */
  dedupeKey: string[];
  requestBody: RequestBody;
  answers: Answer[];
}

export interface ErrorCode {
  code: string;
  status: number;
  meaning: string;
  retry: "none" | "never" | "after-change" | "later" | "unknown";
  resolution: string;
  provenance: Provenance;
  openQuestions: string[];
}

export interface Contract {
  document: OpenApiDocument;
  operations: Operation[];
  webhooks: Webhook[];
  errorCodes: ErrorCode[];
}

/** Reads a bundled document (see `bundle.ts`). Paths, webhooks and codes keep the order they have in the document. */
export function readContract(document: OpenApiDocument): Contract {
  return {
    document,
    operations: operationsOf(document.paths).map((entry) => readOperation(document, entry)),
    webhooks: operationsOf(document.webhooks ?? {}).map((entry) => readWebhook(document, entry)),
    errorCodes: readErrorCodes(document),
  };
}

interface OperationEntry {
  key: string;
  method: Method;
  item: PathItemObject;
  operation: OperationObject;
}

function operationsOf(items: Record<string, PathItemObject>): OperationEntry[] {
  return Object.entries(items).flatMap(([key, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ key, method, item, operation }];
    }),
  );
}

function readOperation(document: OpenApiDocument, { key, method, item, operation }: OperationEntry): Operation {
  return {
    ...readCommon(operation),
    operationId: operation.operationId ?? `${method} ${key}`,
    method,
    path: key,
    address: addressOf(document, item, operation),
    deprecated: operation.deprecated ?? false,
    requires: operation["x-requires"] ?? [],
    sideEffects: operation["x-side-effects"] ?? false,
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
      resolve<ParameterObject>(document, parameter),
    ),
    requestBody: readRequestBody(document, operation),
    answers: readAnswers(document, operation),
  };
}

function readWebhook(document: OpenApiDocument, { key, operation }: OperationEntry): Webhook {
  const requestBody = readRequestBody(document, operation);
  if (requestBody === undefined) throw new Error(`Webhook ${key} has no body.`);
  return {
    ...readCommon(operation),
    name: key,
    path: operation["x-webhook-path"] ?? "",
    dedupeKey: operation["x-dedupe-key"] ?? [],
    requestBody,
    answers: readAnswers(document, operation),
  };
}

function readCommon(operation: OperationObject) {
  return {
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    tag: operation.tags?.[0] ?? "",
    provenance: operation["x-provenance"] ?? "proposed",
    openQuestions: operation["x-open-questions"] ?? [],
  };
}

function addressOf(document: OpenApiDocument, item: PathItemObject, operation: OperationObject): Address {
  const server = (operation.servers ?? item.servers ?? document.servers)[0];
  return server?.url.includes("{deposit_base_url}") ? "deposit_base_url" : "base_url";
}

function readRequestBody(document: OpenApiDocument, operation: OperationObject): RequestBody | undefined {
  if (operation.requestBody === undefined) return undefined;
  const requestBody = resolve<RequestBodyObject>(document, operation.requestBody);
  return {
    required: requestBody.required ?? false,
    bodies: readBodies(document, requestBody.content),
    invalidRequest: requestBody["x-invalid-request"],
  };
}

function readAnswers(document: OpenApiDocument, operation: OperationObject): Answer[] {
  return Object.entries(operation.responses).map(([status, node]) => {
    const response = resolve<ResponseObject>(document, node);
    const bodies = readBodies(document, response.content ?? {});
    return {
      status: Number(status),
      description: response.description,
      codes: bodies.flatMap((body) => codesOf(document, body.schema)),
      bodies,
    };
  });
}

function readBodies(document: OpenApiDocument, content: ResponseObject["content"] = {}): Body[] {
  return Object.entries(content).map(([mediaType, media]) => ({
    mediaType,
    schema: media.schema,
    examples: Object.entries(media.examples ?? {}).map(([name, node]) => {
      const example = resolve<{ summary?: string; value: unknown }>(document, node);
      return { name, summary: example.summary, value: example.value };
    }),
    partTypes: Object.fromEntries(
      Object.entries(media.encoding ?? {}).map(([part, { contentType }]) => [
        part,
        (contentType ?? "").split(",").map((type) => type.trim()),
      ]),
    ),
  }));
}

/** The P-codes that a response schema admits: those of the error schemas in its `oneOf`. */
function codesOf(document: OpenApiDocument, schema: JsonSchema): string[] {
  const branches = (resolve<JsonSchema>(document, schema).oneOf ?? []) as JsonSchema[];
  return branches.flatMap((branch) => {
    const error = resolve<JsonSchema>(document, branch);
    return error["x-error"] === undefined ? [] : [codeOf(error)];
  });
}

function codeOf(errorSchema: JsonSchema): string {
  const properties = errorSchema.properties as { errorCode: { const: string } };
  return properties.errorCode.const;
}

function readErrorCodes(document: OpenApiDocument): ErrorCode[] {
  const schemas = Object.values(document.components?.schemas ?? {}) as JsonSchema[];
  return schemas
    .filter((schema) => schema["x-error"] !== undefined)
    .map((schema) => ({
      ...(schema["x-error"] as Pick<ErrorCode, "status" | "meaning" | "retry" | "resolution">),
      code: codeOf(schema),
      provenance: (schema["x-provenance"] as Provenance | undefined) ?? "proposed",
      openQuestions: (schema["x-open-questions"] as string[] | undefined) ?? [],
    }))
    .sort((a, b) => a.code.localeCompare(b.code, "en"));
}
