import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BundledContract } from "../contract/bundle/index.ts";
import type { Finding } from "./findings.ts";

/**
 * Starts to lint the contract immediately. Only Spectral, which runs last, waits for `contract`.
 *
 * @param contract resolves to undefined if the bundle cannot be made.
 * @throws {Error} if the process fails or is ended by the signal, or the error of `contract`.
 */
export function lintInChildProcess(
  contract: Promise<BundledContract | undefined>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Finding[]> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  // A larger young generation reduces the time for garbage collection.
  const execArgv = ["--max-semi-space-size=64", "--import", loader];
  const child = fork(join(import.meta.dirname, "process.ts"), { execArgv, signal });
  // If the process has ended, `send` fails, and the `exit` listener below reports the end.
  const sending = contract.then((bundledContract) => child.send({ bundledContract }, () => {}));
  return new Promise((resolve, reject) => {
    sending.catch((error) => {
      reject(error);
      child.kill();
    });
    child.once("message", (findings) => resolve(findings as Finding[])).once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`Lint has ended without a result: ${signal ?? code}.`)));
  });
}
