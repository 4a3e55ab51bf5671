/** A change that some check has to notice. */
export interface Mutant {
  /** The file, relative to the root of the project. */
  path: string;
  /** The file after the change. */
  text: string;
  /** Mutants of different keys are chosen before several of one. */
  key: string;
  /** What was changed where. */
  change: string;
  /** Each half gives as many mutants: what the specification states and what it does not; the client and the mock. */
  half: boolean;
  /** The test files that have to fail. */
  witnesses: readonly string[];
}
