/** The probes of `openapi/probes.yaml`, whose head says what their keys mean. */

/** Part of JSON Schema, as the runtime of the client reads it; a pattern is a text. */
export type ProbeSchema = Readonly<Record<string, unknown>>;

export interface Probe {
  readonly operation: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly outcomes: readonly ProbeOutcome[];
}

export interface ProbeOutcome {
  readonly answer: string;
  readonly status?: number | readonly number[];
  readonly code?: string;
  readonly header?: string;
  readonly drift?: "none" | readonly string[];
  readonly every?: Readonly<Record<string, ProbeSchema>>;
  readonly some?: Readonly<Record<string, ProbeSchema>>;
  readonly sorted?: string;
}

/** A question that has probes, with what is said of it in open-questions.yaml. */
export interface ProbedQuestion {
  readonly id: string;
  readonly question: string;
  readonly assumption: string;
  readonly change: Readonly<Record<string, string>>;
  readonly probes: readonly Probe[];
}

export interface Probes {
  /** Where the identifiers that calls need are found: in the answers of an operation, at a pointer. */
  readonly values: Readonly<Record<string, readonly { readonly operation: string; readonly at: string }[]>>;
  readonly questions: readonly ProbedQuestion[];
  /** The texts of all open questions by their ids, those without probes as well. */
  readonly texts: Readonly<Record<string, string>>;
}
