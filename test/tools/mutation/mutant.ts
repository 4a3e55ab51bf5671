/** A change that a check must find. */
export interface Mutant {
  /** The file, relative to the root of the project. */
  path: string;
  /** The changed text of the file. */
  text: string;
  /** Mutants of different keys are preferred. */
  key: string;
  /** A description of the change. */
  change: string;
  /** Each area gives as many mutants: a room of the code; of the contract, what the specification states and what it does not. */
  area: string;
  /** The test files that have to notice it. */
  tests: RegExp;
  /** Those of them that take seconds, and are asked when no other one notices it. */
  slow?: RegExp | undefined;
  /** The statement of code that holds the change; every test is taken to reach a mutant without one. */
  statement?: Statement;
}

/** Offsets in the original file. */
export interface Statement {
  start: number;
  end: number;
  /** Whether it is the expression body of an arrow function. */
  isExpression: boolean;
}
