/** What a proof has found, as data. */

export type FindingKind =
  | "paid-twice"
  | "not-paid-not-reported"
  | "reported-without-reason"
  | "reported-wrongly"
  | "does-not-finish"
  | "event-lost"
  | "event-counted-twice"
  | "wrong-sum"
  | "forged-event-accepted"
  | "event-refused"
  | "secret-in-the-clear";

/** A call of the program: its operation, and its number among the calls of this operation, from 1. */
export interface Call {
  readonly operation: string;
  readonly number: number;
}

/** One thing that went wrong in a run. */
export interface Problem {
  readonly kind: FindingKind;
  /** What was seen, in a sentence. */
  readonly seen: string;
}

/** A problem, and where it was found. */
export interface Finding extends Problem {
  readonly condition: string;
  /** The call that met the condition. */
  readonly call?: Call | undefined;
  /** The value of `--only` that runs just this one. */
  readonly only: string;
}

/** The result of a condition. */
export interface ConditionResult {
  readonly name: string;
  readonly meaning: string;
  /** `not-met`: the program made no call that could have met it. */
  readonly result: "passed" | "failed" | "not-met";
  /** How many times the program was run from the beginning. */
  readonly runs: number;
  readonly failedRuns: number;
  /** Payments that the program called unclear, over all runs. */
  readonly unclear: number;
  /** Real time from the first run to the end of the last, in milliseconds. */
  readonly milliseconds: number;
  /** With a delay: the longest in seconds up to which the program stayed right, of those that were tried; 0 for none. */
  readonly rightUpToSeconds?: number | undefined;
}

export interface ProofReport {
  readonly proof: string;
  readonly version: string;
  readonly seed: string;
  readonly lateSeconds: number;
  readonly conditions: readonly ConditionResult[];
  readonly findings: readonly Finding[];
  /** What is no finding and should be known. */
  readonly remarks: readonly string[];
  /** The open questions of the contract that the conditions rest on. */
  readonly questions: readonly { readonly id: string; readonly question: string }[];
  /** What this proof cannot show. */
  readonly cannotProve: readonly string[];
  readonly milliseconds: number;
}

/** What no run of this command can show. */
export const cannotProve: readonly string[] = [
  "what the service really does: the mock assumes what no document states",
  "longer delays of an effect or a record than those that were tried",
  "every order in which processes and threads can meet",
  "more than one failing call in one run, and failures of your own disk, database or clock",
  "secrets that leave the program elsewhere than by its output and its state",
];
