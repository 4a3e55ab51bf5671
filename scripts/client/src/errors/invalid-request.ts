import { EarlyEnd } from "../base/deadline.ts";
import type { Problem } from "./problem-texts.ts";

/** The client refuses to send the call or the attempt. */
export class InvalidRequest extends EarlyEnd {
  declare readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super("invalid-request", cause);
    this.problem = problem;
  }
}
