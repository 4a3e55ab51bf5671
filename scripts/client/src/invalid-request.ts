import type { Problem } from "./problem-texts.ts";

/** The error of a call or an attempt that the client refuses to send. */
export class InvalidRequest extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.join(": "), { cause });
    this.problem = problem;
  }
}
