/** What the generated table tells the runtime about the webhooks of the contract. */

/** A webhook. The generated table has one entry for each webhook. */
export interface WebhookEntry {
  /** Path on the partner's server. */
  readonly path: string;
  /** Validates a body; additional fields and unknown values of open sets are valid. */
  readonly validate: Validator;
  /** Fields that together identify an event, to detect repeated deliveries. */
  readonly dedupeKey: readonly string[];
}

export type WebhookTable = Readonly<Record<string, WebhookEntry>>;

/** A validator, compiled at build time, because edge workers do not allow code generation at run time. */
export interface Validator {
  (body: unknown): boolean;
  errors?: readonly Violation[] | null;
}

/** A violation of the schema of a body, without the violating value. */
export interface Violation {
  instancePath: string;
  message?: string;
}
