/** Runs programs for the checks. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "../contract/usage-error.ts";

/**
 * Runs a program and returns what it printed.
 *
 * @throws {UsageError} with all that it printed, when it fails.
 */
export async function run(
  program: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024, ...options });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new UsageError(`${program} ${args.join(" ")} failed.\n${stdout}${stderr}` || message);
  }
}
