/** The objects of an OpenAPI 3.1 document: the types of Redocly's core, with the `x-` keys of this contract added. */
import type {
  Oas3_1Definition,
  Oas3_1Schema,
  Oas3Example,
  Oas3MediaType,
  Oas3Operation,
  Oas3Parameter,
  Oas3RequestBody,
  Oas3Response,
  Oas3Server,
} from "@redocly/openapi-core";

/** The possible sources of a statement, strongest first: `x-provenance` in `openapi/extensions.yaml`. */
export const provenances = ["specification", "reference", "observed", "proposed"] as const;
export type Provenance = (typeof provenances)[number];

/** The keys allowed on nearly every object. */
export interface Marks {
  "x-provenance"?: Provenance;
  "x-open-questions"?: string[];
}

/** The meaning of a P-code: `x-error` in `openapi/extensions.yaml`. */
export interface ErrorFacts {
  /** HTTP status. */
  status: number;
  meaning: string;
}

/** The advice on a P-code: `x-advice` in `openapi/extensions.yaml`. */
export interface ErrorAdvice {
  /** Who has to act. */
  actor: "developer" | "user" | "operations" | "service" | "nobody";
  retry: "none" | "never" | "after-change" | "later" | "unknown";
  /** How to remove the cause. */
  resolution: string;
  /** The operationIds named by the last sentence of `resolution`, in its order. */
  resolvedBy?: string[];
  /** The action of an engineer on call. */
  onCall: string;
}

/** How the service delivers webhooks. */
export interface Delivery {
  /** Maximum number of attempts of a delivery. */
  attempts: number;
  /** Seconds between a failed attempt and the next one. */
  delays: number[];
  /** The health check path on the partner's server. */
  healthPath: string;
  provenance: Provenance;
}

export type JsonSchema = Oas3_1Schema &
  Marks & {
    "x-error"?: ErrorFacts;
    "x-advice"?: ErrorAdvice;
    "x-open-enum"?: Record<string, { meaning: string; provenance?: Provenance }>;
    "x-sensitive"?: true;
    "x-max-bytes"?: number;
    [keyword: string]: unknown;
  };

export type Ref = { $ref: string };

/** The responses for a request that breaks its schema: a P-code, or a status for a response without one. */
export type InvalidRequest =
  | string
  | { mediaType?: string; tooLarge?: string; alternative?: string; missing?: string; otherwise?: string };

export type ExampleObject = Oas3Example & Marks;
/** An object with a schema and examples. In OpenAPI 3.1 a schema with only a `$ref` is a schema as well. */
interface Described {
  schema: JsonSchema;
  examples?: Record<string, ExampleObject | Ref>;
}

export type MediaTypeObject = Omit<Oas3MediaType<JsonSchema>, keyof Described> & Described;
export type ParameterObject = Omit<Oas3Parameter<JsonSchema>, keyof Described> & Described & Marks;
type Content = Record<string, MediaTypeObject>;
export type RequestBodyObject = Omit<Oas3RequestBody<JsonSchema>, "content"> & {
  content: Content;
};
export type ResponseObject = Omit<Oas3Response<JsonSchema>, "content"> & Marks & { content?: Content };

export type OperationObject = Omit<Oas3Operation<JsonSchema>, "parameters" | "requestBody" | "responses"> &
  Marks & {
    parameters?: (ParameterObject | Ref)[];
    requestBody?: RequestBodyObject | Ref;
    responses: Record<string, ResponseObject | Ref>;
    "x-requires"?: Record<string, string | string[]>;
    "x-effects"?: object[];
    "x-triggers"?: (string | { webhook: string; provenance: Provenance; questions?: string[] })[];
    /** The path on the partner's server, and its provenance if weaker than the webhook's. */
    "x-webhook-path"?: { path: string; provenance?: Provenance };
    "x-event"?: object;
    "x-dedupe-key"?: { fields: string[]; provenance?: Provenance; questions?: string[] };
  };

export const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;
export type Method = (typeof methods)[number];

export type PathItemObject = {
  parameters?: (ParameterObject | Ref)[];
  servers?: Oas3Server[];
} & { [method in Method]?: OperationObject };

/** An operation that the specification names (`x-named-operations`). */
export interface NamedOperation {
  name: string;
  /** The HTTP method, where the specification states it. */
  method?: Uppercase<Method>;
  /** Set in a bundle whose edition does not have the operation. */
  omitted?: true;
}

export type OpenApiDocument = Omit<Oas3_1Definition, "info" | "paths" | "webhooks" | "components" | "servers"> & {
  jsonSchemaDialect?: string;
  info: { title: string; version: string; description?: string; [key: string]: unknown };
  servers: Oas3Server[];
  paths: Record<string, PathItemObject>;
  webhooks?: Record<string, PathItemObject>;
  "x-named-operations"?: Record<string, NamedOperation>;
  /** In a published bundle: the questions that it refers to. */
  "x-questions"?: Record<string, { question: string; assumption: string }>;
  components?: { [section: string]: Record<string, unknown> };
};

/** Whether a node is a reference object. */
export function isRef(node: unknown): node is Ref {
  return typeof node === "object" && node !== null && typeof (node as Ref).$ref === "string";
}
