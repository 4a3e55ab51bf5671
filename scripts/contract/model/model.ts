/** The types of the model: operations, their responses, webhooks and P-codes. */
import type {
  Delivery,
  ErrorAdvice,
  ErrorFacts,
  InvalidRequest,
  Method,
  NamedOperation,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Provenance,
} from "./document.ts";
import type { Conditions, Effect, EventSource, Lookup, Requirement, Trigger } from "./machine-data.ts";
import type { OpenQuestions } from "./questions.ts";
import type { Resource } from "./resources.ts";
import type { SourceLocation } from "./source-location.ts";

/** The server variable for an operation's address. */
export type Address = "base_url" | "deposit_base_url";

/** A part of an operation or webhook. */
export interface Part {
  /**
   * The effective provenance at this place of use: the weakest of the enclosing one, the part's own mark and the marks of its reference.
   */
  effective: Provenance;
  location: SourceLocation;
}

export interface Example extends Part {
  name: string;
  summary: string | undefined;
  value: unknown;
}

/** One content type of a request or a response. */
export interface Body {
  mediaType: string;
  schema: SourceLocation;
  examples: Example[];
  /** Accepted content types by part, for multipart bodies. */
  partTypes: Record<string, string[]>;
  location: SourceLocation;
}

export interface RequestBody extends Part {
  required: boolean;
  bodies: Body[];
  /** The response to a body that its schema refuses. An assumption. */
  invalidRequest: InvalidRequest | undefined;
}

/** A P-code of a response, and the reference that lists it. */
export interface CodeRef {
  code: string;
  /** The mark next to the reference; undefined where it equals the response's provenance. */
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** One documented response: a status with its bodies and, for a response with P-codes, exactly the codes it can carry. */
export interface DocumentedResponse extends Part {
  /** The entry in `responses`, possibly a reference. */
  location: SourceLocation;
  /** HTTP status; NaN for a range or `default`. */
  status: number;
  /** The key in `responses`, as written. */
  key: string;
  description: string;
  codes: string[];
  /** Whether other P-codes can occur as well, because the list is not stated. */
  isOpen: boolean;
  codeRefs: (CodeRef & Part)[];
  bodies: Body[];
}

export interface Parameter extends Part {
  /** Its node in `parameters`, possibly a reference. */
  location: SourceLocation;
  name: string;
  in: string;
  required: boolean;
  example: unknown;
  schema: SourceLocation;
  /** The response to a value that the schema refuses, an assumption. Undefined where every value is accepted. */
  invalidRequest: string | undefined;
  /** The parameter object. */
  node: ParameterObject;
}

/** The common members of operations and webhooks. */
export interface Subject {
  kind: "operation" | "webhook";
  /** operationId of an operation, key of a webhook. */
  name: string;
  /** The name in messages: `createOrder`, `Webhook sepaDeposit`. */
  label: string;
  method: Method;
  /** The operation object. */
  node: OperationObject;
  location: SourceLocation;
  /** The path item that contains it. */
  item: SourceLocation;
  summary: string;
  description: string;
  tag: string;
  /** Undefined where it is missing, which lint reports. */
  provenance: Provenance | undefined;
  /** The facts that the specification states although the provenance is weaker: `name`, `method`. */
  stated: string[];
  openQuestions: string[];
  /** The parameters of the path item, then of the operation. */
  parameters: Parameter[];
  requestBody: RequestBody | undefined;
  responses: DocumentedResponse[];
}

export interface Operation extends Subject {
  kind: "operation";
  operationId: string;
  path: string;
  address: Address;
  deprecated: boolean;
  /** Why it is deprecated, from when until when, and the replacement, one sentence each; empty where it is not. */
  deprecation: string;
  /** What must be true before the operation can succeed (`x-requires`). */
  requires: Requirement[];
  /** What the operation changes, in order (`x-effects`). */
  effects: Effect[];
  /** Webhooks that the operation leads to, in the order in which they are sent (`x-triggers`). */
  triggers: Trigger[];
  /** How a call with an unknown outcome is looked up (`x-lookup`); undefined where it has none. */
  lookup: Lookup | undefined;
  /** Whether a GET has side effects: it is never repeated automatically. */
  sideEffects: boolean;
}

export interface Webhook extends Subject {
  kind: "webhook";
  /** The path on the partner's server; empty where none is known. */
  path: string;
  /** The mark on the path; undefined where it equals the webhook's provenance. */
  pathProvenance: Provenance | undefined;
  /** What the webhook reports (`x-event`); undefined where it is missing, which lint reports. */
  event: EventSource | undefined;
  /** Fields that together identify an event. */
  dedupeKey: string[];
  /** The mark on these fields; undefined where it equals the webhook's provenance. */
  dedupeProvenance: Provenance | undefined;
}

export interface ErrorCode extends ErrorFacts, ErrorAdvice {
  code: string;
  /** Empty where no operation of the edition removes the cause. */
  resolvedBy: string[];
  provenance: Provenance | undefined;
  openQuestions: string[];
  /** The schema of the error. */
  location: SourceLocation;
}

export interface Contract {
  root: SourceLocation;
  document: OpenApiDocument;
  operations: Operation[];
  webhooks: Webhook[];
  errorCodes: ErrorCode[];
  /** How webhooks are delivered; undefined where the model was read without resources.yaml. */
  delivery: Delivery | undefined;
  /** The operations that the specification names, by operationId. */
  namedOperations: Record<string, NamedOperation>;
  /** The resources of the service; empty where the model was read without resources.yaml. */
  resources: Resource[];
}

/** The data that generators read besides a bundle. */
export interface Registers {
  questions: OpenQuestions;
  conditions: Conditions;
  resources: Resource[];
  /** How webhooks are delivered; undefined where resources.yaml does not define it. */
  delivery: Delivery | undefined;
  /** The mock's assumptions on invalid requests. */
  invalidRequests: InvalidRequests;
}

/** The section `invalidRequests` of `openapi/mock.yaml`. */
export interface InvalidRequests {
  /** The P-code for a request that does not match its schema, for every operation that documents it. */
  code: string;
  /** The exceptions, by operationId. */
  operations: Record<string, OwnInvalidRequests>;
}

export interface OwnInvalidRequests {
  body?: Exclude<InvalidRequest, string>;
  /** By name. */
  parameters?: Record<string, string>;
}
