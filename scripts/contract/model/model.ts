import type {
  ErrorAdvice,
  ErrorFacts,
  Method,
  NamedOperation,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Provenance,
} from "./document.ts";
import type { Conditions, Effect, EventDefinition, Lookup, Requirement, Trigger } from "./extensions.ts";
import type { OpenQuestions } from "./questions.ts";
import type { Delivery, Resource } from "./resources.ts";
import type { SourceLocation } from "./source-location.ts";

/** The server variable that holds an operation's base URL. */
export type Address = "base_url" | "deposit_base_url";

/** An element whose provenance is known: its own, or that of the enclosing element. */
export interface Sourced {
  /** The weakest provenance of the enclosing element, of this element, and of the target of its reference. */
  effectiveProvenance: Provenance;
  location: SourceLocation;
}

export interface Example extends Sourced {
  name: string;
  summary: string | undefined;
  value: unknown;
}

export interface Body {
  mediaType: string;
  schema: SourceLocation;
  examples: Example[];
  partTypes: Record<string, string[]>;
  location: SourceLocation;
}

export interface RequestBody extends Sourced {
  required: boolean;
  bodies: Body[];
  invalidRequest: InvalidBodyResponses | undefined;
}

export interface CodeRef {
  code: string;
  location: SourceLocation;
}

export interface DocumentedResponse extends Sourced {
  /** The entry in `responses`; may be a reference. */
  location: SourceLocation;
  /** HTTP status; NaN for a range or `default`. */
  status: number;
  key: string;
  description: string;
  codes: string[];
  /** Whether the service can send codes that the response does not list. */
  isOpen: boolean;
  codeRefs: (CodeRef & Sourced)[];
  bodies: Body[];
}

export interface Parameter extends Sourced {
  location: SourceLocation;
  name: string;
  in: string;
  required: boolean;
  example: unknown;
  schema: SourceLocation;
  /** The P-code or status of the response to an invalid value; undefined if none is known. */
  invalidRequest: string | undefined;
  node: ParameterObject;
}

export interface Subject {
  kind: "operation" | "webhook";
  /** The operationId of an operation, or the key of a webhook. */
  name: string;
  /** The name to show in messages: `createOrder` or `Webhook sepaDeposit`. */
  label: string;
  method: Method;
  node: OperationObject;
  location: SourceLocation;
  item: SourceLocation;
  summary: string;
  description: string;
  tag: string;
  /** Undefined if `x-provenance` is missing, which lint reports. */
  provenance: Provenance | undefined;
  /** {@link provenance}; if it is missing, `proposed`, which is the weakest. */
  effectiveProvenance: Provenance;
  /** `name` or `method`, if the specification states them although the operation has a weaker provenance. */
  statedDetails: string[];
  openQuestions: string[];
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
  /** The texts of `x-deprecation`, as sentences. */
  deprecation: string;
  requires: Requirement[];
  effects: Effect[];
  triggers: Trigger[];
  lookup: Lookup | undefined;
  /** Whether the operation is a GET with side effects, which must not be retried automatically. */
  hasSideEffects: boolean;
}

export interface Webhook extends Subject {
  kind: "webhook";
  /** The path on the partner's server; empty if unknown. */
  path: string;
  pathProvenance: Provenance | undefined;
  event: EventDefinition | undefined;
  dedupeKey: string[];
  dedupeProvenance: Provenance | undefined;
}

export interface ErrorCode extends ErrorFacts, ErrorAdvice {
  code: string;
  resolvedBy: string[];
  /** If `x-provenance` is missing, `proposed`, which is the weakest. */
  effectiveProvenance: Provenance;
  openQuestions: string[];
  location: SourceLocation;
}

export interface Contract {
  root: SourceLocation;
  document: OpenApiDocument;
  operations: Operation[];
  webhooks: Webhook[];
  errorCodes: ErrorCode[];
  delivery: Delivery | undefined;
  namedOperations: Record<string, NamedOperation>;
  resources: Resource[];
}

export interface Registers {
  questions: OpenQuestions;
  conditions: Conditions;
  resources: Resource[];
  delivery: Delivery | undefined;
  invalidRequests: InvalidRequests;
}

/** The section `invalidRequests` of `openapi/mock.yaml`. */
export interface InvalidRequests {
  /** The P-code for a request that does not match its schema, for every operation that documents this code. */
  code: string;
  operations: Record<string, InvalidRequestExceptions>;
}

/**
 * The response to a request body that does not match its schema: a P-code, or the status of a response without P-code. The value is an
 * object if the response depends on the mistake in the body: see {@link InvalidRequests}.
 */
export type InvalidBodyResponses =
  | string
  | { mediaType?: string; tooLarge?: string; alternative?: string; missing?: string; otherwise?: string };

export interface InvalidRequestExceptions {
  body?: Exclude<InvalidBodyResponses, string>;
  parameters?: Record<string, string>;
}
