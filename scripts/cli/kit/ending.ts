/** How a command that serves ends: with a signal, or with the npm that has started it. */
import { readFileSync } from "node:fs";

/**
 * Closes what a command has started when the process is told to stop (Ctrl+C, or a signal to npm). A second signal ends
 * the process at once.
 *
 * @param limit milliseconds that closing may take before the process ends without it.
 * @returns what to call when everything is closed already: a signal is not waited for any more, and nothing ends the process.
 */
export function closeOnSignal(close: () => Promise<void>, limit: number): () => void {
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
 * Ends this process with the npm or npx that has started it. They pass a signal on to the shell that runs the script, and
 * not every shell passes it on to this process. When the shell is gone, or npm before it, this process gets the signal; also when
 * they were gone before this function was called.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const own = processInfo(process.pid);
  const parent = processInfo(shell);
  // npm, the shell and this process are one group. Whoever adopts an orphan is not in it. A program that is started by another
  // one can have a group of its own.
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

/** What Linux tells of a process; undefined elsewhere, or when there is none. */
function processInfo(id: number): { name: string; parent: number; group: number } | undefined {
  try {
    const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
    const [, parent, group] = rest.split(" ");
    return { name, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}
