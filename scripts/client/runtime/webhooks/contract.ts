/** What the webhook kit knows of a webhook. The table of a generated kit holds one entry per webhook. */
export interface WebhookEntry {
  /** Path on the partner's server. */
  readonly path: string;
  /** Checks a body; extra fields and unknown values of open sets are accepted. */
  readonly validate: Validator;
  /** Fields that together tell one event from another, for recognising a repeated delivery. */
  readonly dedupeKey: readonly string[];
}

export type WebhookTable = Readonly<Record<string, WebhookEntry>>;

/** A validator that was compiled at build time: no code is made at run time, so that it runs on edge workers. */
export interface Validator {
  (body: unknown): boolean;
  errors?: readonly Violation[] | null;
}

/** One thing that is wrong with a body. The value itself is not in it. */
export interface Violation {
  instancePath: string;
  message?: string;
}
