/** The header comment of `openapi/probes.yaml` describes the keys. */

/** A schema with the JSON Schema keywords that the client supports. Patterns are strings. */
export type ProbeSchema = Readonly<Record<string, unknown>>;

export interface Probe {
  readonly operation: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly before?: readonly string[];
  readonly undo?: Readonly<Record<string, string>>;
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

export interface ProbedQuestion {
  readonly id: string;
  readonly question: string;
  readonly assumption: string;
  readonly assumesNothing: boolean;
  readonly change: Readonly<Record<string, string>>;
  readonly probes: readonly Probe[];
}

export interface Probes {
  /** By the name of an identifier: the operations that return the identifier, each with a JSON pointer into the response. */
  readonly values: Readonly<Record<string, readonly { readonly operation: string; readonly at: string }[]>>;
  /** By operation and parameter: the key of the parameter's value in `values`, if the key is not the name of the parameter. */
  readonly names: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly questions: readonly ProbedQuestion[];
  readonly texts: Readonly<Record<string, string>>;
}
