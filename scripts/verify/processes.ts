/** Child processes and temporary folders that are never left over, not even when a signal ends this process. */
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Result, x } from "tinyexec";
import { UsageError } from "../contract/index.ts";

export interface RunOptions {
  /** Working directory. The programs in its `node_modules/.bin` can be started by name. */
  cwd: string;
  /** Environment variables in addition to those of this process. */
  env?: Readonly<Record<string, string>>;
  /** Milliseconds after which a program that has not ended, or a server that does not listen, is killed. */
  limitMs?: number;
}

/**
 * Runs a program to its end.
 *
 * @param options `limitMs` is 5 minutes by default.
 * @returns what it printed to standard output.
 * @throws {UsageError} with everything it printed, when it cannot be started, reaches the time limit or fails.
 */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  const child = new Child(program, args, { limitMs: 5 * 60_000, ...options });
  try {
    const { stdout, stderr, exitCode } = await child.process;
    if (exitCode !== 0) throw child.failure("failed", stdout + stderr);
    return stdout;
  } finally {
    child.kill();
  }
}

/**
 * Starts a server that chooses a free port of 127.0.0.1, uses it, and stops it.
 *
 * @param options `port` matches what the server prints when it listens; its first group is the port. `limitMs` is 1 minute
 * by default.
 * @param use receives the origin of the server, for example `http://127.0.0.1:4010`.
 * @returns what `use` returns.
 * @throws {UsageError} with everything it printed, when it cannot be started, ends, or reaches the time limit before it
 * listens.
 */
export async function withServer<Value>(
  program: string,
  args: readonly string[],
  options: RunOptions & { port: RegExp },
  use: (origin: string) => Promise<Value>,
): Promise<Value> {
  const child = new Child(program, args, { limitMs: 60_000, ...options });
  const lines = child.process[Symbol.asyncIterator]();
  try {
    const port = await findPort(lines, options.port, child);
    child.clearLimit();
    void readToEnd(lines);
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    child.kill();
    await readToEnd(lines);
  }
}

async function findPort(lines: AsyncIterator<string>, form: RegExp, server: Child): Promise<string> {
  let printed = "";
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw server.failure("ended before it listened", printed);
    printed += `${stripVTControlCharacters(value)}\n`;
    const port = form.exec(printed)?.[1];
    if (port !== undefined) return port;
  }
}

/** Reads until the program ends. A program whose output is not read stops as soon as the pipe is full. */
async function readToEnd(lines: AsyncIterator<string>): Promise<void> {
  while (!(await lines.next()).done);
}

/**
 * Makes a temporary folder, uses it, and removes it with its content.
 *
 * @param prefix start of the folder's name.
 * @param use receives the absolute path of the folder.
 * @returns what `use` returns.
 */
export async function withTemporaryFolder<Value>(
  prefix: string,
  use: (folder: string) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const undo = atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  try {
    return await use(folder);
  } finally {
    undo();
  }
}

/** A running program. It leads a process group, so that everything it starts can be killed together with it. */
class Child {
  readonly process: Result;
  /** Kills the program and everything it started. A program that has ended is left alone. */
  readonly kill: () => void;
  readonly #command: string;
  readonly #limit: NodeJS.Timeout;
  #problem: string | undefined;

  constructor(program: string, args: readonly string[], options: RunOptions & { limitMs: number }) {
    const { cwd, env, limitMs } = options;
    this.#command = [program, ...args].join(" ");
    this.process = x(program, args, {
      nodeOptions: { cwd, ...(env && { env }), detached: true, stdio: ["ignore", "pipe", "pipe"] },
    });
    if (this.process.pid === undefined) throw new UsageError(`${this.#command} cannot be started. Is it installed?`);
    this.#limit = setTimeout(() => {
      this.#problem = `was killed after ${limitMs / 1000} s`;
      this.kill();
    }, limitMs);
    this.kill = atExit(() => {
      this.clearLimit();
      killGroup(this.process.pid as number);
    });
  }

  /** Lets the program run without a time limit. */
  clearLimit(): void {
    clearTimeout(this.#limit);
  }

  /** The error for a program that did not do what it was started for. */
  failure(problem: string, printed: string): UsageError {
    // Node prints the line that threw, which in a minified program is the whole program.
    const lines = printed.replace(/^(.{500}).+$/gm, "$1…").trim();
    return new UsageError(`${this.#command} ${this.#problem ?? problem}.\n${lines || "It printed nothing."}`);
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** What has to be cleaned up when this process ends, the latest last. */
const cleanUps = new Set<() => void>();

/**
 * Has something cleaned up when this process ends, unless it was cleaned up before.
 *
 * @returns a function that cleans it up now. Only its first call has an effect.
 */
function atExit(cleanUp: () => void): () => void {
  if (!process.listeners("exit").includes(cleanUpAll)) {
    process.once("exit", cleanUpAll);
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => process.exit(128 + constants.signals[signal]));
    }
  }
  cleanUps.add(cleanUp);
  return () => {
    if (cleanUps.delete(cleanUp)) cleanUp();
  };
}

function cleanUpAll(): void {
  for (const cleanUp of [...cleanUps].reverse()) cleanUp();
}
