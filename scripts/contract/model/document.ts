/** The objects of an OpenAPI 3.1 document: the types of Redocly's core, with `x-` keys of this contract added. */
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

/** Where a statement of the contract comes from, the most reliable source first: see `x-provenance` in `openapi/extensions.yaml`. */
export const provenances = ["specification", "reference", "observed", "proposed"] as const;
export type Provenance = (typeof provenances)[number];

export interface Marks {
  "x-provenance"?: Provenance;
  "x-open-questions"?: string[];
}

/** The provenances of a component schema in all places of the contract that use it. */
export interface Origin {
  provenance: Provenance;
  /** The operations and webhooks in which the schema has this provenance. */
  in: string[];
  /** The weaker provenances that the schema has in other places. */
  weaker?: Provenance[];
  /** The ids of the open questions about the schema and its parts. */
  questions?: string[];
}

export interface ErrorFacts {
  status: number;
  meaning: string;
}

export interface ErrorAdvice {
  actor: "developer" | "user" | "payer" | "operations" | "service" | "nobody";
  retry: "none" | "never" | "after-change" | "later" | "unknown";
  resolution: string;
  /** The operationIds of operations that remove the cause of the error. */
  resolvedBy?: string[];
  onCall: string;
}

/** See `x-compared-as` in `openapi/extensions.yaml`. */
export type ComparedKind = "amount" | "currency" | "iban" | "user";

export type JsonSchema = Oas3_1Schema &
  Marks & {
    "x-error"?: ErrorFacts;
    "x-advice"?: ErrorAdvice;
    "x-open-enum"?: Record<string, { meaning: string; provenance?: Provenance }>;
    "x-compared-as"?: ComparedKind;
    "x-sensitive"?: true;
    "x-max-bytes"?: number;
    "x-origin"?: Origin;
    "x-since"?: string;
    [keyword: string]: unknown;
  };

export type Ref = { $ref: string };

export type ExampleObject = Oas3Example & Marks;
interface SchemaAndExamples {
  schema: JsonSchema;
  examples?: Record<string, ExampleObject | Ref>;
}

export type MediaTypeObject = Omit<Oas3MediaType<JsonSchema>, keyof SchemaAndExamples> & SchemaAndExamples;
export type ParameterObject = Omit<Oas3Parameter<JsonSchema>, keyof SchemaAndExamples> & SchemaAndExamples & Marks;
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

export interface NamedOperation {
  name: string;
  method?: Uppercase<Method>;
  /** Set in the bundle of an edition that does not have this operation. */
  omitted?: true;
}

export type OpenApiDocument = Omit<Oas3_1Definition, "info" | "paths" | "webhooks" | "components" | "servers"> & {
  jsonSchemaDialect?: string;
  info: { title: string; version: string; description?: string; [key: string]: unknown };
  servers: Oas3Server[];
  paths: Record<string, PathItemObject>;
  webhooks?: Record<string, PathItemObject>;
  "x-named-operations"?: Record<string, NamedOperation>;
  "x-questions"?: Record<string, { question: string; assumption: string }>;
  components?: { [section: string]: Record<string, unknown> };
};

export function isRef(node: unknown): node is Ref {
  return typeof node === "object" && node !== null && typeof (node as Ref).$ref === "string";
}
