/** Runs programs for the checks. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "../contract/usage-error.ts";

/** Where a program runs, and with which environment variables. */
export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Nothing that is run here takes half as long; what hangs has failed. */
const limitMs = 5 * 60_000;

/**
 * Runs a program and returns what it printed.
 *
 * @throws {UsageError} with all that it printed, when it fails.
 */
export async function run(program: string, args: string[], options: RunOptions): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      maxBuffer: 64 * 1024 * 1024,
      timeout: limitMs,
      ...options,
    });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new UsageError(`${program} ${args.join(" ")} failed.\n${shorten(stdout + stderr) || message}`);
  }
}

/** Cuts long lines: Node shows the line that threw, and that of a minified program is the whole program. */
function shorten(text: string): string {
  return text.replace(/^(.{500}).+$/gm, "$1…");
}

/** The last line of every program of `test/consumer`. */
const closingLine = "Everything worked.";

/**
 * Runs a program of `test/consumer`.
 *
 * @throws {UsageError} when it fails, or ends without having come to its last line.
 */
export async function runConsumer(program: string, args: string[], options: RunOptions): Promise<void> {
  const printed = await run(program, args, options);
  checkClosingLine(printed, `${program} ${args.join(" ")}`);
}

/**
 * Checks what a consumer said in the end.
 *
 * @throws {UsageError} when it is anything but the closing line.
 */
export function checkClosingLine(said: string, consumer: string): void {
  if (said.trim() !== closingLine) throw new UsageError(`${consumer} did not work:\n${said.trim() || "(silence)"}`);
}
