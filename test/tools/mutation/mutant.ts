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
  /** Samples have equally many mutants of each area: a room of the code, or the stated or the unstated part of the contract. */
  area: string;
  /** The test files that must detect it. */
  tests: RegExp;
  /** Those of them that take seconds, and run only when no other one detects it. */
  slow?: RegExp | undefined;
  /** The statement of code that holds the change; a mutant without one counts as reached by every test. */
  statement?: Statement;
}

/** Offsets in the original file. */
export interface Statement {
  start: number;
  end: number;
  /** Whether it is the expression body of an arrow function. */
  isExpression: boolean;
}
