export interface Mutant {
  /** The mutated file, relative to the project root. */
  path: string;
  text: string;
  /** Groups similar mutants. A sample prefers mutants with different keys. */
  key: string;
  change: string;
  /** A part of the code, such as `mock`, or the stated or unstated part of the contract. A sample has equally many mutants of each area. */
  area: string;
  tests: RegExp;
  /** Slow test files, which run only if no other file of `tests` detects the mutant. */
  slow?: RegExp | undefined;
  /** The statement of code that contains the change. If it is absent, every test counts as reaching the mutant. */
  statement?: Statement;
}

/** A statement, by offsets in the original file. */
export interface Statement {
  start: number;
  end: number;
  /** Whether the statement is the expression body of an arrow function. */
  isExpression: boolean;
}
