/** Runs the partner's program, again after each exit code but 0, and kills it if a condition demands this. */
import { setTimeout as wait } from "node:timers/promises";
import type { Output } from "./output.ts";
import { type ProcessExit, ProgramProcess, ProveError } from "./processes.ts";

export interface RunOptions {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Timeout of one run in milliseconds. */
  readonly limitMs: number;
  /** Milliseconds between two runs. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/** Maximum number of runs: any exit code but 0 asks for another run. */
export const mostRuns = 5;

/** The result of a program's runs. */
export interface RunsResult {
  readonly isFinished: boolean;
  /** Why it is not finished, such as `ended 5 times with exit code 1`. */
  readonly reason: string;
}

/** Starts the program once. */
export function start({ command, env, output, limitMs, signal }: RunOptions): ProgramProcess {
  if (signal.aborted) throw new ProveError("The proof was stopped.");
  const program = new ProgramProcess(command, { env, limitMs, onOutput: output.add });
  const stop = () => program.killGroup();
  signal.addEventListener("abort", stop);
  program.ended.finally(() => signal.removeEventListener("abort", stop)).catch(() => {});
  return program;
}

/**
 * Runs the program until it ends with 0, at most {@link mostRuns} times.
 *
 * @param kill resolves when the program has to be killed; that run is not counted. Used in the first run only.
 * @throws {ProveError} when the program cannot be started.
 */
export async function runToEnd(
  options: RunOptions,
  kill?: (ended: Promise<unknown>) => Promise<boolean>,
): Promise<RunsResult> {
  let last: ProcessExit | undefined;
  if (kill !== undefined) {
    const program = start(options);
    if (await kill(program.ended)) await program.kill();
    else last = await program.ended;
  }
  for (let runs = last === undefined ? 0 : 1; runs < mostRuns; runs += 1) {
    if (last !== undefined) {
      if (last.code === 0 || last.isOverTime) break;
      await wait(options.pauseMs);
    }
    last = await start(options).ended;
  }
  options.output.end();
  return endOf(last, options.limitMs);
}

function endOf(last: ProcessExit | undefined, limitMs: number): RunsResult {
  if (last?.code === 0) return { isFinished: true, reason: "" };
  if (last?.isOverTime) return { isFinished: false, reason: `was still running after ${limitMs / 1000} s` };
  const how = last?.code === undefined ? "by a signal" : `with exit code ${last.code}`;
  return { isFinished: false, reason: `ended ${how} in the last of ${mostRuns} runs` };
}
