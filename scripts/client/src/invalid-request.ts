import type { Problem } from "./problem-texts.ts";

/** The error of a call that the client refuses before anything is sent. */
export class InvalidRequest extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.join(": "), { cause });
    this.problem = problem;
  }
}
