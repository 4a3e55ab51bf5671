import type { Edition } from "../mock/plan/index.ts";
import type { ConditionResult } from "./report.ts";

export interface ProveOptions {
  /** The program and its arguments, in which the paths of the input file and of the state replace `{csv}` and `{state}`. */
  readonly command: readonly string[];
  /**
   * The value of `--only`: conditions separated by commas, each optionally limited to one call, such as
   * `late-effect,two-faults:createTransfer:2`. Undefined: all conditions at all calls.
   */
  readonly only?: string | undefined;
  /** The values of `--answers`: `money`, `all`, `none` (the default), or answers such as `Q-history-window=Another time zone`. */
  readonly answers?: readonly string[] | undefined;
  /** The seed of the mock's identifiers, and of all random choices, such as the pauses before kills. */
  readonly seed: string;
  /** The longest tested delay of the effect of a call, or of its record in the history, in seconds. */
  readonly lateSeconds: number;
  /** The maximum number of tests at the same time. A test can run the program several times in parallel. */
  readonly parallel: number;
  readonly edition: Edition;
  /** The timeout of one run of the program, in seconds. For a program that makes calls, the tested delay is added to this timeout. */
  readonly limitSeconds: number;
  /** Whether the pauses of the program are as long as in production: `PARTNER_WALLET_PROVE` is then not set. */
  readonly hasFullPauses?: boolean | undefined;
  /** When aborted, `prove` ends and kills all processes that it has started. */
  readonly signal: AbortSignal;
  /** Called with the result of each condition after all its runs. */
  readonly onCondition?: ((result: ConditionResult) => void) | undefined;
}
