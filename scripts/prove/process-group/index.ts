/** A signal to a process group also reaches the child processes of the program. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";

const isWindows = process.platform === "win32";

/** The output is piped. If the program cannot be started, the process emits `error`. */
export function spawnGroup(
  [program = "", ...args]: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env">,
): ChildProcess {
  return spawn(program, args, { ...options, detached: !isWindows, stdio: ["ignore", "pipe", "pipe"] });
}

/** Reaches child processes also after the program has ended. On Windows, every signal kills them. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (isWindows) {
    spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: all processes of the group have ended. EPERM, on macOS: they have ended, but their exit codes have not been read yet.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
