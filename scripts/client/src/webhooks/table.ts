/** The types of the generated table of webhooks. */
import type { Schema } from "../conformance.ts";

/** A webhook. The generated table has one entry for each webhook. */
export interface WebhookEntry {
  /** Path on the partner's server. */
  readonly path: string;
  /** Schema of the body. */
  readonly schema: Schema;
  /** Fields that together identify an event, to detect repeated deliveries; empty where no fields do. */
  readonly dedupeKey: readonly string[];
}

export type WebhookTable = Readonly<Record<string, WebhookEntry>>;
