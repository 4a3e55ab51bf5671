/** Keeps a file for one process: a file beside it names the process that has it. */
import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** A file that another process has. The message says which, and what to do. */
export class LockedError extends Error {
  override readonly name = "LockedError";

  /** @param text what the lock holds; the process may not yet have written its number. */
  constructor(text: string) {
    const holder = holderOf(text);
    const isOwn = holder === process.pid;
    const other = holder === undefined ? "another process" : `process ${holder}`;
    super(`in use by ${isOwn ? "another mock of this process. Close it" : `${other}. Stop it`}, or give another file.`);
  }
}

/**
 * Locks a file, with `FILE.lock` beside it. The lock of a process that has ended is taken over.
 *
 * @param file its path; the file need not exist.
 * @returns removes the lock.
 * @throws {LockedError} when a process that lives has it.
 * @throws {Error} of the file system.
 */
export function lock(file: string): () => void {
  const path = `${existsSync(file) ? realpathSync(file) : file}.lock`;
  const own = markOf(process.pid);
  // A second attempt is for the lock that was left by a process that has ended.
  if (!isMade(path, own)) {
    takeAway(path);
    if (!isMade(path, own)) throw new LockedError(textOf(path));
  }
  // Before it was written, another process can have taken it for one that nobody holds.
  const made = textOf(path);
  if (made !== own) throw new LockedError(made);
  return () => {
    if (textOf(path) === own) rmSync(path);
  };
}

/** Makes the lock, unless there is one. */
function isMade(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes a lock that nobody holds. @throws {LockedError} when somebody does. */
function takeAway(path: string): void {
  const text = textOf(path);
  if (isHeld(text)) throw new LockedError(text);
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    const moved = textOf(aside);
    // Another process was faster, and it is its new lock that was moved.
    if (isHeld(moved)) {
      linkSync(aside, path);
      throw new LockedError(moved);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** What a lock holds; empty where there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function holderOf(text: string): number | undefined {
  const id = Number.parseInt(text, 10);
  return id > 0 ? id : undefined;
}

/** Whether the process that wrote it lives. Where it is known when a process began, a number that was given again is none. */
function isHeld(text: string): boolean {
  const holder = holderOf(text);
  if (holder === undefined || !isAlive(holder)) return false;
  const [, began] = text.trim().split(" ");
  return began === undefined || markOf(holder) === text;
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // A process of somebody else lives, but cannot be signalled.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** The number of a process and, on Linux, when it began: after a restart of the machine the number can be that of another one. */
function markOf(id: number): string {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name of the program stands in parentheses and can hold anything. The 20th field behind it is the start.
    const began = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${id} ${began}\n`;
  } catch {
    return `${id}\n`;
  }
}
