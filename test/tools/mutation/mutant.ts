export interface Mutant {
  path: string;
  text: string;
  /** Groups similar mutants. A sample prefers mutants with different keys. */
  key: string;
  change: string;
  /** For example `mock`; for the contract, `stated` or `not stated`. If possible, a sample has equally many mutants of each area. */
  area: string;
  tests: RegExp;
  /** Slow test files, which run only if no other file of `tests` detects the mutant. */
  slowTests?: RegExp | undefined;
  /** The mutated statement, of a mutant of the code. If it is absent, every test counts as reaching the mutant. */
  statement?: Statement;
}

export interface Statement {
  start: number;
  end: number;
  isExpression: boolean;
}
