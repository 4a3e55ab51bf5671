/** The partner's program is a process group, so that its child processes are killed with it. */
import type { ChildProcess } from "node:child_process";
import { UsageError } from "../base/index.ts";
import { signalGroup, spawnGroup } from "./process-group/index.ts";

export class ProveError extends UsageError {
  override name = "ProveError";

  constructor(message: string) {
    super(message, 2);
  }
}

export interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly limitMs: number;
  readonly onOutput: (text: string, stream: "stdout" | "stderr") => void;
  /** When aborted, the process is killed. */
  readonly signal: AbortSignal;
}

export interface ProcessExit {
  /** The exit code; undefined after a signal. */
  readonly code: number | undefined;
  readonly isOverTime: boolean;
}

/** The end of a sentence, such as `ended with exit code 1`. @param limitMs the time limit of the process. */
export function describeExit({ code, isOverTime }: ProcessExit, limitMs: number): string {
  if (isOverTime) return `was still running after ${limitMs / 1000} s`;
  return code === undefined ? "ended by a signal" : `ended with exit code ${code}`;
}

const runningProcesses = new Set<ProgramProcess>();
// Kills all process groups when this process exits. After a signal without a listener, such as SIGKILL, the event `exit` does not occur.
process.on("exit", () => {
  for (const runningProcess of runningProcesses) runningProcess.killGroup();
});

const outputTimeoutMs = 500;

export class ProgramProcess {
  /** Resolves when the process has ended and its child processes are killed. Rejects with a {@link ProveError} if it cannot be started. */
  readonly completion: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  #isOverTime = false;

  constructor(command: readonly string[], { env, limitMs, onOutput, signal }: ProcessOptions) {
    if (signal.aborted) throw new ProveError("The proof was stopped.");
    this.#child = spawnGroup(command, { env });
    runningProcesses.add(this);
    for (const stream of ["stdout", "stderr"] as const) {
      this.#child[stream]?.setEncoding("utf8").on("data", (text: string) => onOutput(text, stream));
    }
    const timer = setTimeout(() => {
      this.#isOverTime = true;
      this.killGroup();
    }, limitMs);
    const stop = () => this.killGroup();
    signal.addEventListener("abort", stop);
    this.completion = new Promise<ProcessExit>((resolve, reject) => {
      this.#child.once("error", (error: NodeJS.ErrnoException) => reject(startError(command[0] ?? "", error)));
      this.#child.once("exit", (code) => {
        this.killGroup();
        const resolveExit = () => resolve({ code: code ?? undefined, isOverTime: this.#isOverTime });
        // `setImmediate` lets output that has already arrived be read first, in case this process was busy.
        const outputTimer = setTimeout(() => setImmediate(resolveExit), outputTimeoutMs);
        this.#child.once("close", () => {
          clearTimeout(outputTimer);
          resolveExit();
        });
      });
    }).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      runningProcesses.delete(this);
    });
    // Prevents an unhandled rejection if nobody awaits `completion`.
    this.completion.catch(() => {});
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async kill(): Promise<void> {
    this.killGroup();
    await this.completion.catch(() => {});
  }

  killGroup(): void {
    signalGroup(this.#child, "SIGKILL");
  }
}

function startError(program: string, { code }: NodeJS.ErrnoException): ProveError {
  // For a command without a path, EACCES can also mean that a folder of PATH cannot be read.
  const deniedReason = /[/\\]/.test(program) ? "it is not executable" : "no folder of PATH has it as an executable";
  const reason = code === "ENOENT" ? "there is no such file or command" : code === "EACCES" ? deniedReason : code;
  return new ProveError(`The program ${program} cannot be started: ${reason}.`);
}
