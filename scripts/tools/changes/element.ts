import type { Edition, Provenance } from "../../contract/model/index.ts";

/** The sender of a value. `request`: the partner. `response`: the service, which also sends webhooks. */
export type Direction = "request" | "response";

export type Kind =
  | ("service" | "operation" | "webhook" | "code" | "parameter" | "body" | "media" | "response" | "header" | "field")
  /** One of several schemas for the same value. */
  | "alternative"
  /** Data for programs, such as effects and lifecycles, see machine-data.ts. */
  | ("condition" | "effect" | "trigger" | "step" | "lookup" | "external event");

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
  provenance: Provenance;
  /** In requests: whether the partner must send the element. In responses: whether the service always sends it. */
  required?: boolean;
  readonly facts: Record<string, unknown>;
  readonly texts: unknown[];
}
