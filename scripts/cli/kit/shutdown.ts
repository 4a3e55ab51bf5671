import { readFileSync } from "node:fs";

/**
 * Calls `close` on SIGINT, SIGTERM or SIGHUP. A second signal of the same kind ends the process immediately. An error of `close` is printed, and
 * sets the exit code 1.
 *
 * @param limitMs milliseconds after the signal until the process ends even if `close` is not finished.
 * @returns a function that removes the signal handlers, and cancels the end of the process after a signal.
 */
export function closeOnSignal(close: () => Promise<void>, limitMs = 10_000): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    // A signal of another kind can follow, such as the SIGTERM of `endWithNpm` after SIGINT.
    if (timer !== undefined) return;
    timer = setTimeout(() => process.exit(), limitMs).unref();
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
 * The signal aborts after SIGINT, SIGTERM or SIGHUP, or when the npm process that started this process ends.
 *
 * @param limitMs milliseconds that the action may take after the signal; then the process ends with exit code 130.
 */
export async function withAbortSignal<Result>(
  limitMs: number,
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  endWithNpm();
  const controller = new AbortController();
  const release = closeOnSignal(async () => {
    process.exitCode = 130;
    controller.abort();
  }, limitMs);
  try {
    return await action(controller.signal);
  } finally {
    release();
  }
}

/**
 * Ends this process when the npm or npx process that started it ends; on systems other than Linux, when its parent process ends. npm passes
 * a signal to the shell that runs the script, but some shells do not pass the signal on to this process.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parentId = process.ppid;
  const ownInfo = processInfo(process.pid);
  const parentInfo = processInfo(parentId);
  // npm, the shell and this process are in one process group. If the parent, or the parent of the shell, is in another group, then npm or the shell
  // has ended, and the system has assigned a new parent. Group leaders are excluded, because their parent is in another group anyway.
  const isGroupLeader = ownInfo?.group === process.pid;
  const npmProcessId =
    parentInfo !== undefined && /^(ba|da|a|z|k)?sh$/.test(parentInfo.name) ? parentInfo.parent : undefined;
  const ancestors = [parentInfo, npmProcessId === undefined ? undefined : processInfo(npmProcessId)];
  const isOrphan =
    ownInfo !== undefined &&
    !isGroupLeader &&
    ancestors.some((ancestor) => ancestor !== undefined && ancestor.group !== ownInfo.group);
  const hasNpmEnded = (): boolean =>
    isOrphan ||
    process.ppid !== parentId ||
    (npmProcessId !== undefined && processInfo(parentId)?.parent !== npmProcessId);
  const endIfNpmEnded = (): void => {
    if (!hasNpmEnded()) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  };
  const timer = setInterval(endIfNpmEnded, 250).unref();
  endIfNpmEnded();
}

/** Reads /proc. @returns undefined on systems other than Linux, or if the process does not exist. */
function processInfo(id: number): { name: string; parent: number; group: number } | undefined {
  try {
    const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
    const [, parent, group] = rest.split(" ");
    return { name, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}
