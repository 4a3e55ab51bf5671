/** The child processes are killed, with their own child processes, when this process ends, also after SIGHUP, SIGINT or SIGTERM. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { UsageError } from "../../base/index.ts";
import { signalGroup, spawnGroup } from "../../prove/process-group/index.ts";
import { atExit } from "./clean-up.ts";

export interface RunOptions {
  /** Working directory. The programs in its `node_modules/.bin` can be started by name. */
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Timeout in milliseconds for a program to end, or for a server to listen. */
  limitMs?: number;
}

/** Leads a process group: `kill` also ends its child processes. */
export class Program {
  /** Resolves to the exit code after the program has ended and closed its output; null after a signal. Rejects if it cannot be started. */
  readonly exitCode: Promise<number | null>;
  readonly #command: string;
  readonly #child: ChildProcess;
  readonly #killNow: () => void;
  #output = "";
  #stdout = "";

  constructor(program: string, args: readonly string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#command = [program, ...args].join(" ");
    this.#child = spawnGroup([program, ...args], { cwd, env });
    this.#killNow = atExit(() => this.signalGroup("SIGKILL"));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
      this.#stdout += text;
    });
    this.exitCode = once(this.#child, "close").then(
      ([code]) => code as number | null,
      () => {
        throw new UsageError(`${this.#command} cannot be started. Is it installed?`);
      },
    );
    // Prevents an unhandled rejection. Callers that await `exitCode` get the error.
    this.exitCode.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get output(): string {
    return this.#output;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get outputLength(): number {
    return this.#output.length;
  }

  /** Searches the output from `offset` on. @throws {UsageError} when the program cannot start, ends first, or reaches the limit. */
  async waitFor(pattern: RegExp, { offset = 0, limitMs = 20_000 } = {}): Promise<RegExpExecArray> {
    const endsAt = performance.now() + limitMs;
    for (;;) {
      // The exit code is read before the output: if the program has ended, the output is complete.
      const exitCode = await this.waitForExit(0);
      const match = pattern.exec(stripVTControlCharacters(this.#output.slice(offset)));
      if (match !== null) return match;
      if (exitCode !== "still running") throw this.failure(`ended without printing ${pattern}`);
      if (performance.now() > endsAt) throw this.failure(`printed no ${pattern} within ${limitMs / 1000} s`);
      await wait(10);
    }
  }

  /** Resolves to the exit code, or to "still running" if the program has not ended within the limit. */
  waitForExit(limitMs: number): Promise<number | null | "still running"> {
    return Promise.race([this.exitCode, wait(limitMs, "still running" as const, { ref: false })]);
  }

  /** Sends a signal to the program only; {@link signalGroup} also sends it to the child processes. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal to the program and its child processes, as a terminal does on Ctrl+C. */
  signalGroup(signal: NodeJS.Signals): void {
    signalGroup(this.#child, signal);
  }

  async kill(): Promise<void> {
    this.#killNow();
    await this.exitCode.catch(() => {});
  }

  failure(problem: string): UsageError {
    // Cuts lines after 500 characters: Node prints the throwing line, which can be a whole minified program.
    const lines = this.#output.replace(/^(.{500}).+$/gm, "$1…").trim();
    return new UsageError(`${this.#command} ${problem}.\n${lines || "It printed nothing."}`);
  }
}

export function start(program: string, args: readonly string[], { cwd, env }: RunOptions): Program {
  const path = [join(cwd, "node_modules/.bin"), process.env.PATH].join(delimiter);
  return new Program(program, args, { cwd, env: { ...process.env, PATH: path, ...env } });
}

/**
 * @returns what the program has written to stdout.
 * @throws {UsageError} when it cannot start, fails, or reaches the limit (default: 5 minutes).
 */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { limitMs = 5 * 60_000 } = options;
  const child = start(program, args, options);
  try {
    const code = await child.waitForExit(limitMs);
    if (code === 0) return child.stdout;
    throw child.failure(code === "still running" ? `was killed after ${limitMs / 1000} s` : "failed");
  } finally {
    await child.kill();
  }
}

/**
 * The server runs while `use` runs.
 *
 * @param options `portPattern` matches the server's output when it listens; its first group is the port.
 */
export async function withServer<Value>(
  program: string,
  args: readonly string[],
  options: RunOptions & { portPattern: RegExp },
  use: (origin: string) => Promise<Value>,
): Promise<Value> {
  const child = start(program, args, options);
  try {
    const [, port] = await child.waitFor(options.portPattern, { limitMs: options.limitMs ?? 60_000 });
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    await child.kill();
  }
}
