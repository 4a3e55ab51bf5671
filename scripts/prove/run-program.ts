import { setTimeout as wait } from "node:timers/promises";
import type { Output } from "./output.ts";
import { type ProcessOptions, ProgramProcess } from "./processes.ts";

export interface RunOptions extends Omit<ProcessOptions, "onOutput"> {
  readonly command: readonly string[];
  readonly output: Output;
  readonly pauseMs: number;
}

/** Maximum number of runs. An exit code other than 0 asks for another run. */
const maxRuns = 5;

export interface RunsResult {
  readonly isFinished: boolean;
  /** Why the program has not finished, such as `ended with exit code 1 in the last of 5 runs`. */
  readonly reason: string;
}

/** Maximum length of a line that is kept until its end arrives. */
const maxOpenLine = 4096;

/** Lines of processes that run at once are kept apart, and the last line of a killed process ends with it. */
export function start({ command, output, ...options }: RunOptions): ProgramProcess {
  let open = "";
  const program = new ProgramProcess(command, {
    ...options,
    onOutput: (text, stream) => {
      if (stream === "stderr") return output.add(text, stream);
      const all = open + text;
      const end = all.length > maxOpenLine ? all.length : all.lastIndexOf("\n") + 1;
      open = all.slice(end);
      output.add(all.slice(0, end), stream);
    },
  });
  const close = () => output.add(open === "" ? "" : `${open}\n`, "stdout");
  program.ended.then(close, close);
  return program;
}

/**
 * @param kill resolves to whether the first run is to be killed. A killed run does not count.
 * @throws {ProveError} when the program cannot be started.
 */
export async function runToEnd(
  options: RunOptions,
  kill = async (_ended: Promise<unknown>): Promise<boolean> => false,
): Promise<RunsResult> {
  const { output, pauseMs, limitMs } = options;
  let program = start(options);
  if (await kill(program.ended)) {
    await program.kill();
    program = start(options);
  }
  let last = await program.ended;
  for (let runs = 1; runs < maxRuns && last.code !== 0 && !last.isOverTime; runs += 1) {
    await wait(pauseMs);
    last = await start(options).ended;
  }
  output.end();
  if (last.code === 0) return { isFinished: true, reason: "" };
  if (last.isOverTime) return { isFinished: false, reason: `was still running after ${limitMs / 1000} s` };
  const how = last.code === undefined ? "by a signal" : `with exit code ${last.code}`;
  return { isFinished: false, reason: `ended ${how} in the last of ${maxRuns} runs` };
}
