/** Ends a serving command on a signal, or when the npm process that started it has gone. */
import { readFileSync } from "node:fs";

/**
 * On SIGINT, SIGTERM or SIGHUP (Ctrl+C, a signal to npm, or a closed terminal), closes what a command has started. A second signal ends
 * the process at once.
 *
 * @param limit milliseconds that closing may take before the process ends without it; enough to finish open writes by default.
 * @returns a function that removes the signal handlers, for when everything is closed already.
 */
export function closeOnSignal(close: () => Promise<void>, limit = 10_000): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    timer = setTimeout(() => process.exit(), limit).unref();
    close().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  };
  for (const signal of signals) process.once(signal, stop);
  return () => {
    clearTimeout(timer);
    for (const signal of signals) process.removeListener(signal, stop);
  };
}

/**
 * Runs an action that stops on a signal, or when the npm that started this process ends.
 *
 * @param limit milliseconds that the action may take after the signal; then the process ends with exit code 130.
 * @param action receives a signal that aborts.
 */
export async function stoppable<Result>(
  limit: number,
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  endWithNpm();
  const stopping = new AbortController();
  const release = closeOnSignal(async () => {
    process.exitCode = 130;
    stopping.abort();
  }, limit);
  try {
    return await action(stopping.signal);
  } finally {
    release();
  }
}

/**
 * Ends this process when the npm or npx that started it ends. npm passes a signal to the shell that runs the script, and not every shell
 * passes it on to this process. When the shell or npm has gone, even before this call, this process sends the signal to itself.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const own = processInfo(process.pid);
  const parent = processInfo(shell);
  // npm, the shell and this process share a process group. An ancestor in another group has adopted an orphan, unless this process leads
  // a group of its own.
  const isLeader = own?.group === process.pid;
  const npm = parent !== undefined && /^(ba|da|a|z|k)?sh$/.test(parent.name) ? parent.parent : undefined;
  const ancestors = [parent, npm === undefined ? undefined : processInfo(npm)];
  const isOrphan =
    own !== undefined && !isLeader && ancestors.some((one) => one !== undefined && one.group !== own.group);
  const isOver = (): boolean =>
    isOrphan || process.ppid !== shell || (npm !== undefined && processInfo(shell)?.parent !== npm);
  const end = (): void => {
    if (!isOver()) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  };
  const watch = setInterval(end, 250).unref();
  end();
}

/** Process information from Linux's /proc; undefined on other systems, or when the process does not exist. */
function processInfo(id: number): { name: string; parent: number; group: number } | undefined {
  try {
    const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
    const [, parent, group] = rest.split(" ");
    return { name, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}
