import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

/** The folder is removed after `use`, at the latest at the end of this process. */
export async function withTemporaryFolder<Value>(
  prefix: string,
  use: (folder: string) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const removeFolder = atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  try {
    return await use(folder);
  } finally {
    removeFolder();
  }
}

const cleanUps = new Set<() => void>();

/**
 * Runs a clean-up when the process exits, also after SIGHUP, SIGINT or SIGTERM.
 *
 * @returns a function that runs the clean-up now, and not again at the end of the process.
 */
export function atExit(cleanUp: () => void): () => void {
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
