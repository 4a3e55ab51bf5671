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

/** The server variable that holds an operation's base URL. */
export type Address = "base_url" | "deposit_base_url";

export interface Part {
  /** The effective provenance: the weakest among the enclosing element, this part, and the target of the part's reference. */
  effective: Provenance;
  location: SourceLocation;
}

export interface Example extends Part {
  name: string;
  summary: string | undefined;
  value: unknown;
}

export interface Body {
  mediaType: string;
  schema: SourceLocation;
  examples: Example[];
  /** Accepted content types by part name, for multipart bodies. */
  partTypes: Record<string, string[]>;
  location: SourceLocation;
}

export interface RequestBody extends Part {
  required: boolean;
  bodies: Body[];
  /** The response to a body that the schema refuses. An assumption. */
  invalidRequest: InvalidRequest | undefined;
}

export interface CodeRef {
  code: string;
  /** `x-provenance` next to the reference; undefined if the response's provenance applies. */
  provenance: Provenance | undefined;
  location: SourceLocation;
}

/** A status with its bodies. `codes` is complete unless `isOpen` is set. */
export interface DocumentedResponse extends Part {
  /** The entry in `responses`; may be a reference. */
  location: SourceLocation;
  /** HTTP status; NaN for a range or `default`. */
  status: number;
  key: string;
  description: string;
  codes: string[];
  /** Whether other P-codes can occur, because the specification does not state the list. */
  isOpen: boolean;
  codeRefs: (CodeRef & Part)[];
  bodies: Body[];
}

export interface Parameter extends Part {
  /** The node in `parameters`; may be a reference. */
  location: SourceLocation;
  name: string;
  in: string;
  required: boolean;
  example: unknown;
  schema: SourceLocation;
  /** The response to a value that the schema refuses; an assumption. Undefined if every value is accepted. */
  invalidRequest: string | undefined;
  node: ParameterObject;
}

export interface Subject {
  kind: "operation" | "webhook";
  /** The operationId of an operation, or the key of a webhook. */
  name: string;
  /** The name in messages: `createOrder` or `Webhook sepaDeposit`. */
  label: string;
  method: Method;
  node: OperationObject;
  location: SourceLocation;
  item: SourceLocation;
  summary: string;
  description: string;
  tag: string;
  /** Undefined if missing, which lint reports. */
  provenance: Provenance | undefined;
  /** Which of `name` and `method` the specification states, if `provenance` is weaker than `specification`. */
  stated: string[];
  openQuestions: string[];
  /** First the path item's parameters, then the operation's. */
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
  /** The reason, the dates and the replacement in `x-deprecation`, as sentences; empty without `x-deprecation`. */
  deprecation: string;
  requires: Requirement[];
  effects: Effect[];
  triggers: Trigger[];
  lookup: Lookup | undefined;
  /** Whether this is a GET with side effects, which must not be retried automatically. */
  sideEffects: boolean;
}

export interface Webhook extends Subject {
  kind: "webhook";
  /** The path on the partner's server; empty if unknown. */
  path: string;
  /** The provenance of the path; undefined if the webhook's provenance applies. */
  pathProvenance: Provenance | undefined;
  /** Undefined if missing, which lint reports. */
  event: EventSource | undefined;
  dedupeKey: string[];
  /** The provenance of `dedupeKey`; undefined if the webhook's provenance applies. */
  dedupeProvenance: Provenance | undefined;
}

export interface ErrorCode extends ErrorFacts, ErrorAdvice {
  code: string;
  /** The operationIds of operations that remove the cause. */
  resolvedBy: string[];
  provenance: Provenance | undefined;
  openQuestions: string[];
  location: SourceLocation;
}

export interface Contract {
  root: SourceLocation;
  document: OpenApiDocument;
  operations: Operation[];
  webhooks: Webhook[];
  errorCodes: ErrorCode[];
  /** How the service delivers webhooks; undefined if the model was read without resources.yaml. */
  delivery: Delivery | undefined;
  namedOperations: Record<string, NamedOperation>;
  /** Empty if the model was read without resources.yaml. */
  resources: Resource[];
}

export interface Registers {
  questions: OpenQuestions;
  conditions: Conditions;
  resources: Resource[];
  /** How the service delivers webhooks; undefined if resources.yaml does not define it. */
  delivery: Delivery | undefined;
  invalidRequests: InvalidRequests;
}

/** The section `invalidRequests` of `openapi/mock.yaml`. */
export interface InvalidRequests {
  /** The P-code for a request that does not match its schema. Applies to every operation that documents this code. */
  code: string;
  operations: Record<string, OwnInvalidRequests>;
}

export interface OwnInvalidRequests {
  body?: Exclude<InvalidRequest, string>;
  parameters?: Record<string, string>;
}
