/**
 * The titles of findings by their kind, in the order of the report: the most serious first. Their argument is the word for success, such as
 * `paid`.
 */
export const findingTitles = {
  "done-twice": (successWord) => `${successWord} twice`,
  "event-counted-twice": () => "counts an event twice",
  "done-unasked": (successWord) => `${successWord}, and not asked for`,
  "reported-wrongly": (successWord) => `${successWord}, and reported as failed`,
  "event-lost": () => "loses an event",
  "not-done-not-reported": (successWord) => `not ${successWord} and not reported`,
  "wrong-sum": () => "sums are wrong",
  "forged-event-accepted": () => "accepts a forged event",
  "does-not-finish": () => "does not finish",
  "event-refused": () => "refuses an event",
  "reported-without-reason": () => "reported without a reason",
  "secret-in-the-clear": () => "secret in the clear",
} satisfies Record<string, (successWord: string) => string>;

export type FindingKind = keyof typeof findingTitles;

/** A call of the program. `number` is its position among the calls of the operation in a run, from 1. */
export interface Call {
  readonly operation: string;
  readonly number: number;
}

export interface Problem {
  readonly kind: FindingKind;
  readonly seen: string;
}

export interface Finding extends Problem {
  readonly title: string;
  readonly condition: string;
  readonly call?: Call | undefined;
  /** The value of `--only` that repeats only this run. */
  readonly only: string;
  /** The values of `--answers` that lead to the finding, if it was found in an additional run for `--answers money` or `all`. */
  readonly answers?: readonly string[] | undefined;
}

export interface ConditionResult {
  readonly name: string;
  readonly meaning: string;
  /** `not-met`: the program has made no call to which the condition applies, or cannot be started at the time of the condition. */
  readonly result: "passed" | "failed" | "not-met";
  /**
   * The number of runs, including the search for the longest delay without a finding. Restarts of the program within a run, repetitions of
   * a run, and the search for the answer that causes a finding do not count.
   */
  readonly runs: number;
  readonly failedRuns: number;
  readonly unclear: number;
  /** The real time that the test of the condition took, in milliseconds. */
  readonly milliseconds: number;
  /** If the condition has a delay: the longest tested delay without a finding at any call, in seconds; 0 if there is no such delay. */
  readonly rightUpToSeconds?: number | undefined;
}

export interface ProofReport {
  readonly proof: string;
  readonly version: string;
  readonly seed: string;
  readonly lateSeconds: number;
  /** Whether `prove` was stopped. If so, `conditions` contains only the conditions before the first one without a result. */
  readonly isStopped: boolean;
  readonly conditions: readonly ConditionResult[];
  readonly findings: readonly Finding[];
  /** The lines of the input file, with secrets shortened to their last four characters; empty for a receiver. */
  readonly input: readonly string[];
  readonly remarks: readonly string[];
  readonly questions: readonly { readonly id: string; readonly question: string }[];
  readonly cannotProve: readonly string[];
  readonly milliseconds: number;
}

export const limitations: readonly string[] = [
  "what the service really does: the mock assumes what no document states",
  "longer delays of an effect or a record than those that were tried",
  "every order in which processes and threads can meet",
  "other combinations of failing calls in one run than those that were tried, and failures of your own disk or database",
  "another program that pays the same amount to the same user at the same time",
  "secrets that leave the program elsewhere than by its output and its state",
];
