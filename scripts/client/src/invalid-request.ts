import type { Problem } from "./problem-texts.ts";

/** Thrown for a call that cannot be sent, before anything is sent. */
export class InvalidRequest extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.join(": "), { cause });
    this.problem = problem;
  }
}
