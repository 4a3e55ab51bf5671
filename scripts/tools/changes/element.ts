/** A part of the contract that is compared. */
import type { Edition, Provenance } from "../../contract/model/index.ts";

/** Who sends a value: `request`, the partner; `response`, the service, which includes the bodies of webhooks. */
export type Direction = "request" | "response";

export type Kind =
  | ("service" | "operation" | "webhook" | "code" | "parameter" | "body" | "media" | "response" | "header" | "field")
  /** One of several schemas, of which a value satisfies one. */
  | "alternative"
  /** Machine data beside an operation or webhook: a condition, an effect, an event that follows, a step of a lifecycle. */
  | ("condition" | "effect" | "trigger" | "step");

/** A part of the contract. */
export interface Element {
  /** Names it in both versions of the contract: `createTransfer/request/amount`. */
  readonly id: string;
  /** The element that contains it; empty for an operation, a webhook and a P-code of the catalogue. */
  readonly parent: string;
  /** operationId, key of a webhook, or P-code. */
  readonly subject: string;
  readonly kind: Kind;
  /** How a sentence names it within its subject: "request field `amount`". */
  readonly name: string;
  readonly direction: Direction;
  readonly editions: readonly Edition[];
  provenance: Provenance;
  /** Whether a partner who sends nothing for it is refused, or the service always sends it. */
  required: boolean;
  /** What the contract says of it, by keyword. */
  readonly facts: Record<string, unknown>;
  /** What it says for people only. */
  readonly texts: unknown[];
}
