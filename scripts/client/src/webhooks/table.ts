import type { Schema } from "../checks/conformance.ts";

export interface WebhookEntry {
  /** Path on the partner's server. */
  readonly path: string;
  readonly schema: Schema;
  /** Fields that together identify an event, to detect repeated deliveries. Empty if no fields identify it. */
  readonly dedupeKey: readonly string[];
}

export type WebhookTable = Readonly<Record<string, WebhookEntry>>;
