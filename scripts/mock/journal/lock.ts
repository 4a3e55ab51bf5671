/**
 * Keeps a file for one process. A file beside it names the process that has it, which touches it every two seconds: where a number says
 * nothing, since the process runs in another container or on another machine, it counts as ended when it no longer does.
 */
import {
  existsSync,
  linkSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";

/** How often a holder touches its lock, and after how long without it counts as ended, in milliseconds. */
const beatMs = 2_000;
const expiryMs = 5 * beatMs;

/** A file that another process has. The message says which, and what to do. */
export class LockedError extends Error {
  override readonly name = "LockedError";

  /** @param text what the lock holds; the process may not yet have written its number. */
  constructor(text: string) {
    const { id, place } = read(text);
    const isHere = place === undefined || place === placeOf();
    const isOwn = isHere && id === process.pid;
    const other =
      id === undefined ? "another process" : `process ${id}${isHere ? "" : " of another container or machine"}`;
    super(`in use by ${isOwn ? "another mock of this process. Close it" : `${other}. Stop it`}, or give another file.`);
  }
}

/**
 * Locks a file, with `FILE.lock` beside it. The lock of a process that has ended is taken over; where that can be seen only by waiting,
 * this takes up to 10 seconds.
 *
 * @param file its path; the file need not exist.
 * @returns removes the lock.
 * @throws {LockedError} when a process that lives has it.
 * @throws {Error} of the file system.
 */
export function lock(file: string): () => void {
  const path = `${existsSync(file) ? realpathSync(file) : file}.lock`;
  const own = ownMark();
  // A second attempt is for the lock that was left by a process that has ended.
  if (!isMade(path, own)) {
    takeAway(path);
    if (!isMade(path, own)) throw new LockedError(textOf(path));
  }
  // Before it was written, another process can have taken it for one that nobody holds.
  const made = textOf(path);
  if (made !== own) throw new LockedError(made);
  const timer = setInterval(() => touch(path, own), beatMs).unref();
  return () => {
    clearInterval(timer);
    if (textOf(path) === own) rmSync(path);
  };
}

/** Shows that the holder lives. What cannot be touched now is touched the next time. */
function touch(path: string, own: string): void {
  const now = new Date();
  try {
    if (textOf(path) === own) utimesSync(path, now, now);
  } catch {
    // Such as a file system that is read-only for a while.
  }
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
  if (isHeld(text, path)) throw new LockedError(text);
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    const moved = textOf(aside);
    // Another process was faster, and it is its new lock that was moved.
    if (moved !== text && isHeld(moved, aside)) {
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
  return orElse(() => readFileSync(path, "utf8"), "");
}

/** @returns the other value where there is no such file. */
function orElse<Value>(get: () => Value, other: Value): Value {
  try {
    return get();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return other;
    throw error;
  }
}

/** A lock: the number of its process, when that began, and where the number counts; undefined for what is not known. */
interface Mark {
  readonly id: number | undefined;
  readonly began: string | undefined;
  readonly place: string | undefined;
}

function read(text: string): Mark {
  const [number = "", began, place] = text.trim().split(" ");
  const id = Number.parseInt(number, 10);
  return { id: id > 0 ? id : undefined, began, place };
}

/** Whether the process that wrote it lives. */
function isHeld(text: string, path: string): boolean {
  const { id, began, place } = read(text);
  if (id === undefined) return false;
  if (place !== undefined && place !== placeOf()) return isTouched(path);
  if (!isAlive(id)) return false;
  // The number can have been given to another process since then.
  if (began === undefined || beganOf(id) === began) return true;
  // Where the file system of processes is that of another namespace, it says nothing of this number.
  return beganOf(process.pid) === beganOf("self") ? false : isTouched(path);
}

/** Whether a lock is touched while it is watched. */
function isTouched(path: string): boolean {
  const timeOf = () => orElse(() => statSync(path).mtimeMs, Number.NaN);
  const first = timeOf();
  // Its clock can be another one, so that its age alone does not count.
  const age = Math.max(0, Date.now() - first);
  const end = Date.now() + Math.max(expiryMs - age, 2 * beatMs);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (Date.now() < end) {
    Atomics.wait(sleeper, 0, 0, 100);
    const now = timeOf();
    if (Number.isNaN(now)) return false;
    if (now !== first) return true;
  }
  return false;
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

/** What this process writes into a lock: its number and, on Linux, when it began and where the number counts. */
function ownMark(): string {
  const mark = [process.pid, beganOf("self"), placeOf()];
  return `${mark.filter((part) => part !== undefined).join(" ")}\n`;
}

/** When a process began, in ticks since the machine started; undefined where it cannot be read. */
function beganOf(id: number | "self"): string | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name of the program stands in parentheses and can hold anything. The 20th field behind it is the start.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** The namespace of process numbers, such as that of a container, and the boot of the machine; undefined where they cannot be read. */
function placeOf(): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${readlinkSync("/proc/self/ns/pid")}@${boot}`;
  } catch {
    return undefined;
  }
}
