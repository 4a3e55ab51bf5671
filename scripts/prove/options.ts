/** The options of a run of `prove`. */
import type { Edition } from "../mock/plan/index.ts";
import type { ConditionResult } from "./report.ts";

export interface ProveOptions {
  /** The program and its arguments; `{csv}` and `{state}` stand for the paths of the input and of the state. */
  readonly command: readonly string[];
  /** Names of conditions and calls, separated by commas; all when left out. */
  readonly only?: string | undefined;
  /** Seed of the mock's identifiers and of the times of some kills. */
  readonly seed: string;
  /** Maximum tested delay of an effect or a record, in seconds. */
  readonly lateSeconds: number;
  readonly parallel: number;
  readonly edition: Edition;
  /** Timeout of one run of the program in seconds. */
  readonly limitSeconds: number;
  /** Whether `PARTNER_WALLET_PROVE` is not set for the program, so that the program pauses as in production. */
  readonly hasFullPauses?: boolean | undefined;
  /** Ends the run of `prove` and kills every process. */
  readonly signal: AbortSignal;
  /** Called with each condition when all its runs have ended. */
  readonly onCondition?: ((result: ConditionResult) => void) | undefined;
}
