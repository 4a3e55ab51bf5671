import type { Edition } from "../mock/plan/index.ts";
import type { ConditionResult } from "./report.ts";

export interface ProveOptions {
  /** The program and its arguments. `{csv}` and `{state}` are replaced by the paths of the input file and the state. */
  readonly command: readonly string[];
  /** The value of `--only`: names of conditions and calls, separated by commas; everything when left out. */
  readonly only?: string | undefined;
  /** The values of `--answers`: `money`, `all`, `none` (the default), or answers such as `Q-history-window=Another time zone`. */
  readonly answers?: readonly string[] | undefined;
  /** Seed of the mock's identifiers and of the pauses before some kills. */
  readonly seed: string;
  /** The longest tested delay, in seconds, until a call takes effect or the history shows it. */
  readonly lateSeconds: number;
  readonly parallel: number;
  readonly edition: Edition;
  /** Timeout of one run of the program in seconds. For a program that makes calls, the delay that is tested is added. */
  readonly limitSeconds: number;
  /** Whether `PARTNER_WALLET_PROVE` is left unset, so that the program pauses for as long as in production. */
  readonly hasFullPauses?: boolean | undefined;
  /** Ends the run of `prove`, and kills all processes that it started. */
  readonly signal: AbortSignal;
  /** Called with the result of each condition after all its runs. */
  readonly onCondition?: ((result: ConditionResult) => void) | undefined;
}
