export interface Mutant {
  /** The file, relative to the root of the project. */
  path: string;
  text: string;
  /** Mutants of different keys are preferred. */
  key: string;
  change: string;
  /** A room of the code, or the stated or the unstated part of the contract. Samples have equally many mutants of each area. */
  area: string;
  tests: RegExp;
  /** Test files that take seconds, and run only if no file in `tests` detects the mutant. */
  slow?: RegExp | undefined;
  /** The statement of code that contains the change; a mutant without a statement counts as reached by every test. */
  statement?: Statement;
}

/** Offsets in the original file. */
export interface Statement {
  start: number;
  end: number;
  /** Whether the statement is the expression body of an arrow function. */
  isExpression: boolean;
}
