import type { Edition } from "../../base/index.ts";
import type { Provenance } from "../../contract/model/index.ts";
import type { ServerAddress } from "./servers.ts";

/** `request`: the partner sends the value. `response`: the service sends it, also in a webhook. */
export type Direction = "request" | "response";

export type Kind =
  | ("service" | "operation" | "webhook" | "code" | "parameter" | "body" | "media" | "response" | "header" | "field")
  /** The path of a webhook on the partner's server. */
  | "path"
  /** One of several schemas for the same value. */
  | "alternative"
  /** Data for programs, such as effects and lifecycles, see machine-data.ts. */
  | ("condition" | "effect" | "trigger" | "lookup" | "resource" | "external event" | "lifecycle" | "step" | "delivery");

export interface Element {
  /** For example `createTransfer/request/amount`. */
  readonly id: string;
  /** The id of the containing element; empty at the top level. */
  readonly parent: string;
  readonly subject: string;
  readonly kind: Kind;
  readonly name: string;
  readonly direction: Direction;
  readonly editions: readonly Edition[];
  readonly provenance: Provenance;
  /** In requests: whether the partner must send the element. In responses: whether the service always sends it. */
  readonly required?: boolean;
  /** The role in the schema of the parent; undefined for a whole value, and for what is not described by a schema. */
  readonly role?: SchemaRole;
  /** The name of the property that the element is, or that contains it; undefined if there is none. */
  readonly property?: string | undefined;
  readonly facts: Readonly<Facts>;
  /** The other keywords of the schema or the parameter, with their values. */
  readonly keywords: Readonly<Record<string, unknown>>;
  readonly texts: readonly unknown[];
}

export type SchemaRole =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "alternative"; readonly name: string }
  | { readonly kind: "items" }
  | { readonly kind: "additionalProperties" };

/** An element has only the facts of its kind. Each fact has a rule. */
export type Facts = { [Name in keyof FactValues]?: FactValues[Name] | undefined };

export interface FactValues extends OperationFacts, CodeFacts, SchemaFacts, LifecycleFacts {}

interface OperationFacts {
  operationId: string;
  name: string;
  method: string;
  path: string;
  /** The path of a webhook on the partner's server. */
  route: string;
  address: string;
  servers: readonly ServerAddress[];
  /** For each alternative, the credentials that are required together. */
  security: readonly (readonly string[])[];
  dedupeKey: readonly string[];
  partTypes: Readonly<Record<string, readonly string[]>>;
  deprecated: Deprecation;
}

interface CodeFacts {
  status: number | string;
  actor: string;
  retry: string;
  resolvedBy: readonly string[];
  isOpen: boolean;
}

interface SchemaFacts {
  type: readonly string[];
  values: ValueSet;
  /** The names of required fields that the schema does not describe. */
  requiredNames: readonly string[];
  /** Sets of fields. All fields of at least one set are required. */
  requiredOneOf: readonly (readonly string[])[];
  discriminator: Discriminator;
}

/** The facts of machine-data.ts. */
interface LifecycleFacts {
  of: readonly string[];
  from: readonly string[];
  to: readonly string[];
  later: boolean;
  creates: string;
  moves: string;
  resource: string;
  state: string;
  after: readonly string[];
  initial: readonly string[];
  succeeds: readonly string[];
  identifiedBy: string;
  repeats: boolean;
  details: readonly string[];
  attempts: number;
  delays: readonly number[];
  healthPath: string;
  lists: readonly object[];
  webhook: object;
  shownBy: readonly string[];
  certain: readonly string[];
  repeat: string;
}

/**
 * The sorted texts of an `enum` or `const`, for example `a`, `1`, and `"1"` for the string. If `isOpen`, the documented values of a set
 * that the service can extend.
 */
export interface ValueSet {
  readonly isOpen: boolean;
  readonly values: readonly string[];
}

export interface Deprecation {
  /** Sentences with the reason, the first and last day, and the replacement. */
  readonly description: string;
  /** The last day on which the deprecated element works, YYYY-MM-DD; undefined if it is not known. */
  readonly until: string | undefined;
}

export interface Discriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
}
