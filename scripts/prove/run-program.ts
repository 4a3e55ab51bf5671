import { setTimeout as wait } from "node:timers/promises";
import type { Output } from "./output.ts";
import { describeExit, type ProcessOptions, ProgramProcess } from "./processes.ts";

export interface RunOptions extends Omit<ProcessOptions, "onOutput"> {
  readonly command: readonly string[];
  readonly output: Output;
  /** Milliseconds before the program is run again after an exit code other than 0 or a signal. */
  readonly pauseMs: number;
}

/** Maximum number of runs. After an exit code other than 0 or a signal, but not after a timeout, the program is run again. */
const maxRuns = 5;

export interface RunsResult {
  readonly isFinished: boolean;
  /** Why the program has not finished, such as `ended with exit code 1 in the last of 5 runs`; empty if it has finished. */
  readonly reason: string;
  /** The last lines that this run printed, if it has not finished. */
  readonly lastLines: readonly string[];
}

const maxShownLines = 3;

/** Maximum length of an incomplete line, which is kept until its end arrives. A longer one is recorded in parts. */
const maxOpenLine = 4096;

/** Stdout is recorded in whole lines, because lines of parallel processes must not mix. */
export function start({ command, output, ...options }: RunOptions): ProgramProcess {
  let openLine = "";
  const program = new ProgramProcess(command, {
    ...options,
    onOutput: (text, stream) => {
      if (stream === "stderr") return output.add(text, stream);
      const pendingText = openLine + text;
      const end = pendingText.length > maxOpenLine ? pendingText.length : pendingText.lastIndexOf("\n") + 1;
      openLine = pendingText.slice(end);
      output.add(pendingText.slice(0, end), stream);
    },
  });
  const close = () => output.add(openLine === "" ? "" : `${openLine}\n`, "stdout");
  program.completion.then(close, close);
  return program;
}

/**
 * Runs the program until it ends with exit code 0 or reaches the timeout, at most {@link maxRuns} times.
 *
 * @param kill resolves to whether the first run must be killed. A killed run is not counted.
 * @throws {ProveError} when the program cannot be started.
 */
export async function runToEnd(
  options: RunOptions,
  kill = async (_completion: Promise<unknown>): Promise<boolean> => false,
): Promise<RunsResult> {
  const { output, pauseMs, limitMs } = options;
  let program = start(options);
  if (await kill(program.completion)) {
    await program.kill();
    program = start(options);
  }
  let exit = await program.completion;
  for (let runCount = 1; runCount < maxRuns && exit.code !== 0 && !exit.isOverTime; runCount += 1) {
    await wait(pauseMs);
    exit = await start(options).completion;
  }
  output.end();
  if (exit.code === 0) return { isFinished: true, reason: "", lastLines: [] };
  const reason = describeExit(exit, limitMs);
  return {
    isFinished: false,
    reason: exit.isOverTime ? reason : `${reason} in the last of ${maxRuns} runs`,
    lastLines: output.lastLines(maxShownLines),
  };
}
