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
  /** What has to fail, the quickest first. */
  witnesses: readonly Witness[];
}

/** What notices mutants: a command that `npx` runs, and the paths that it takes. */
export interface Witness {
  /** The name that the figures have. */
  name: string;
  command: readonly [string, ...string[]];
  paths: readonly string[];
}

/** @param paths of test files or folders. */
export function testsIn(paths: readonly string[], project: "fast" | "slow" = "fast"): Witness {
  // A machine under load upsets a test: it gets a second try.
  const options = ["--bail", "3", "--retry", "1", "--typecheck.enabled=false", "--reporter", "default"];
  const command = ["vitest", "run", "--project", project, ...options] as const;
  return { name: project === "fast" ? "the tests" : "the slow tests", command, paths };
}
