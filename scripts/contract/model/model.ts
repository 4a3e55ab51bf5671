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
import type { Place } from "./place.ts";
import type { OpenQuestions } from "./questions.ts";
import type { Resource } from "./resources.ts";

/** Which of the two server variables an operation is reached under. */
export type Address = "base_url" | "deposit_base_url";

/** A part of an operation or webhook. */
export interface Part {
  /** At this place of use: the weakest of what encloses the part, its own mark and the marks of what it refers to. */
  effective: Provenance;
  place: Place;
}

export interface Example extends Part {
  name: string;
  summary: string | undefined;
  value: unknown;
}

/** One content type of a request or a response. */
export interface Body {
  mediaType: string;
  schema: Place;
  examples: Example[];
  /** Accepted content types by part, for multipart bodies. */
  partTypes: Record<string, string[]>;
  place: Place;
}

export interface RequestBody extends Part {
  required: boolean;
  bodies: Body[];
  /** The response to a body that its schema refuses: an assumption. */
  invalidRequest: InvalidRequest | undefined;
}

/** A P-code that a response can carry, and the place that says so. */
export interface CodeRef {
  code: string;
  /** The mark beside the reference; undefined where the response is as sure of the code as of itself. */
  provenance: Provenance | undefined;
  place: Place;
}

/** One documented response: a status with its bodies and, for a response with P-codes, exactly the codes it can carry. */
export interface DocumentedResponse extends Part {
  /** The entry in `responses`, possibly a reference. */
  place: Place;
  /** HTTP status; NaN for a range or `default`. */
  status: number;
  /** The key in `responses`, as written. */
  key: string;
  description: string;
  codes: string[];
  /** Whether any other P-code can occur as well: nobody has stated the list. */
  isOpen: boolean;
  codeRefs: (CodeRef & Part)[];
  bodies: Body[];
}

export interface Parameter extends Part {
  /** Where it stands in `parameters`, possibly a reference. */
  place: Place;
  name: string;
  in: string;
  required: boolean;
  example: unknown;
  schema: Place;
  /** The response to a value that the schema refuses: an assumption. Undefined where it refuses none. */
  invalidRequest: string | undefined;
  /** The parameter object. */
  node: ParameterObject;
}

/** What operations and webhooks have in common. */
export interface Subject {
  kind: "operation" | "webhook";
  /** operationId of an operation, key of a webhook. */
  name: string;
  /** How messages name it: `createOrder`, `Webhook sepaDeposit`. */
  label: string;
  method: Method;
  /** The operation object. */
  node: OperationObject;
  place: Place;
  /** The path item that it stands in. */
  item: Place;
  summary: string;
  description: string;
  tag: string;
  /** Undefined where the contract has forgotten to say it, which lint reports. */
  provenance: Provenance | undefined;
  /** What the specification states of it all the same, where its provenance is weaker: `name`, `method`. */
  stated: string[];
  openQuestions: string[];
  /** Those of the path item, then its own. */
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
  /** Why it is deprecated, since and until when, and what to call instead, in a sentence each; empty where it is not. */
  deprecation: string;
  /** What must be true before the operation can succeed (`x-requires`). */
  requires: Requirement[];
  /** What it changes, in order (`x-effects`). */
  effects: Effect[];
  /** Webhooks that it leads to, in the order in which they are sent (`x-triggers`). */
  triggers: Trigger[];
  /** Where a call with an unknown outcome is looked for (`x-lookup`); undefined where nothing says it. */
  lookup: Lookup | undefined;
  /** Whether a GET changes something all the same: it has effects, and is never repeated automatically. */
  sideEffects: boolean;
}

export interface Webhook extends Subject {
  kind: "webhook";
  /** The path on the partner's server; empty where none is known. */
  path: string;
  /** The mark on the path; undefined where it is as sure as the webhook. */
  pathProvenance: Provenance | undefined;
  /** What it tells of (`x-event`); undefined where the contract has forgotten to say it, which lint reports. */
  event: EventSource | undefined;
  /** Fields that together tell one event from another. */
  dedupeKey: string[];
  /** The mark on these fields; undefined where they are as sure as the webhook. */
  dedupeProvenance: Provenance | undefined;
}

export interface ErrorCode extends ErrorFacts, ErrorAdvice {
  code: string;
  /** Empty where no operation of the edition removes the cause. */
  resolvedBy: string[];
  provenance: Provenance | undefined;
  openQuestions: string[];
  /** The schema of the error. */
  place: Place;
}

export interface Contract {
  root: Place;
  document: OpenApiDocument;
  operations: Operation[];
  webhooks: Webhook[];
  errorCodes: ErrorCode[];
  /** How webhooks are delivered; undefined where the model was read without the register. */
  delivery: Delivery | undefined;
  /** The operations that the specification names, by operationId. */
  namedOperations: Record<string, NamedOperation>;
  /** What the service keeps; empty where the model was read without the register. */
  resources: Resource[];
}

/** What the generators read besides a bundle. */
export interface Registers {
  questions: OpenQuestions;
  conditions: Conditions;
  resources: Resource[];
  /** How webhooks are delivered; undefined where the register of resources does not say it. */
  delivery: Delivery | undefined;
  /** What the mock assumes of invalid requests. */
  invalidRequests: InvalidRequests;
}

/** The section `invalidRequests` of `openapi/mock.yaml`. */
export interface InvalidRequests {
  /** The P-code of a request that does not match its schema, of every operation that documents it. */
  code: string;
  /** What differs, by operationId. */
  operations: Record<string, OwnInvalidRequests>;
}

export interface OwnInvalidRequests {
  body?: Exclude<InvalidRequest, string>;
  /** By name. */
  parameters?: Record<string, string>;
}
