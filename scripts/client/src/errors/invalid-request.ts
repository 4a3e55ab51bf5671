import type { Problem } from "./problem-texts.ts";

/** The client refuses to send the call or the attempt. */
export class InvalidRequest extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.join(": "), { cause });
    this.problem = problem;
  }
}
