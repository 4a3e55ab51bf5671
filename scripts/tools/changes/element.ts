/** The types of elements: the parts of the contract that are compared. */
import type { Edition, Provenance } from "../../contract/model/index.ts";

/** The sender of a value: `request` for the partner; `response` for the service, including webhooks. */
export type Direction = "request" | "response";

export type Kind =
  | ("service" | "operation" | "webhook" | "code" | "parameter" | "body" | "media" | "response" | "header" | "field")
  /** One of several schemas of a value. */
  | "alternative"
  /** Machine data beside an operation or webhook: a condition, an effect, an event that follows, a step of a lifecycle. */
  | ("condition" | "effect" | "trigger" | "step" | "lookup" | "external event");

/** A part of the contract. */
export interface Element {
  /** Identifies it in both versions: `createTransfer/request/amount`. */
  readonly id: string;
  /** The element that contains it; empty for an operation, a webhook and a P-code of the catalogue. */
  readonly parent: string;
  /** operationId, key of a webhook, or P-code. */
  readonly subject: string;
  readonly kind: Kind;
  /** Its name in sentences about its subject: "request field `amount`". */
  readonly name: string;
  readonly direction: Direction;
  readonly editions: readonly Edition[];
  provenance: Provenance;
  /** For requests: whether it must be sent; for responses: whether it is always sent. */
  required: boolean;
  /** Its comparable keywords. */
  readonly facts: Record<string, unknown>;
  /** Its texts for people. */
  readonly texts: unknown[];
}
