/** What a proof is told. */
import type { Edition } from "../mock/plan/index.ts";
import type { ConditionResult } from "./report.ts";

export interface ProveOptions {
  /** The program and its arguments; `{csv}` and `{state}` stand for the paths of the input and of the state. */
  readonly command: readonly string[];
  /** Names of conditions and calls, separated by commas; all where it is left out. */
  readonly only?: string | undefined;
  /** What the identifiers of the mock and the moments of some kills follow from. */
  readonly seed: string;
  /** The longest delay of an effect or a record that is tried, in seconds. */
  readonly lateSeconds: number;
  /** How many worlds are worked on at once. */
  readonly parallel: number;
  /** The edition whose operations the mock answers. */
  readonly edition: Edition;
  /** Seconds that one run of the program may take. */
  readonly limitSeconds: number;
  /** Ends the proof and every process. */
  readonly signal: AbortSignal;
  /** Told of each condition when all of its runs have ended. */
  readonly onCondition?: ((result: ConditionResult) => void) | undefined;
}
